"""The demo mail is deterministic, labelled, lazy, standard, of many kinds, and nobody's but ours."""

import email
import itertools
import random
import re
import tracemalloc
from collections import Counter
from email.header import decode_header, make_header
from email.message import Message
from email.utils import parsedate_to_datetime

import pytest

from thresher.demo import START, DemoMessage, messages
from thresher.values import Label

HAM = [
    "family",
    "friend",
    "work",
    "thread",
    "short-note",
    "photos",
    "stranger",
    "forward",
    "scan",
    "invitation",
    "newsletter",
    "news-digest",
    "receipt",
    "parcel-notice",
    "account-notice",
    "bank-notice",
    "forum-notice",
    "list",
    "patch",
    "cron",
    "bounce",
]
SPAM = [
    "pharma",
    "counterfeit",
    "dating",
    "investment",
    "prize",
    "seo",
    "bulk-newsletter",
    "image-only",
    "hidden-text",
    "obfuscated",
    "one-liner",
    "sloppy",
    "phishing-bank",
    "phishing-parcel",
    "phishing-account",
    "phishing-mailbox",
    "invoice",
    "malware",
    "advance-fee",
    "business-compromise",
    "blackmail",
    "job-offer",
    "hijacked-thread",
    "backscatter",
]
CHARSETS = [
    "us-ascii",
    "utf-8",
    "iso-8859-1",
    "iso-8859-15",
    "windows-1252",
    "koi8-r",
    "windows-1251",
    "iso-8859-7",
    "iso-2022-jp",
    "shift_jis",
    "gb2312",
    "gb18030",
    "big5",
    "iso-8859-6",
]
SCRIPTS = {"Greek": "[α-ω]{4}", "Cyrillic": "[а-я]{4}", "kana": "[ぁ-ん]{2}", "Han": "[一-龥]{3}", "Arabic": "[ا-ي]{3}"}
# RFC 2606 and 6761; hosts without a dot are machines of the owner's and noise in forged Message-IDs.
RESERVED = re.compile(r"(?:[a-z0-9_-]+\.)*(?:[a-z0-9-]+\.(?:example|test)|example\.(?:com|net|org))|[a-z0-9_-]+")
# RFC 5737 and 3849.
DOCUMENTATION = re.compile(r"(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d{1,3}")
REAL_DOMAIN = re.compile(
    r"(?i)\b[a-z0-9-]+\.(?:com|net|org|info|biz|io|edu|gov|de|uk|fr|es|ru|cn|jp|br|gr|eu)(?![\w.-]*\w)"
)
COUNT = 6_000


@pytest.fixture(scope="module")
def many() -> list[DemoMessage]:
    return list(messages(COUNT, 3))


@pytest.fixture(scope="module")
def parsed(many: list[DemoMessage]) -> list[tuple[DemoMessage, Message]]:
    return [(one, email.message_from_bytes(one.raw)) for one in many]


def texts(message: Message) -> list[str]:
    """Return the texts of a message, decoded strictly as they declare themselves."""
    found = []
    for part in message.walk():
        if part.get_content_maintype() == "text" and not part.is_multipart():
            payload = part.get_payload(decode=True)
            assert isinstance(payload, bytes)
            found.append(payload.decode(part.get_content_charset() or "ascii"))
    return found


def header(message: Message, name: str) -> str:
    return str(make_header(decode_header(str(message.get(name, "")))))


def readable(message: Message) -> str:
    return "\n".join([header(message, "Subject"), header(message, "From"), *texts(message)])


def test_the_same_seed_gives_the_same_messages_again() -> None:
    assert list(messages(150, 5)) == list(messages(150, 5))


def test_another_seed_gives_other_messages() -> None:
    first, second = ({one.raw for one in messages(100, seed)} for seed in (5, 6))
    assert not first & second


def test_fewer_messages_are_the_beginning_of_more() -> None:
    assert list(messages(120, 7)) == list(itertools.islice(messages(10**9, 7), 120))


def test_generators_running_side_by_side_do_not_disturb_each_other() -> None:
    apart = [list(messages(80, seed)) for seed in (1, 2)]
    pairs = list(zip(messages(80, 1), messages(80, 2), strict=True))
    assert [list(side) for side in zip(*pairs, strict=True)] == apart


def test_the_state_of_pythons_own_random_numbers_is_neither_used_nor_changed() -> None:
    random.seed(1)
    before = random.getstate()
    first = list(messages(30, 1))
    assert random.getstate() == before
    random.seed(2)
    assert list(messages(30, 1)) == first


def test_messages_are_made_one_by_one_however_many_are_asked_for() -> None:
    assert next(messages(10**12, 1)) == next(messages(1, 1))


def test_memory_does_not_grow_with_the_number_of_messages() -> None:
    stream = messages(12_000, 9)
    for _ in itertools.islice(stream, 10_000):
        pass
    tracemalloc.start()
    try:
        written = sum(len(one.raw) for one in stream)
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert written > 3_000_000
    assert kept < 500_000


