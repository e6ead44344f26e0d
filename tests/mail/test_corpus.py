"""Odd messages of our own, each in a file named after its oddity, and what is read of each.

A case says which defects are found, which leaves the message has, and which words stand in a field; a word after a
minus must not stand there. Every message is read with LF and with CRLF, and gives the same.
"""

from pathlib import Path
from typing import NamedTuple

import pytest

from tests.mail.reading import assert_bounded, normal, words_of
from thresher.mail.mime import parse
from thresher.mail.stream import tokenize

CORPUS = Path(__file__).parents[1] / "corpus"
FORMS = {"LF": b"\n", "CRLF": b"\r\n"}
LETTER = "dear ben tulips coffee"
SUBJECT = "the garden on saturday"
PARTS = "plain tulips marked"
RUSSIAN = "привет саду цветут тюльпаны приходи субботу кофе"
CHINESE = "花园 郁金 金香 星期 咖啡"
TAIWANESE = "花園 鬱金 金香 星期 咖啡"
JAPANESE = "友だ 庭の チュ ーリ 土曜 コー ヒー"
KOREAN = "친구 정원 튤립 토요 커피"


class Case(NamedTuple):
    """What is read of one message."""

    defects: str = ""
    """All of them, between blanks."""
    parts: str = "text/plain"
    """The content types of the leaves, in order."""
    subject: str | None = SUBJECT
    """All words of the subject; None where there must be none."""
    body: str = LETTER
    attachment: str = ""
    more: str = ""
    """Words of other fields: `x-mailer:rake`."""


