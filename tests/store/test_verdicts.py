"""The log of what was judged: bounded, private, paged by key, labelled by the journal."""

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.making import lesson
from thresher.store.journal import Selection
from thresher.store.sqlite import SqliteJournal
from thresher.store.verdict_query import Known, Query, Row, Sort, key_of
from thresher.store.verdict_schema import Judged, doubt
from thresher.store.verdicts import DAY, VerdictLog
from thresher.values import Judgement, Label, Verdict

NOON = 1_800_000_000.0


def message(number: int, *, verdict: Verdict = Verdict.HAM, user: str = "local", **others: object) -> Judged:
    given = {
        "digest": number.to_bytes(16), "judgement": Judgement(verdict, (number % 100) / 100, number / 10),
        "stream": b"body\tword%d\n" % number, "time": NOON + number, "user": user, "via": "milter",
        "sender": f"sender {number % 7}", "subject": f"Subject {number}", "head": b"Subject: x\n\n%d\n" % number,
    }  # fmt: skip
    return Judged(**{**given, **others})  # type: ignore[arg-type]


@pytest.fixture
def log(tmp_path: Path) -> Iterator[VerdictLog]:
    with VerdictLog(tmp_path / "home" / "verdicts.sqlite", "local") as made:
        yield made


def all_of(log: VerdictLog, query: Query) -> list[Row]:
    """Walk through the list page by page."""
    found: list[Row] = []
    after = None
    while page := log.rows(Query(**{**{f: getattr(query, f) for f in query.__struct_fields__}, "after": after})):
        found += page
        after = key_of(page[-1], query.sort)
    return found


def test_only_its_owner_can_read_it(log: VerdictLog, tmp_path: Path) -> None:
    log.add([message(1)])
    files = list((tmp_path / "home").iterdir())
    assert len(files) >= 2
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


@pytest.mark.parametrize("sort", list(Sort))
@pytest.mark.parametrize("ascending", [True, False])
def test_pages_put_together_are_the_whole_list_in_order(log: VerdictLog, sort: Sort, *, ascending: bool) -> None:
    log.add([message(number) for number in range(60)])
    whole = log.rows(Query(sort=sort, ascending=ascending, limit=100))
    assert [row.id for row in all_of(log, Query(sort=sort, ascending=ascending, limit=7))] == [row.id for row in whole]
    keys = [key_of(row, sort) for row in whole]
    assert keys == sorted(keys, reverse=not ascending)
    assert len(whole) == 60


def test_filters_leave_what_fits(log: VerdictLog) -> None:
    log.add([message(number, verdict=Verdict.SPAM if number % 3 else Verdict.HAM) for number in range(30)])
    log.add([message(99, user="ada", subject="Über Größe", folder="Junk")])

    def numbers(**asked: object) -> list[int]:
        return sorted(int.from_bytes(row.digest) for row in log.rows(Query(**asked)))  # type: ignore[arg-type]

    assert numbers(user="ada") == numbers(folder="Junk") == numbers(text="ÜBER grö") == [99]
    assert numbers(user="local", verdict=Verdict.HAM) == list(range(0, 30, 3))
    assert numbers(sender="sender 3", user="local") == [3, 10, 17, 24]
    assert numbers(least=0.05, most=0.07) == [5, 6, 7]
    assert numbers(since=NOON + 28, until=NOON + 30) == [28, 29]
    assert numbers(text="% OR 1=1 --") == []


def test_a_message_judged_again_has_one_row_with_the_last_verdict(log: VerdictLog) -> None:
    first = log.add([message(1), message(2)])
    again = log.add([message(1, verdict=Verdict.SPAM, folder="Junk", time=NOON + 99)])
    assert again == first[:1]
    row = log.row(first[0], None)
    assert row
    assert (row.verdict, row.folder, row.time) == (Verdict.SPAM, "Junk", NOON + 1)
    assert sum(sum(counts) for counts in log.daily(None, 0).values()) == 2


def test_somebody_elses_row_is_none(log: VerdictLog) -> None:
    (number,) = log.add([message(1, user="ada")])
    assert log.row(number, "ada")
    assert log.row(number, "bob") is None
    assert log.by_digest((1).to_bytes(16), "bob") is None
    assert log.newest("bob") == 0