def test_two_messages_in_five_are_spam_unless_asked_otherwise(many: list[DemoMessage]) -> None:
    assert sum(one.label is Label.SPAM for one in many) / COUNT == pytest.approx(0.4, abs=0.02)


@pytest.mark.parametrize(("share", "labels"), [(0.0, {Label.HAM}), (1.0, {Label.SPAM})])
def test_the_share_of_spam_can_be_none_and_all(share: float, labels: set[Label]) -> None:
    assert {one.label for one in messages(200, 1, spam_share=share)} == labels


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_a_share_that_is_none_is_refused_at_once(share: float) -> None:
    with pytest.raises(ValueError, match="share"):
        messages(1, 1, spam_share=share)


def test_every_kind_of_ham_and_spam_appears_under_its_label(many: list[DemoMessage]) -> None:
    kinds: dict[Label, set[str]] = {Label.HAM: set(), Label.SPAM: set()}
    for one in many:
        kinds[one.label].add(one.kind)
    assert kinds == {Label.HAM: set(HAM), Label.SPAM: set(SPAM)}


def test_messages_come_in_the_order_of_their_time(many: list[DemoMessage]) -> None:
    times = [one.time for one in many]
    assert times == sorted(times)
    assert times[0] >= START


def test_the_date_says_when_the_message_was_sent(parsed: list[tuple[DemoMessage, Message]]) -> None:
    dated = [(one, message) for one, message in parsed if message["Date"]]
    assert len(dated) > 0.97 * COUNT
    assert all(parsedate_to_datetime(message["Date"]).timestamp() == int(one.time) for one, message in dated)


def test_a_standard_reader_finds_no_defect_but_in_sloppy_bulk_mail(parsed: list[tuple[DemoMessage, Message]]) -> None:
    flawed = Counter(one.kind for one, message in parsed for part in message.walk() if part.defects)
    assert set(flawed) == {"sloppy"}


def test_every_text_can_be_read_in_the_charset_it_declares(parsed: list[tuple[DemoMessage, Message]]) -> None:
    assert sum(bool(texts(message)) for _, message in parsed) == COUNT


def test_lines_end_with_lf_and_are_no_longer_than_mail_allows(many: list[DemoMessage]) -> None:
    for one in many:
        assert b"\r" not in one.raw
        assert b"\0" not in one.raw
        assert one.raw.endswith(b"\n")
        assert max(map(len, one.raw.split(b"\n"))) <= 998


def test_what_is_said_to_be_seven_bit_is(parsed: list[tuple[DemoMessage, Message]]) -> None:
    checked = 0
    for one, message in parsed:
        encodings = {part.get("Content-Transfer-Encoding", "7bit") for part in message.walk()}
        if "8bit" not in encodings and one.kind != "sloppy":
            checked += 1
            assert one.raw.isascii()
    assert checked > COUNT / 2


def test_many_charsets_and_all_transfer_encodings_are_in_use(parsed: list[tuple[DemoMessage, Message]]) -> None:
    parts = [part for _, message in parsed for part in message.walk()]
    assert {part.get_content_charset() for part in parts} >= set(CHARSETS)
    encodings = {part["Content-Transfer-Encoding"] for part in parts}
    assert encodings - {None} == {"7bit", "8bit", "quoted-printable", "base64"}


@pytest.mark.parametrize("label", Label)
def test_both_classes_write_in_many_scripts(parsed: list[tuple[DemoMessage, Message]], label: Label) -> None:
    said = "\n".join(readable(message) for one, message in parsed if one.label is label)
    assert [name for name, form in SCRIPTS.items() if not re.search(form, said)] == []


def test_every_host_and_address_is_reserved_for_examples(parsed: list[tuple[DemoMessage, Message]]) -> None:
    hosts: set[str] = set()
    for _, message in parsed:
        known = "\n".join([f"{name}: {value}" for name, value in message.items()] + texts(message)).lower()
        # Calendars fold their lines anywhere.
        known = known.replace("\n ", "")
        hosts.update(re.findall(r"(?:https?://|[a-z0-9_.+-]@)([a-z0-9._-]*[a-z0-9])", known))
        for trace in message.get_all("Received", []):
            hosts.update(re.findall(r"(?:from|by|\() ?([a-z0-9._-]*[a-z0-9]) (?:\[|\(|with)", trace.lower()))
    dotted = {host for host in hosts if "." in host}
    wrong = {host for host in dotted if not RESERVED.fullmatch(host) and not DOCUMENTATION.fullmatch(host)}
    assert wrong == set()
    assert len(dotted) > 1_000


