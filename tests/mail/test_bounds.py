"""The worst mail there is keeps within the bounds: of parts, header fields, depth, stream and memory.

How long each takes is measured, not tested: python -m bench.mail_bounds.
"""

import gc
import tracemalloc

import pytest

from bench.hostile import MEGABYTE, SHAPES
from tests.mail.reading import assert_bounded
from thresher.mail import mime
from thresher.mail.mime import parse
from thresher.mail.stream import tokenize

MOST_MEMORY = 64 << 20
MOST_KEPT = 8 << 10
"""Bytes that the caches may keep of one message, since they keep it until thousands of others have come."""


def test_there_are_hostile_shapes() -> None:
    assert len(SHAPES) > 150


@pytest.mark.parametrize("name", SHAPES)
def test_a_hostile_message_is_read_within_its_bounds(name: str) -> None:
    raw = SHAPES[name]()
    assert len(raw) <= MEGABYTE
    tracemalloc.start()
    try:
        message = parse(raw)
        stream = tokenize(message)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < MOST_MEMORY
    assert_bounded(message, stream)
    assert sum(len(part.text) for part in message.parts) <= 4 * mime.MAX_SOURCES


@pytest.mark.parametrize(
    ("name", "defect"),
    {
        "fifty thousand header lines": "too-many-headers",
        "one header line of a megabyte": "header-cut-off",
        "a thousand nested multiparts": "too-deep",
        "nested messages around a megabyte": "too-deep",
        "boundary at every line of a part": "too-many-parts",
        "boundary a hundred thousand times": "too-many-parts",
        "random bytes in many parts": "too-much-text",
        "base64 that is none": "broken-base64",
        "no boundary at all": "no-boundary",
        "nothing but nul bytes": "no-headers",
    }.items(),
)
def test_what_is_beyond_a_bound_is_a_defect(name: str, defect: str) -> None:
    assert defect in parse(SHAPES[name]()).defects


def test_what_is_beyond_four_megabytes_is_not_read() -> None:
    message = parse(b"Subject: hello\n\n" + b"word " * MEGABYTE)
    assert message.defects == ("cut-off",)
    assert message.size == 16 + 5 * MEGABYTE
    assert message.parts[0].size == mime.MAX_RAW - 16


def test_no_cache_keeps_more_of_a_message_than_a_little() -> None:
    """A cache of thousands of entries must not become one of gigabytes."""
    long = b"a" * 100_000
    mails = [
        *(
            name + b": x@" + long + b"\n\n"
            for name in (b"From", b"To", b"Reply-To", b"Content-Type", b"Message-ID", b"X-A")
        ),
        b"From: x\nReply-To: " + long + b"@a.example\n\n",
        b"Content-Type: text/plain; charset=" + long + b"\n\n\xff",
        b"Content-Disposition: attachment; filename=" + long + b"\n\n",
        b"Subject: =?" + long + b"?q?x?= \xc3\xa9" + long + b"\n\n",
        b"\nhttp://" + long + b" \xc3\xa9" + long,
        b"Content-Type: text/html\n\n<a href='http://" + long + b"'>" + long + b".com</a><" + long + b">",
        long + b": x\n\n",
    ]
    for mail in mails:
        tokenize(parse(mail.replace(b"aaaa", b"bb")))
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for mail in mails:
            tokenize(parse(mail))
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < len(mails) * MOST_KEPT