CASES: dict[str, Case] = {
    # What there is of headers and body.
    "empty": Case("no-headers", subject=None, body=""),
    "only-a-line-break": Case("no-headers", subject=None, body=""),
    "only-headers": Case(body=""),
    "only-headers-without-final-line-break": Case(body=""),
    "no-headers-at-all": Case("no-blank-line-after-headers no-headers", subject=None, body="the tulips are out ann"),
    "no-headers-after-a-blank-line": Case("no-headers", subject=None, body="the tulips are out"),
    "missing-blank-line-after-headers": Case(
        "no-blank-line-after-headers", body="the tulips are out second paragraph with a colon"
    ),
    "header-without-colon": Case("no-blank-line-after-headers", subject=None, body=f"this line has none {LETTER}"),
    "header-name-with-blanks-inside": Case("no-blank-line-after-headers", subject=None, body=f"not name {LETTER}"),
    "first-line-is-a-continuation": Case(
        "no-blank-line-after-headers no-headers", subject=None, body=f"header that is lost miller {LETTER}"
    ),
    "blank-before-colon": Case(more="x-mailer:rake"),
    "folded-headers": Case(more="x-mailer:rake"),
    "header-folded-over-a-line-of-blanks": Case(),
    "duplicate-headers": Case(subject=f"{SUBJECT} a second subject", more="content-type:html from:ann from:carl"),
    "headers-in-capitals": Case(body="café"),
    "very-long-header": Case(subject="the garden gate gat"),
    "very-long-line": Case(body="tulip -daffodil"),
    "mbox-from-line": Case("mbox-from-line", more="message:-defect:mbox-from-line"),
    "mbox-from-line-quoted": Case("mbox-from-line", body=f"{LETTER} from here one sees the lake"),
    "mark-of-utf-8-before-the-headers": Case("byte-order-mark"),
    "nul-bytes": Case("nul-bytes", body="dear ben the tulips are out"),
    "binary-junk": Case(
        "no-blank-line-after-headers no-headers undeclared-8-bit nul-bytes",
        subject=None,
        body="",
        more="message:parts:1",
    ),
    "verdicts-of-filters": Case(
        more="message:-zzverdict x-spam-status:-yes x-spam-flag:-yes x-bogosity:-spam x-rspamd-action:-zzverdict "
        "x-spamd-result:-zzverdict x-thresher:-spam"
    ),
    # Headers in 8 bits.
    "eight-bit-headers-in-utf-8": Case("8-bit-header", subject="grüsse aus dem garten"),
    "eight-bit-headers-in-latin-1": Case("8-bit-header", subject="grüsse vom café", more="x-place:café"),
    "eight-bit-headers-in-koi8-r": Case("8-bit-header", subject="приглашение в сад", more="x-note:кофе"),
    "eight-bit-headers-in-gb2312": Case(
        "8-bit-header", subject="星期 期六 六在 在我 我们 们的 的花 花园 园里 里喝 喝咖 咖啡"
    ),
    "iso-2022-jp-in-a-header": Case("undeclared-iso-2022-jp", subject="庭で でコ コー ーヒ ヒー"),
    # Encoded words.
    "encoded-words": Case(subject="grüsse aus köln"),
    "encoded-words-adjacent": Case(subject="gartenfest für alle"),
    "encoded-word-split-inside-a-character": Case(subject="雪と と庭", more="x-name:café"),
    "encoded-word-without-end": Case("broken-encoded-word", subject="utf-8 q gr c3 bc 9fe from the garden"),
    "encoded-word-of-an-unknown-charset": Case("unknown-charset", subject="garden café"),
    "encoded-word-of-a-codec-that-is-no-charset": Case("unknown-charset", subject="tneqra a xn--caf-dma b x41"),
    "encoded-word-of-bad-base64": Case("broken-base64", subject="garden party"),
    "encoded-word-with-a-language": Case(subject="grüsse"),
    "encoded-word-that-hides-line-ends": Case(subject="hello body injected"),
    "encoded-word-in-a-display-name": Case(more="from:café from:miller from:address:ann@example.org"),
    # Parameters.
    "file-name-in-rfc-2231-with-charset": Case(
        parts="text/plain application/pdf", body="see below", attachment="menu déjeuner ending:pdf"
    ),
    "file-name-in-rfc-2231-continued": Case(
        parts="text/plain application/pdf", body="see below", attachment="menu déjeuner ending:pdf"
    ),
    "file-name-in-rfc-2231-broken": Case(
        parts="text/plain application/pdf", body="see below", attachment="utf-8'menu%2%zz ending:pdf"
    ),
    "file-name-in-an-encoded-word": Case(
        parts="text/plain application/pdf", body="see below", attachment="menu déjeuner ending:pdf"
    ),
    "file-name-with-blanks-and-no-quotes": Case(
        parts="text/plain application/pdf", body="see below", attachment="menu for saturday ending:pdf"
    ),
    "file-name-with-a-path-and-quotes": Case(
        parts="text/plain application/pdf", body="see below", attachment="c menus the new one ending:pdf"
    ),
    "file-name-with-two-endings": Case(
        parts="text/plain application/octet-stream", body="see below", attachment="invoice pdf ending:exe double-ending"
    ),
    "file-name-in-an-undeclared-charset": Case(
        parts="text/plain application/pdf", body="see below", attachment="меню субботы ending:pdf"
    ),
    # Multiparts and messages within.
    "nested-multipart": Case(
        parts="text/plain text/html image/png",
        body=f"{PARTS} -readers -comes",
        attachment="tulips ending:png type:image/png",
    ),
    "wrong-boundary": Case("wrong-boundary", "text/plain text/html", body=f"{PARTS} -boundary -other"),
    "missing-boundary-parameter": Case("no-boundary", "text/plain text/html", body=f"{PARTS} -lost"),
    "missing-end-boundary": Case(parts="text/plain text/html", body=PARTS),
    "multipart-without-any-boundary": Case("no-boundary", body="there are tulips here no parts"),
    "boundary-that-begins-another": Case(parts="text/plain text/html text/plain", body=f"{PARTS} afterwards"),
    "boundary-of-odd-characters": Case(body="plain tulips"),
    "part-without-headers": Case(body="plain tulips"),
    "part-without-a-blank-line": Case("no-blank-line-after-headers", "text/html", body="marked tulips"),
    "empty-parts": Case(parts="text/plain text/plain text/plain", body="", more="message:no-text"),
    "message-in-a-message": Case(
        parts="text/plain message/rfc822 text/html",
        subject="fwd tulips",
        body="see below carl blumenmärkte forwarded",
        attachment="type:message/rfc822 tulips ending:eml",
    ),
    "message-in-a-message-in-base64": Case(
        parts="message/rfc822 text/plain", subject="fwd tulips", body="carl market forwarded tulips"
    ),
    "message-twelve-messages-deep": Case("too-deep", " ".join(["message/rfc822"] * 9), body="deep tulips"),
    "multipart-twelve-levels-deep": Case("too-deep", body="deep tulips"),
    # Transfer encodings.
    "base64-truncated": Case("truncated-base64", body="the tulips are out come and see them to"),
    "base64-with-junk-inside": Case("broken-base64", body="the tulips are out"),
    "base64-without-line-breaks": Case(body="the tulips are out"),
    "base64-in-pieces-each-padded": Case(body="the tulips are out come over"),
    "base64-after-stray-padding": Case(body="the tulips are out"),
    "base64-followed-by-text": Case("text-after-base64", body="the tulips are out gardeners' list", more="url:tld:org"),
    "base64-followed-by-text-after-padding": Case("text-after-base64", body="the tulips are out gardeners' list"),
    "base64-that-is-plain-text": Case("text-after-base64", body="the tulips are out come and see them"),
    "quoted-printable-soft-breaks": Case(body="the tulips are out café at four and cake"),
    "quoted-printable-broken": Case("undeclared-8-bit", body="100 tulips and daffodils"),
    "uuencoded-text-left-alone": Case(body="begin 644 tulips txt end -garden"),
    "transfer-encoding-unknown": Case("unknown-transfer-encoding", body="the tulips are out"),
    "transfer-encoding-with-a-comment": Case(body="the tulips are out"),
    # Content types.
    "content-type-without-slash": Case("no-media-type", body="the tulips are out"),
    "content-type-without-semicolon": Case(parts="text/html", body="the tulips of the café"),
    "content-type-of-eight-bits": Case("8-bit-header", parts="t\ufffdxt/plain", body="-tulips"),
    # Charsets: declared, lying, undeclared.
    "charset-lies-utf-8-named-latin-1": Case("lying-charset", body="grüsse vom café"),
    "charset-lies-latin-1-named-utf-8": Case("lying-charset", body="grüsse vom café"),
    "charset-lies-eight-bits-named-ascii": Case("lying-charset", body="привет в саду цветут тюльпаны"),
    "charset-unknown": Case("unknown-charset", body="grüsse vom café"),
    "charset-in-quotes-and-capitals": Case(body="саду цветут тюльпаны"),
    "latin-1-undeclared": Case("undeclared-8-bit", body="das café hat für alle geöffnet voilà"),
    "koi8-r-undeclared": Case("undeclared-8-bit", body=RUSSIAN),
    "windows-1251-undeclared": Case("undeclared-8-bit", body=RUSSIAN),
    "gb18030": Case(body=f"{CHINESE} \U00020000"),
    "gb2312-undeclared": Case("undeclared-8-bit", body=CHINESE),
    "big5": Case(body=TAIWANESE),
    "big5-undeclared": Case("undeclared-8-bit", body=TAIWANESE),
    "iso-2022-jp": Case(body=JAPANESE),
    "iso-2022-jp-undeclared": Case("undeclared-iso-2022-jp", body=JAPANESE),
    "shift-jis-undeclared": Case("undeclared-8-bit", body=JAPANESE),
    "euc-jp-undeclared": Case("undeclared-8-bit", body=JAPANESE),
    "euc-kr-undeclared": Case("undeclared-8-bit", body=KOREAN),
    "utf-7": Case(body="grüsse vom café garden tea"),
    "utf-7-that-hides-line-ends": Case(body="hello subject injected", more="subject:-injected"),
    "utf-8-cut-inside-a-character": Case(body="grüsse vom caf"),
    "utf-8-with-mark": Case(body="grüsse vom café", more="message:-invisible-characters"),
    "utf-16-declared": Case(body="dear ben tulips grüsse"),
    "utf-16-declared-without-mark": Case(body="dear ben tulips grüsse"),
    "utf-16-with-mark-undeclared": Case(body="dear ben tulips grüsse"),
    "utf-16-undeclared": Case("undeclared-utf-16", body="dear ben tulips grüsse"),
    "utf-16-of-the-whole-message": Case("byte-order-mark"),
}


