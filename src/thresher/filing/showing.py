"""What a person knows a message by: who it says it is from, and its subject. Pure.

Mail is hostile: what would steer a terminal, or turn the direction of writing, is taken out.
"""

import re
from typing import Final

from thresher.mail.headers import decode_words

HEADER_BYTES: Final = 65536
"""Bytes of a header that are searched; what people see stands in the first few thousand."""
VALUE: Final = 1000
_FIELD: Final = rb"^%s:[ \t]*([^\r\n]*(?:\r?\n[ \t][^\r\n]*)*)"
_FROM: Final = re.compile(_FIELD % b"from", re.IGNORECASE | re.MULTILINE)
_SUBJECT: Final = re.compile(_FIELD % b"subject", re.IGNORECASE | re.MULTILINE)
_END: Final = re.compile(rb"\r?\n\r?\n")


def shown_headers(raw: bytes) -> tuple[str, str]:
    """Return sender and subject."""
    head = raw[:HEADER_BYTES]
    end = _END.search(head)
    head = head[: end.start()] if end else head
    return _shown(_FROM, head), _shown(_SUBJECT, head)


def _shown(field: re.Pattern[bytes], head: bytes) -> str:
    found = field.search(head)
    if found is None:
        return ""
    value = b" ".join(found[1][:VALUE].split())
    text = decode_words(value, {}).decode("utf-8", "replace")
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
