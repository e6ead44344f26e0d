"""Moving spam into its folder, and putting it back.

The law: a move is written down before it is made and again when it is done. After a kill, `recover` asks the mailbox
which of the moves begun came about, and finishes those that were half done; so a message is in one folder, once. Only
what thresher moved itself is ever put back.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from thresher.boxes.mailbox import INBOX, Mailbox
from thresher.filing.account import Account
from thresher.filing.look import Candidate
from thresher.filing.roles import Role, folder_for
from thresher.filing.state import Move, State, Status

BATCH: Final = 100
"""Messages moved by one command: what is written down at once, and has to be looked into after a kill."""
JUNK: Final = "Junk"
"""The folder that is made where there is none for spam."""


class Filer:
    """Moves messages of one account."""

    def __init__(self, account: Account, box: Mailbox, state: State, clock: Callable[[], float] = time.time) -> None:
        self.account = account
        self.box = box
        self.state = state
        self.clock = clock

    def recover(self) -> int:
        """Find out about moves that were cut short, finish those half done, and return how many there were."""
        begun = self.state.moves(status=Status.BEGUN)
        for move in begun:
            new_uid = self.box.resume(move.source, move.uid, move.target, move.stand)
            ended = Status.VOID if new_uid is None else Status.DONE
            self.state.end([(move.id, ended, new_uid or "")])
        return len(begun)

    def junk(self) -> str:
        """Return the folder for spam."""
        return folder_for(Role.JUNK, self.box.folders(), self.account.folders) or JUNK

    def file(self, spam: Sequence[Candidate], moved: Callable[[Sequence[Candidate]], None] = lambda _: None) -> int:
        """Move messages out of the inbox into the folder for spam; return how many were still there."""
        target = self.junk()
        count = 0
        for first in range(0, len(spam), BATCH):
            batch = {candidate.uid: candidate for candidate in spam[first : first + BATCH]}
            now = self.clock()
            done = self._move(
                [
                    Move(0, one.digest, INBOX, uid, target, "", "", now, one.log_odds, Status.BEGUN)
                    for uid, one in batch.items()
                ]
            )
            moved([batch[move.uid] for move in done])
            count += len(done)
        return count

    def undo(self, moves: Iterable[Move]) -> list[Move]:
        """Put messages back where they were taken from; return those that were still where thresher had put them."""
        back = []
        for move in moves:
            # What was put back is a move, too, and not one to be undone.
            if move.status is not Status.DONE or not move.new_uid or move.source != INBOX:
                continue
            reverse = move._replace(
                source=move.target, uid=move.new_uid, target=move.source, new_uid="", time=self.clock(),
                status=Status.BEGUN,
            )  # fmt: skip
            if self._move([reverse]):
                self.state.end([(move.id, Status.UNDONE, move.new_uid)])
                back.append(move)
            else:
                self.state.end([(move.id, Status.LEFT, move.new_uid)])
        return back

    def _move(self, moves: list[Move]) -> list[Move]:
        """Make moves between the same two folders, and return those that came about."""
        source, target = moves[0].source, moves[0].target
        stand = self.box.stand(target)
        ids = self.state.begin([move._replace(stand=stand) for move in moves])
        # If this fails, some may have been moved before it did: the next `recover` finds out.
        done = self.box.move(source, [move.uid for move in moves], target)
        self.state.end(
            (number, Status.DONE if move.uid in done else Status.VOID, done.get(move.uid, ""))
            for number, move in zip(ids, moves, strict=True)
        )
        return [move for move in moves if move.uid in done]
