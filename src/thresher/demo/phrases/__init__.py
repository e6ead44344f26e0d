"""What the people and machines of the demo mail say: one table of rules a language, all sentences our own.

A rule whose name ends in `_subject` gives subject lines; the others give sentences or words.
"""


def lines(text: str) -> tuple[str, ...]:
    """Return the templates of a block, one a line; the white space of a continued line counts as one space."""
    return tuple(" ".join(line.split()) for line in text.splitlines() if line.strip())


def words(text: str) -> tuple[str, ...]:
    """Return the templates of a block, separated by commas."""
    return tuple(" ".join(word.split()) for word in text.split(",") if word.strip())