def test_no_name_with_a_real_ending_appears_but_the_reserved_three(parsed: list[tuple[DemoMessage, Message]]) -> None:
    found: set[str] = set()
    for _, message in parsed:
        known = "\n".join([f"{name}: {value}" for name, value in message.items()] + texts(message))
        found.update(match.group().lower() for match in REAL_DOMAIN.finditer(known))
    assert found == {"example.com", "example.net", "example.org"}


def test_every_number_that_looks_like_an_address_is_reserved_for_documentation(
    parsed: list[tuple[DemoMessage, Message]],
) -> None:
    traces = "\n".join(value for _, message in parsed for value in message.get_all("Received", []))
    assert {ip for ip in re.findall(r"\[(\d+\.[\d.]+)\]", traces) if not DOCUMENTATION.fullmatch(ip)} == set()
    assert set(re.findall(r"\[IPv6:(\w+:\w+):", traces)) == {"2001:db8"}


def test_an_answer_names_a_message_that_came_before(parsed: list[tuple[DemoMessage, Message]]) -> None:
    seen: set[str] = set()
    answers = 0
    for _, message in parsed:
        parent = str(message.get("In-Reply-To", "")).strip()
        if parent:
            answers += 1
            assert parent in seen
            assert message["References"].split()[-1] == parent
        seen.add(str(message["Message-ID"]).strip())
    assert answers > 300


def test_a_person_writes_from_one_address_with_one_program(parsed: list[tuple[DemoMessage, Message]]) -> None:
    programs: dict[str, set[str]] = {}
    for one, message in parsed:
        if one.kind in {"family", "friend"}:
            program = str(message["User-Agent"] or message["X-Mailer"])
            programs.setdefault(str(message["From"]), set()).add(program)
    assert len(programs) > 20
    assert all(len(used) == 1 for used in programs.values())


def test_two_messages_hardly_ever_say_the_same(parsed: list[tuple[DemoMessage, Message]]) -> None:
    bodies = Counter(body for _, message in parsed for body in texts(message)[:1] if len(body) > 80)
    assert sum(times - 1 for times in bodies.values()) <= 0.002 * COUNT


def test_spam_hides_words_in_every_way_it_is_known_for(parsed: list[tuple[DemoMessage, Message]]) -> None:
    said = "\n".join(readable(message) for one, message in parsed if one.label is Label.SPAM)
    assert re.search("[a-z][\u200b\u200c\u200d\u00ad\u2060]+[a-z]", said), "invisible characters"
    assert re.search("[a-z][асеорхуѕі][a-z]", said), "letters of other scripts"
    assert re.search(r"\b[a-z] [a-z] [a-z] [a-z] [a-z]\b", said), "letters apart"
    assert re.search(r"\b[a-z]+[0135$@][a-z]+[0135$@][a-z]+\b", said), "digits for letters"


def test_phishing_shows_another_host_than_it_leads_to(parsed: list[tuple[DemoMessage, Message]]) -> None:
    form = re.compile(r'<a\s+href="https?://([^/"]+)[^>]*>\s*https?://([^/<]+)')
    pairs = [
        pair
        for one, message in parsed
        if one.kind.startswith("phishing")
        for text in texts(message)
        for pair in form.findall(text)
    ]
    assert sum(leads != shown for leads, shown in pairs) > 50


@pytest.mark.parametrize(
    ("what", "form"),
    [
        ("tracking pixels", r'width="1"\s+height="1"'),
        ("hidden text", r"display:none"),
        ("offers", r"\d+ ?%"),
        ("ways out", r"(?i)unsubscribe"),
    ],
)
def test_newsletters_and_spam_share_their_tricks(
    parsed: list[tuple[DemoMessage, Message]], what: str, form: str
) -> None:
    labels = {one.label for one, message in parsed if any(re.search(form, text) for text in texts(message))}
    assert labels == set(Label), what


def test_pictures_documents_archives_and_programs_are_attached(parsed: list[tuple[DemoMessage, Message]]) -> None:
    kinds = {part.get_content_type() for _, message in parsed for part in message.walk()}
    assert kinds >= {
        "application/pdf",
        "application/zip",
        "application/x-msdownload",
        "image/jpeg",
        "image/png",
        "message/delivery-status",
        "message/rfc822",
        "multipart/related",
        "multipart/report",
        "text/calendar",
    }


def test_a_plain_learner_errs_at_first_and_gets_better(parsed: list[tuple[DemoMessage, Message]]) -> None:
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB

    pages = [readable(message) for _, message in parsed]
    spam = [one.label is Label.SPAM for one, _ in parsed]

    def error(taught: int) -> float:
        words = CountVectorizer()
        learner = MultinomialNB().fit(words.fit_transform(pages[:taught]), spam[:taught])
        told = learner.predict(words.transform(pages[taught : taught + 1000]))
        return sum(bool(told) is not truth for told, truth in zip(told, spam[taught:], strict=False)) / 1000

    early, late = error(100), error(4000)
    assert 0.005 < late < 0.1
    assert early > 1.5 * late
