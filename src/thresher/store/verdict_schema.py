"""What the verdict log holds: its tables, and a message that was judged as it is handed over."""

from typing import Final

import msgspec

from thresher.values import Judgement, Label, Verdict

APPLICATION_ID: Final = 0x74687276
"""``thrv``."""

# What is only looked at stands apart. Each order that the list can have is an index, with the person before it, since
# most people see only their own; that by time holds what people search, so that a search that finds nothing reads 12 MB
# for 100,000 messages and not 150. What waits for an answer has an index of its own: known mistakes lie before it.
MIGRATIONS: Final = (
    (
        """CREATE TABLE verdict (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            time REAL NOT NULL,
            digest BLOB NOT NULL,
            user TEXT NOT NULL,
            via TEXT NOT NULL,
            folder TEXT NOT NULL,
            sender TEXT NOT NULL,
            subject TEXT NOT NULL,
            verdict INTEGER NOT NULL,
            log_odds REAL NOT NULL,
            probability REAL NOT NULL,
            doubt REAL NOT NULL,
            label INTEGER,
            sampled INTEGER NOT NULL DEFAULT 0,
            size INTEGER NOT NULL,
            search TEXT NOT NULL,
            UNIQUE (digest, user)
        )""",
        "CREATE TABLE content (id INTEGER PRIMARY KEY, stream BLOB NOT NULL, head BLOB)",
        *(
            f"CREATE INDEX verdict_{prefix}{key} ON verdict ({who}{key}, id{more})"
            for prefix, who in (("", ""), ("user_", "user, "))
            for key, more in (("time", ", search"), ("sender", ""), ("subject", ""), ("log_odds", ""), ("doubt", ""))
        ),
        "CREATE INDEX verdict_asked ON verdict (doubt, id) WHERE label IS NULL",
        "CREATE INDEX verdict_user_asked ON verdict (user, doubt, id) WHERE label IS NULL",
        "CREATE INDEX verdict_kind ON verdict (verdict, time, id)",
        "CREATE INDEX verdict_user_kind ON verdict (user, verdict, time, id)",
        "CREATE INDEX verdict_folder ON verdict (folder, time, id)",
        "CREATE INDEX verdict_user ON verdict (user, id)",
        "CREATE INDEX verdict_sampled ON verdict (user, time) WHERE sampled = 1",
        """CREATE TABLE tally (
            day INTEGER NOT NULL, user TEXT NOT NULL, verdict INTEGER NOT NULL, count INTEGER NOT NULL,
            PRIMARY KEY (day, user, verdict)
        ) WITHOUT ROWID""",
        """CREATE TABLE source (
            user TEXT NOT NULL, via TEXT NOT NULL, folder TEXT NOT NULL, last REAL NOT NULL, count INTEGER NOT NULL,
            PRIMARY KEY (user, via, folder)
        ) WITHOUT ROWID""",
        "CREATE TABLE followed (identity TEXT NOT NULL, last_id INTEGER NOT NULL, last_seq INTEGER NOT NULL)",
        "INSERT INTO followed VALUES ('', 0, 0)",
    ),
)


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """A message that was judged."""

    digest: bytes
    judgement: Judgement
    stream: bytes
    """Its token stream: what it is taught by."""
    time: float
    user: str = ""
    """Whose mail it is, as far as that was told."""
    via: str = ""
    """Who asked: a protocol, a mailbox."""
    folder: str = ""
    sender: str = ""
    subject: str = ""
    size: int = 0
    head: bytes = b""
    """The message as it came, up to TEXT_BYTES."""
    label: Label | None = None
    """What its owner says it is, where that is known."""


def doubt(verdict: Verdict, probability: float, label: Label | None) -> float:
    """How probable it is that a verdict is wrong; of an unsure one, how far from sure it is. A known mistake has 2."""
    if label is not None:
        return 0.5 if verdict is Verdict.UNSURE else 0.0 if verdict == label.value else 2.0
    if verdict is Verdict.UNSURE:
        return min(probability, 1.0 - probability)
    return 1.0 - probability if verdict is Verdict.SPAM else probability
