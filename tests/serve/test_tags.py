"""The fields that tell a verdict: short, ASCII, folded, whatever the message said."""

from email import message_from_bytes
from email.header import decode_header, make_header

import pytest

from thresher.mail.annotate import annotated
from thresher.serve.scan import Reason, Scan, unjudged
from thresher.serve.tags import OWN, as_bytes, spamassassin_tags, tags
from thresher.values import Judgement, Verdict

SPAM = Scan(
    Judgement(Verdict.SPAM, 0.99931, 7.28), 10.08, (Reason("subject:you won", 2.5), Reason("html", -0.25)), "ab"
)


@pytest.mark.parametrize(
    ("verdict", "points", "told"),
    [(Verdict.SPAM, 10.08, "Yes"), (Verdict.HAM, -3.5, "No"), (Verdict.UNSURE, 4.99, "Unsure")],
)
def test_each_verdict_has_its_fields(verdict: Verdict, points: float, told: str) -> None:
    fields = dict(tags(Scan(Judgement(verdict, 0.5, 0.0), points, (), "ab")))
    assert fields["X-Spam"] == told
    assert fields["X-Spam-Score"] == f"{points:.2f}"
    assert fields["X-Spam-Level"] == "*" * max(int(points), 0)
    assert fields["X-Thresher"] == f"{verdict}, p=0.500000,\n why=nothing known,\n id=ab"


def test_the_reasons_are_told_with_their_shares() -> None:
    assert dict(tags(SPAM))["X-Thresher"] == ("spam, p=0.999310,\n why=subject:you won +2.50;\n html -0.25,\n id=ab")


def test_a_message_that_was_not_judged_says_so() -> None:
    fields = dict(tags(unjudged("300 messages are waiting", "ab")))
    assert fields["X-Spam"] == "Unsure"
    assert fields["X-Thresher"] == "unsure, not judged,\n why=300 messages are waiting, id=ab"


def test_recipes_for_spamassassin_find_what_they_look_for() -> None:
    assert spamassassin_tags(SPAM, ("BAYES_99",)) == [
        ("X-Spam-Flag", "YES"),
        ("X-Spam-Status", "Yes, score=10.1 required=5.0\n tests=BAYES_99"),
    ]
    assert [name for name, _ in spamassassin_tags(unjudged("no"), ())] == ["X-Spam-Status"]


def test_no_more_stars_than_fit_a_line() -> None:
    scan = Scan(Judgement(Verdict.SPAM, 1.0, 900.0), 900.0, (), "ab")
    assert dict(tags(scan))["X-Spam-Level"] == "*" * 50


@pytest.mark.parametrize(
    "text", ["subject:中奖通知中奖通知中奖通知", "subject:=?utf-8?Q?x?=", "from:Ångström 💰💰💰💰💰💰💰💰💰💰💰💰💰"]
)
def test_reasons_in_any_script_are_ascii_and_readable(text: str) -> None:
    scan = Scan(Judgement(Verdict.SPAM, 1.0, 9.0), 9.0, (Reason(text, 1.0),), "ab")
    raw = annotated(b"Subject: x\r\n\r\nhello\r\n", as_bytes(tags(scan)), OWN)
    assert raw.isascii()
    assert max(map(len, raw.split(b"\r\n"))) <= 78 + len("; +1.00,")
    value = message_from_bytes(raw)["X-Thresher"]
    assert text.replace(" ", "") in str(make_header(decode_header(value))).replace(" ", "")


def test_every_field_we_give_is_taken_out_where_another_gave_it() -> None:
    given = {name.lower().encode() for name, _ in tags(SPAM) + spamassassin_tags(SPAM, ())}
    assert given == OWN
