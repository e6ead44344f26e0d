"""When a message was sent, as far as it can be read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.mail.dates import sent


@pytest.mark.parametrize(
    ("date", "seconds"),
    [
        (b"Thu, 1 Jan 1970 00:00:10 +0000", 10),
        (b"Thu, 01 Jan 1970 01:00:10 +0100", 10),
        (b"1 Jan 1970 00:00:10 -0000 (UTC)", 10),
        (b"yesterday", None),
        (b"", None),
        (b"Thu, 99 Foo 1970 00:00:10", None),
        (b"Thu, 1 Jan 1970 00:00:10 +0000" + b" " * 100000, 10),
    ],
)
def test_a_date_is_read_or_there_is_none(date: bytes, seconds: float | None) -> None:
    assert sent([(b"subject", b"x"), (b"date", date)]) == seconds


def test_the_first_date_counts() -> None:
    assert sent([(b"date", b"1 Jan 1970 00:00:01 +0000"), (b"date", b"1 Jan 1970 00:00:02 +0000")]) == 1


def test_a_message_without_a_date_has_none() -> None:
    assert sent([(b"subject", b"x")]) is None


@given(st.binary(max_size=200))
def test_any_bytes_are_a_date_or_none(value: bytes) -> None:
    found = sent([(b"date", value)])
    assert found is None or isinstance(found, float)
