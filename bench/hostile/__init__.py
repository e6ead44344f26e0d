"""Messages made to cost as much as they can: one maker a shape, each of at most a megabyte.

Every regular expression and every loop of thresher.mail was asked what would make it slow or large; the answers are
here, beside shapes that have broken other readers of mail. bench/mail_bounds.py measures them, and
tests/mail/test_bounds.py holds what is read of them to its bounds.
"""

from bench.hostile import bodies, header_blocks, markup, multiparts, texts
from bench.hostile.making import LETTER, MEGABYTE, SHAPES

__all__ = ["LETTER", "MEGABYTE", "SHAPES", "bodies", "header_blocks", "markup", "multiparts", "texts"]
