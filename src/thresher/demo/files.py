"""Attachments: bytes that begin and end as their kinds do, with noise between. Nothing here can be opened or run."""

from binascii import crc32
from struct import pack
from time import gmtime, strftime

from thresher.demo.dice import Dice
from thresher.demo.draft import File

_SMALL = 400


def size(dice: Dice, most: int) -> int:
    """Return a size: many small files, few large ones."""
    return _SMALL + int(most * dice.random() ** 3)


def pdf(dice: Dice, name: str, most: int = 9_000) -> File:
    """Return something like a document."""
    head = f"%PDF-1.{dice.between(3, 7)}\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n"
    stream = dice.noise(size(dice, most))
    data = head.encode("latin-1") + b"4 0 obj\n<</Filter/FlateDecode>>stream\n" + stream + b"\nendstream\n%%EOF\n"
    return File("application/pdf", name, data)


def jpeg(dice: Dice, name: str, most: int = 14_000, cid: str = "") -> File:
    """Return something like a photograph."""
    data = (
        b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x48\x00\x48\x00\x00"
        + dice.noise(size(dice, most))
        + b"\xff\xd9"
    )
    return File("image/jpeg", name, data, cid)


def png(dice: Dice, name: str, most: int = 6_000, cid: str = "") -> File:
    """Return something like a drawing."""
    data = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + dice.noise(size(dice, most)) + b"\x00\x00\x00\x00IEND\xaeB`\x82"
    return File("image/png", name, data, cid)


def archive(dice: Dice, name: str, inner: str, content_type: str = "application/zip", most: int = 6_000) -> File:
    """Return a ZIP archive of one stored file of noise; offices' documents are such archives too."""
    noise = dice.noise(size(dice, most))
    label = inner.encode()
    fields = (crc32(noise), len(noise), len(noise), len(label))
    local = b"PK\x03\x04" + pack("<HHHHHIIIHH", 20, 0x800, 0, 0, 0x21, *fields, 0) + label + noise
    entry = b"PK\x01\x02" + pack("<HHHHHHIIIHHHHHII", 20, 20, 0x800, 0, 0, 0x21, *fields, 0, 0, 0, 0, 0, 0) + label
    end = b"PK\x05\x06" + pack("<HHHHIIH", 0, 0, 1, 1, len(entry), len(local), 0)
    return File(content_type, name, local + entry + end)


def document(dice: Dice, name: str) -> File:
    """Return something like an office document, of the kind its name says."""
    suffix = name.rpartition(".")[2]
    if suffix == "xlsx":
        kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        return archive(dice, name, "xl/workbook.xml", kind)
    if suffix == "docx":
        kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
        return archive(dice, name, "word/document.xml", kind)
    return pdf(dice, name)


def opaque(dice: Dice, name: str, content_type: str = "application/octet-stream", head: bytes = b"") -> File:
    """Return noise under a name: what a virus scanner would have found worse in."""
    return File(content_type, name, head + dice.noise(size(dice, 5_000)))


def calendar(dice: Dice, summary: str, place: str, organizer: str, guest: str, start: float) -> bytes:
    """Return an invitation (RFC 5545), its long lines folded."""

    def clock(time: float) -> str:
        return strftime("%Y%m%dT%H%M%SZ", gmtime(time))

    rows = (
        "BEGIN:VCALENDAR",
        "PRODID:-//Calendar//EN",
        "VERSION:2.0",
        "METHOD:REQUEST",
        "BEGIN:VEVENT",
        f"DTSTART:{clock(start)}",
        f"DTEND:{clock(start + 1800 * dice.between(1, 6))}",
        f"DTSTAMP:{clock(start - 86400)}",
        f"ORGANIZER:mailto:{organizer}",
        f"UID:{dice.token(26)}",
        f"ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:{guest}",
        f"SUMMARY:{summary}",
        f"LOCATION:{place}",
        f"SEQUENCE:{dice.between(0, 3)}",
        "END:VEVENT",
        "END:VCALENDAR",
    )
    # Folding counts bytes; forty characters are below 75 bytes in most scripts, 25 in all.
    lines = []
    for row in rows:
        most = 70 if row.isascii() else 23
        lines.append("\n ".join([row[at : at + most] for at in range(0, len(row), most)]))
    return ("\n".join(lines) + "\n").encode()