def read(name: str, form: str) -> bytes:
    raw = (CORPUS / f"{name}.eml").read_bytes()
    return raw.replace(b"\n", FORMS[form])


def assert_words(found: set[str], wanted: str) -> None:
    for word in wanted.split():
        if word.startswith("-"):
            assert word[1:] not in found
        else:
            assert word in found


def test_every_message_has_its_case_and_every_case_its_message() -> None:
    assert sorted(path.name for path in CORPUS.iterdir()) == sorted(f"{name}.eml" for name in CASES)
    assert len(CASES) > 100


def test_the_files_have_the_line_ends_of_unix() -> None:
    assert [name for name in CASES if b"\r" in read(name, "LF")] == []


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", CASES)
def test_an_odd_message_is_read_as_far_as_it_goes(name: str, form: str) -> None:
    case = CASES[name]
    message = parse(read(name, form))
    found = words_of(message)
    assert set(message.defects) == set(case.defects.split())
    assert [part.content_type for part in message.parts] == case.parts.split()
    assert found["subject"] == set((case.subject or "").split())
    assert_words(found["body"], case.body)
    assert_words(found["attachment"], case.attachment)
    for entry in case.more.split():
        field, _, word = entry.partition(":")
        if word.startswith("-"):
            assert word[1:] not in found[field]
        else:
            assert word in found[field]
    assert_bounded(message, tokenize(message))


@pytest.mark.parametrize("name", CASES)
def test_line_ends_make_no_difference(name: str) -> None:
    streams = [normal(tokenize(parse(read(name, form)))) for form in FORMS]
    assert streams[0] == streams[1]
