"""Messages and mailboxes for the tests of the commands."""

from collections.abc import Iterable
from pathlib import Path

from thresher.demo import messages
from thresher.values import Label


def ham(number: int) -> bytes:
    """Write a message somebody wants."""
    return (
        f"From: Ada Lind <ada@work.example>\nTo: me@home.example\nSubject: Minutes of meeting {number}\n"
        f"Message-ID: <{number}.minutes@work.example>\n\n"
        f"Dear all,\n\nthe agenda of meeting {number}: budget, garden, any other business.\nKind regards, Ada\n"
    ).encode()


def spam(number: int) -> bytes:
    """Write a message nobody wants."""
    return (
        f"From: Winner Office <prize{number}@lottery.example>\nTo: me@home.example\nSubject: You WON ${number}00 !!!\n"
        f"Reply-To: claim@elsewhere.example\nMessage-ID: <{number}.prize@lottery.example>\n\n"
        f"Congratulations! Claim your prize of ${number}00 now, click http://claim.example/{number} today!!!\n"
    ).encode()


def folder(path: Path, made: Iterable[bytes]) -> Path:
    """Write a folder of messages."""
    path.mkdir(parents=True)
    for number, raw in enumerate(made):
        (path / f"{number:05}.eml").write_bytes(raw)
    return path


def mbox(path: Path, made: Iterable[bytes]) -> Path:
    """Write an mbox."""
    path.write_bytes(b"".join(b"From ada@work.example Sat Jan  3 01:05:34 2026\n" + raw + b"\n" for raw in made))
    return path


def maildir(path: Path, made: Iterable[bytes]) -> Path:
    """Write a Maildir."""
    for part in ("cur", "new", "tmp"):
        (path / part).mkdir(parents=True)
    for number, raw in enumerate(made):
        (path / "cur" / f"{1700000000 + number}.M{number}P1.host:2,S").write_bytes(raw)
    return path


def demo_folders(path: Path, count: int, seed: int, *, spam_share: float = 0.4) -> tuple[Path, Path]:
    """Write made-up mail as a folder of ham and a folder of spam."""
    places = {label: path / label for label in Label}
    for place in places.values():
        place.mkdir(parents=True)
    for number, made in enumerate(messages(count, seed, spam_share=spam_share)):
        (places[made.label] / f"{number:05}.eml").write_bytes(made.raw)
    return places[Label.HAM], places[Label.SPAM]
