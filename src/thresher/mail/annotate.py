"""Fields added to a message's header, and earlier ones of those names taken out; every other byte stays as it is.

The header ends where mail.mime ends it: at an empty line, or before the first line that is no field. New fields go
there, with the line ends of the message; taken out, they leave the message as it was.
"""

import re
from collections.abc import Collection, Sequence
from typing import Final

Fields = Sequence[tuple[bytes, bytes]]

MARK: Final = b"\xef\xbb\xbf"
_BEFORE: Final = re.compile(rb"(?:%b)?(?:>?From [^\n]*(?:\n|\Z))?" % MARK)
"""An editor's mark of UTF-8 and an mbox's From line: the first field stands after them."""
_FIELD: Final = re.compile(rb"([!-9;-~]+)[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*(?:\n|\Z)")


def annotated(raw: bytes, fields: Fields, strip: Collection[bytes] = ()) -> bytes:
    """Return the message with these fields last in its header, and without those of the names to strip.

    Names to strip are in lower case. Values hold no line ends but those that fold them.
    """
    before, kept, end = _without(raw, strip)
    line_end = b"\r\n" if raw[: raw.find(b"\n")].endswith(b"\r") else b"\n"
    if fields and not (before + kept).endswith(b"\n") and before + kept not in {b"", MARK}:
        # The message is but a header, and its last line has no end.
        kept += line_end
    added = b"".join([name + b": " + value.replace(b"\n", line_end) + line_end for name, value in fields])
    if fields and raw[end : end + 1] in {b" ", b"\t"}:
        # What follows would continue our last field.
        added += line_end
    return before + kept + added + raw[end:]


def _without(raw: bytes, strip: Collection[bytes]) -> tuple[bytes, bytes, int]:
    """Return what stands before the header, the fields that stay, and where the header ends."""
    match = _BEFORE.match(raw)
    begin = kept_from = at = match.end() if match else 0
    kept: list[bytes] = []
    while field := _FIELD.match(raw, at):
        if field[1].lower() in strip:
            kept.append(raw[kept_from:at])
            kept_from = field.end()
        at = field.end()
    return raw[:begin], b"".join([*kept, raw[kept_from:at]]), at
