"""Programs that write mail, as far as a message shows them.

What they call themselves, the order of their headers, their shapes of Message-ID and boundary, how they encode.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from thresher.demo.dice import Dice
from thresher.demo.grammar import Template, fill, parse


@dataclass(frozen=True, slots=True)
class Mailer:
    """One program."""

    key: str
    places: Mapping[str, tuple[int, str]]
    """For each header it writes, in lower case: its place, and how the program spells it."""
    message_id: Template
    boundary: Template
    encodings: tuple[str, ...]
    """Transfer encodings for text beyond ASCII, named as often as used."""
    header: str = ""
    """Name of the header it signs with; empty if it does not sign."""
    version: Template = ()
    """What it signs with."""
    html: float = 1.0
    """Share of messages with HTML when a person writes."""
    layout: str = "plain"
    """How its HTML looks; see html.py."""
    flowed: bool = False
    upper_charset: bool = False
    word_style: str = "B"
    """Encoded words in base64 (B) or quoted-printable (Q)."""
    attach_style: str = "rfc2231"
    """How it names attachments that ASCII cannot name: rfc2231, split, word or raw."""


def _mailer(  # noqa: PLR0913  one line of a table
    key: str, order: str, message_id: str, boundary: str, encodings: str, *, signs: str = "", html: float = 1.0,
    layout: str = "plain", flowed: bool = False, upper: bool = False, words: str = "B", attach: str = "rfc2231",
) -> Mailer:  # fmt: skip
    names = order.replace("THREAD", "In-Reply-To References").replace(
        "MIME", "MIME-Version Content-Type Content-Transfer-Encoding"
    )
    header, _, version = signs.partition(": ")
    places = {name.lower(): (place, name) for place, name in enumerate(names.split())}
    return Mailer(
        key, places, parse(message_id), parse(boundary), tuple(encodings.split()), header,
        parse(version), html, layout, flowed, upper, words, attach,
    )  # fmt: skip


_UUID = "{x8}-{x4}-4{x3}-a{x3}-{x12}"
_APPLE = "{X8}-{X4}-4{X3}-A{X3}-{X12}"
_GMAIL = "CA{+1}{*21}=[w|g|s]{*20}"

PEOPLE = (
    _mailer("bird", "Message-ID Date MIME-Version User-Agent Subject To Cc THREAD From MIME", _UUID,
            "------------{*24}", "8bit 8bit quoted-printable", signs="User-Agent: Mozilla Thunderbird",
            html=0.45, layout="bird", flowed=True, upper=True),
    _mailer("orchard", "From MIME Subject Message-Id Date To Cc THREAD X-Mailer", _APPLE,
            "Apple-Mail=_{X8}-{X4}-{X4}-{X12}", "quoted-printable quoted-printable base64",
            signs="X-Mailer: Apple Mail (2.{3600..3800}.{100..700}.{1..9})", html=0.5, layout="apple", words="Q"),
    _mailer("pocket", "Content-Type From MIME Date Subject Message-Id THREAD To Cc X-Mailer", _APPLE,
            "Apple-Mail-{X8}-{X4}-{X4}", "quoted-printable base64",
            signs="X-Mailer: iPhone Mail ({16..22}[A|B|C|D|E|F|G]{10..99})", html=0.35, layout="apple"),
    _mailer("office", "From To Cc THREAD Subject Date Message-ID MIME X-Mailer Thread-Index Content-Language",
            "{#6}01da{x4}${x8}${x8}$", "----=_NextPart_000_{#4}_01DA{X4}.{X8}",
            "quoted-printable quoted-printable base64", signs="X-Mailer: Microsoft Outlook 16.0", html=0.85,
            layout="office", words="Q", attach="word"),
    _mailer("exchange", "From To Cc Subject Thread-Topic Thread-Index Date Message-ID THREAD Accept-Language MIME",
            "{+14}{X24}", "_00{0..9}_{+30}_", "quoted-printable base64 base64", html=0.9, layout="office"),
    _mailer("web", "MIME-Version THREAD From Date Message-ID Subject To Cc Content-Type", _GMAIL,
            "000000000000{x16}", "quoted-printable base64", html=0.8, layout="web", upper=True),
    _mailer("cube", "MIME-Version Date From To Cc Subject THREAD User-Agent Message-ID X-Sender Content-Type", "{x32}",
            "=_{x32}", "8bit quoted-printable", signs="User-Agent: Roundcube Webmail/1.{4..6}.{0..11}",
            html=0.2, flowed=True, upper=True, attach="split"),
    _mailer("hound", "Date From To Cc Subject Message-ID THREAD MIME User-Agent", "{stamp}.G{+2}{100..32000}",
            "{*16}", "8bit 8bit quoted-printable", signs="User-Agent: Mutt/{1..2}.{5..14}.{0..9}", html=0.0, words="Q"),
    _mailer("kontakt", "From To Cc Subject Date Message-ID User-Agent THREAD MIME", "{#7}.{*10}",
            "nextPart{#7}.{*10}", "quoted-printable 8bit", signs="User-Agent: KMail/5.{18..24}.{0..3}", html=0.15),
    _mailer("theory", "Message-ID Subject From To Cc Date THREAD MIME User-Agent", "{x40}.camel", "=-{*20}",
            "8bit quoted-printable", signs="User-Agent: Evolution 3.{44..52}.{0..4}-{1..2}", html=0.4, words="Q"),
)  # fmt: skip

MACHINES = (
    _mailer("java", "Date From Reply-To To Message-ID Subject MIME List-Unsubscribe",
            "{1..999999999}.{1..999999}.{#13}.JavaMail.app", "----=_Part_{#6}_{#9}.{#13}",
            "quoted-printable quoted-printable base64", layout="letter", words="Q"),
    _mailer("php", "Date To From Reply-To Subject Message-ID X-Mailer List-Unsubscribe MIME", "{x32}", "b1_{x32}",
            "base64 8bit quoted-printable", signs="X-Mailer: PHPMailer {5..6}.{0..9}.{0..9}", layout="letter",
            attach="word"),
    _mailer("python", "Content-Type MIME Subject From To Date Message-ID Reply-To List-Unsubscribe",
            "{#15}.{100..32000}.{#20}", "==============={#19}==", "base64 quoted-printable", layout="card"),
    _mailer("bulk", "MIME-Version From Reply-To To Subject List-Unsubscribe X-Mailer Content-Type Date Message-ID",
            "{#12}", "____{+12}____", "8bit base64 quoted-printable", signs="X-Mailer: MailSender v{2..9}.{0..9}",
            layout="letter", upper=True, attach="raw"),
    _mailer("ruby", "Date From Reply-To To Message-ID Subject MIME", "{x13}_{x8}{#4}.mail",
            "--==_mimepart_{x13}_{x8}", "quoted-printable 8bit", layout="card", upper=True, words="Q"),
    _mailer("dotnet", "MIME-Version From To Reply-To Date Subject Content-Type Message-ID", "{x32}",
            "--boundary_{#5}_{x8}-{x4}-{x4}-{x12}", "quoted-printable base64", layout="card"),
)  # fmt: skip

CRON = _mailer("cron", "From To Subject MIME Auto-Submitted Message-Id", "{stamp}.{X11}", "{*16}", "8bit", html=0.0)
GIT = _mailer("git", "From To Cc Subject Date Message-ID X-Mailer THREAD MIME", "{stamp}.{1000..99999}-{1..9}-{*7}",
              "{*16}", "8bit", signs="X-Mailer: git-send-email 2.{30..47}.{0..4}", html=0.0)  # fmt: skip
DAEMON = _mailer("daemon", "Date From Subject To Auto-Submitted MIME Message-Id", "{stamp}.{X11}",
                 "{X11}.{#10}/mail", "8bit", html=0.0)  # fmt: skip
SCANNER = _mailer("scanner", "From To Date Subject X-Mailer MIME", "{#10}", "_scan_{#8}", "8bit",
                  signs="X-Mailer: Scan-to-Mail {1..4}.{0..9}", html=0.0)  # fmt: skip
CALENDAR = _mailer("calendar", "MIME-Version Reply-To Sender Message-ID Date Subject From To Content-Type",
                   "calendar-{x8}-{x4}", "000000000000{x16}", "quoted-printable", layout="card",
                   upper=True)  # fmt: skip


def signature(mailer: Mailer, dice: Dice) -> str:
    """Return what this copy of the program signs with: one version for each person who runs it."""
    return fill(mailer.version, dice, {})


def message_id(mailer: Mailer, dice: Dice, host: str, stamp: str) -> str:
    """Return a Message-ID as this program makes it; the stamp is the time, YYYYMMDDhhmmss."""
    return f"<{fill(mailer.message_id, dice, {'stamp': stamp})}@{host}>"


def boundary(mailer: Mailer, dice: Dice) -> str:
    """Return a boundary as this program makes it."""
    return fill(mailer.boundary, dice, {})
