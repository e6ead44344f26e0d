"""What lasts: the journal of lessons and the snapshots of what was folded from it."""
