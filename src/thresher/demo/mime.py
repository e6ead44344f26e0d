"""MIME: texts, pictures and attachments to the parts of a message, by the standards (RFC 2045, 2046, 2183, 2231)."""

from base64 import b64encode
from binascii import b2a_qp
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote

from thresher.demo.dice import Dice
from thresher.demo.draft import Draft, File
from thresher.demo.headers import encode
from thresher.demo.mailers import Mailer, boundary
from thresher.demo.text import wrap

_LONGEST = 990
"""RFC 5322 allows 998 characters a line."""
_ROW = 76
_SPLIT = 24
"""Characters of a file name in each RFC 2231 continuation."""
_BASE64 = ("Content-Transfer-Encoding", "base64")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a message: its headers and its bytes, which end with a line end."""

    headers: tuple[tuple[str, str], ...]
    body: bytes


def base64_rows(data: bytes) -> bytes:
    """Return the data in base64, in lines."""
    text = b64encode(data)
    return b"\n".join([text[at : at + _ROW] for at in range(0, len(text), _ROW)] or [b""]) + b"\n"


def _spelled(charset: str, mailer: Mailer) -> str:
    return f'"{charset.upper()}"' if mailer.upper_charset else charset


def text_part(text: str, subtype: str, draft: Draft, mailer: Mailer, *, flowed: bool = False) -> Part:
    """Return a part of text in the charset and encoding the draft asks for, or the nearest that can hold it."""
    charset = draft.charset
    text = text.rstrip("\n") + "\n"
    try:
        data = text.encode(charset)
    except UnicodeEncodeError:
        charset = "utf-8"
        data = text.encode(charset)
    encoding = draft.encoding
    longest = max(map(len, data.split(b"\n")))
    if encoding == "8bit" and longest > _LONGEST:
        encoding = "quoted-printable"
    if (charset == "iso-2022-jp" and longest <= _LONGEST) or (
        encoding != "base64" and longest <= _ROW + 2 and data.isascii()
    ):
        encoding = "7bit"
    kind = f"text/{subtype}; charset={_spelled(charset, mailer)}"
    if flowed and subtype == "plain":
        kind += "; format=flowed"
    if encoding == "base64":
        data = base64_rows(data)
    elif encoding == "quoted-printable":
        data = b2a_qp(data, istext=True)
    return Part((("Content-Type", kind), ("Content-Transfer-Encoding", encoding)), data)


def file_name(key: str, name: str, style: str, charset: str) -> str:
    """Return a file's name as a parameter, after the taste of the mailer."""
    if name.isascii():
        return f'{key}="{name}"'
    match style:
        case "word":
            # Common, though RFC 2047 forbids it.
            return f'{key}="{encode(name, charset, "B")}"'
        case "raw":
            plain = name.encode("ascii", "replace").decode()
            return f'{key}="{plain}"'
        case "split":
            text = f"utf-8''{quote(name)}"
            # No cut inside an escape: a reader may join the pieces after decoding each.
            rows, at = [], 0
            while at < len(text):
                end = min(len(text), at + _SPLIT)
                while end < len(text) and "%" in text[end - 2 : end]:
                    end += 1
                rows.append(text[at:end])
                at = end
            return ";\n ".join([f"{key}*{number}*={row}" for number, row in enumerate(rows)])
        case _:
            return f"{key}*=utf-8''{quote(name)}"


def _eight_bit(data: bytes) -> tuple[tuple[str, str], ...]:
    """Return the header that a part which holds other parts needs, if they are not all ASCII (RFC 2045, 6.4)."""
    return () if data.isascii() else (("Content-Transfer-Encoding", "8bit"),)


def file_part(file: File, draft: Draft, mailer: Mailer) -> Part:
    """Return an attachment, an inline picture, or a bare part of a report."""
    if file.bare:
        return Part((("Content-Type", file.content_type), *_eight_bit(file.data)), file.data)
    kind = file.content_type
    headers: list[tuple[str, str]] = []
    if file.name:
        kind += ";\n " + file_name("name", file.name, mailer.attach_style, draft.charset)
    headers.append(("Content-Type", kind))
    if file.cid:
        headers += [("Content-ID", f"<{file.cid}>"), ("Content-Disposition", "inline"), _BASE64]
    elif file.name:
        name = file_name("filename", file.name, mailer.attach_style, draft.charset)
        headers += [("Content-Disposition", f"attachment;\n {name}"), _BASE64]
    else:
        headers.append(_BASE64)
    return Part(tuple(headers), base64_rows(file.data))


def join(parts: Iterable[Part], subtype: str, dice: Dice, mailer: Mailer, *, closed: bool = True) -> Part:
    """Return a multipart of the parts, without its last boundary if it is not to be closed."""
    mark = boundary(mailer, dice)
    rows: list[bytes] = []
    if mailer.key in {"bird", "office"}:
        rows.append(b"This is a multi-part message in MIME format.\n")
    for part in parts:
        head = "".join([f"{name}: {value}\n" for name, value in part.headers])
        rows.append(f"--{mark}\n{head}\n".encode())
        rows.append(part.body)
        # The line end before a boundary belongs to the boundary.
        rows.append(b"\n")
    if closed:
        rows.append(f"--{mark}--\n".encode())
    data = b"".join(rows)
    return Part((("Content-Type", f'multipart/{subtype};\n boundary="{mark}"'), *_eight_bit(data)), data)


def body(draft: Draft, dice: Dice, *, spaced: bool) -> Part:
    """Return the whole body of a draft."""
    mailer = draft.sender.mailer
    texts: list[Part] = []
    if draft.text:
        text = wrap(draft.text, spaced=spaced) if draft.encoding != "base64" or mailer.flowed else draft.text
        texts.append(text_part(text, "plain", draft, mailer, flowed=mailer.flowed))
    if draft.html:
        page = text_part(draft.html, "html", draft, mailer)
        if draft.inline:
            pictures = [file_part(file, draft, mailer) for file in draft.inline]
            page = join([page, *pictures], 'related; type="text/html"', dice, mailer)
        texts.append(page)
    texts += [file_part(file, draft, mailer) for file in draft.alternatives]
    if not texts:
        texts.append(text_part("", "plain", draft, mailer))
    whole = texts[0] if len(texts) == 1 else join(texts, "alternative", dice, mailer)
    if draft.files or "boundary" in draft.flaws:
        files = [file_part(file, draft, mailer) for file in draft.files]
        whole = join([whole, *files], draft.container, dice, mailer, closed="boundary" not in draft.flaws)
    return whole