def test_it_keeps_so_many_and_no_more(tmp_path: Path) -> None:
    with VerdictLog(tmp_path / "v.sqlite", "local", kept=50, texts_kept=20) as log:
        for first in range(0, 300, 10):
            ids = log.add([message(number) for number in range(first, first + 10)])
        kept = log.rows(Query(limit=1000))
        assert len(kept) == 50
        newest, old = log.content(ids[-1]), log.content(kept[-1].id)
        assert newest
        assert old
        assert (newest.head, old.head) == (b"Subject: x\n\n299\n", b"")
        assert old.stream == b"body\tword250\n"
        assert log.content(1) is None
        assert sum(sum(counts) for counts in log.daily(None, 0).values()) == 300, "counts by day outlive the rows"


def test_lessons_given_elsewhere_label_its_messages(log: VerdictLog, tmp_path: Path) -> None:
    log.add([message(1, verdict=Verdict.SPAM), message(2), message(3, user="ada")])
    with SqliteJournal(tmp_path / "journal.sqlite") as journal:
        journal.append(
            [lesson(n, label, digest=n.to_bytes(16), user="local") for n, label in enumerate((Label.HAM,) * 3, 1)]
        )
        while log.follow(journal, most=2):
            pass
        labelled = {int.from_bytes(row.digest): (row.label, row.doubt) for row in log.rows(Query())}
        assert labelled == {1: (Label.HAM, 2.0), 2: (Label.HAM, 0.0), 3: (Label.HAM, 0.0)}
        assert [row.id for row in log.rows(Query(sort=Sort.MISTAKES, limit=1))] == [1]
        journal.forget(Selection(digests=((1).to_bytes(16),)))
        journal.append([lesson(9, Label.SPAM, digest=(2).to_bytes(16), user="local")])
        log.follow(journal)
        labels = {int.from_bytes(row.digest): row.label for row in log.rows(Query())}
        assert labels == {1: None, 2: Label.SPAM, 3: Label.HAM}
        assert [row.id for row in log.rows(Query(known=Known.NOTHING))] == [1]
        assert log.follow(journal) == 0


def test_another_persons_lesson_labels_only_their_own_mail(log: VerdictLog) -> None:
    log.add([message(1), message(1, user="ada")])
    log.label((1).to_bytes(16), "ada", Label.SPAM)
    assert {row.user: row.label for row in log.rows(Query())} == {"local": None, "ada": Label.SPAM}


def test_the_random_sample_is_drawn_whatever_is_known_of_a_message(log: VerdictLog) -> None:
    log.add([message(number, label=Label.HAM) for number in range(200)])
    log.add([message(number) for number in range(200, 400)])
    log.draw(None, 5, 0)
    drawn = log.rows(Query(sampled=True, limit=500))
    assert sum(row.label is None for row in drawn) == 5
    sample = log.sample(None, 0)
    assert sample.drawn == len(drawn)
    # Were only what nobody has labelled drawn, mistakes that were corrected could not be counted.
    log.draw(None, 60, 0)
    assert log.sample(None, 0).ham > 0


def test_the_sample_tells_errors(log: VerdictLog) -> None:
    log.add([message(1, verdict=Verdict.SPAM), message(2), message(3, verdict=Verdict.UNSURE)])
    log.draw(None, 3, 0)
    for number, label in ((1, Label.HAM), (2, Label.SPAM), (3, Label.HAM)):
        log.label(number.to_bytes(16), "local", label)
    assert log.sample(None, 0) == (3, 2, 1, 1, 1)


def test_days_and_sources_are_counted(log: VerdictLog) -> None:
    log.add([message(1, time=NOON), message(2, time=NOON + DAY, verdict=Verdict.SPAM, folder="Junk")])
    day = int(NOON // DAY)
    assert log.daily(None, 0) == {day: [1, 0, 0], day + 1: [0, 0, 1]}
    assert log.daily(None, NOON + DAY) == {day + 1: [0, 0, 1]}
    assert [(source.folder, source.messages) for source in log.sources("local")] == [("Junk", 1), ("", 1)]
    assert log.folders(None) == ["Junk"]


@given(st.text(), st.text(), st.binary(max_size=100))
def test_any_text_can_be_kept_and_searched(sender: str, text: str, head: bytes) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder, VerdictLog(Path(folder) / "v.sqlite", "local") as log:
        (number,) = log.add([message(1, sender=sender + "\udc80", subject=text, head=head)])
        content = log.content(number)
        assert content
        assert content.head == head
        assert [row.id for row in log.rows(Query(text=text))] == [number]


@given(st.sampled_from(list(Verdict)), st.floats(0, 1))
def test_known_mistakes_come_before_all_doubt(verdict: Verdict, probability: float) -> None:
    assert 0 <= doubt(verdict, probability, None) <= 1
    if verdict is not Verdict.UNSURE:
        wrong = Label.HAM if verdict is Verdict.SPAM else Label.SPAM
        assert doubt(verdict, probability, wrong) > 1
