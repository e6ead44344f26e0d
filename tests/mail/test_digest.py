"""A message has one digest wherever it is found, and another message has another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mail.reading import letter
from thresher.mail.digest import DIGEST_BYTES, digest

PLAIN = letter("To: ben@example.net", body="hello\n\nthere\n")


@pytest.mark.parametrize(
    "same",
    [
        PLAIN,
        PLAIN.replace(b"\n", b"\r\n"),
        b"From ann@example.org Mon Mar  4 10:20:30 2024\n" + PLAIN,
        PLAIN + b"\n",
        b"X-Spam-Status: Yes, score=9\n" + PLAIN,
        PLAIN.replace(b"To:", b"X-Bogosity: Spam,\n\tversion=1\n x\nx-thresher: ham\nTo:"),
    ],
)
def test_what_storing_and_filtering_do_to_a_message_makes_no_other(same: bytes) -> None:
    assert digest(same) == digest(PLAIN)


@pytest.mark.parametrize(
    "other",
    [
        PLAIN.replace(b"hello", b"Hello"),
        PLAIN.replace(b"greetings", b"greeting"),
        b"X-Mailer: Rake\n" + PLAIN,
        PLAIN.replace(b"hello", b"X-Spam-Status: Yes\nhello"),
        PLAIN[:-7],
        b"",
    ],
)
def test_another_message_has_another_digest(other: bytes) -> None:
    assert digest(other) != digest(PLAIN)


@given(st.binary(max_size=200))
def test_any_bytes_have_a_digest(raw: bytes) -> None:
    assert len(digest(raw)) == DIGEST_BYTES


@given(st.binary(max_size=200).map(lambda raw: raw.replace(b"\r", b"")))
def test_line_ends_make_no_other_message(raw: bytes) -> None:
    assert digest(raw.replace(b"\n", b"\r\n")) == digest(raw)
