"""What every journal promises, whatever it lies on."""

import math
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conformance.conftest import NewJournal, Opener
from tests.store.making import HAM, SPAM, content, digest, lesson, lessons
from thresher.store.journal import ALL, Counts, Entry, Journal, Outcome, Selection, Status
from thresher.values import Label, Lesson

# Each example makes a journal of its own from the factory it shares with the others.
own_journal_each = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


def entry(number: int, given: Lesson) -> Entry:
    said = given.digest, given.label, given.user, given.source, given.time
    return Entry(number, *said, given.score, given.tokenizer, given.after)


def ids(journal: Journal) -> list[int]:
    return [row.id for row in journal.rows()]


def test_a_new_journal_is_empty(journal: Journal) -> None:
    assert content(journal) == {}
    assert list(journal.entries()) == []
    assert list(journal.ended()) == []
    assert journal.labels().ids.tolist() == []
    assert journal.counts() == Counts(0, 0)
    assert (journal.generation(), journal.last_id()) == (0, 0)


def test_a_lesson_comes_back_as_it_was_given(journal: Journal) -> None:
    given = lessons(range(1, 9))
    assert journal.append(given) == [Outcome(Status.LEARNED, number) for number in range(1, 9)]
    assert content(journal) == dict(enumerate(given, 1))


def test_what_is_appended_is_there_for_whoever_opens_the_journal_later(open_journal: Opener) -> None:
    with open_journal() as journal:
        journal.append(lessons(range(5)))
    assert list(content(open_journal()).values()) == lessons(range(5))


def test_appending_nothing_changes_nothing(journal: Journal) -> None:
    assert journal.append([]) == []
    assert journal.last_id() == 0


def test_the_same_lesson_again_counts_once(journal: Journal) -> None:
    first = lesson(1)
    journal.append([first])
    again = msgspec.structs.replace(first, time=5e9, source="/elsewhere")
    assert journal.append([again]) == [Outcome(Status.UNCHANGED, 1, entry(1, first))]
    assert content(journal) == {1: first}
    assert journal.generation() == 0


def test_the_other_label_corrects(journal: Journal) -> None:
    """The old row ends and a new one with a new id stands in its place."""
    first, other = lesson(1, HAM), lesson(1, SPAM, time=2000.0)
    journal.append([first, lesson(2)])
    assert journal.append([other]) == [Outcome(Status.CORRECTED, 3, entry(1, first))]
    assert content(journal) == {2: lesson(2), 3: other}
    assert journal.counts() == Counts(ham=1, spam=1)


def test_a_correction_can_be_corrected_back(journal: Journal) -> None:
    for label in (HAM, SPAM):
        journal.append([lesson(1, label)])
    [outcome] = journal.append([lesson(1, HAM)])
    assert (outcome.status, outcome.id) == (Status.CORRECTED, 3)
    assert journal.counts() == Counts(ham=1, spam=0)


def test_people_may_differ_about_a_message(journal: Journal) -> None:
    said = [lesson(1, HAM, user="ada"), lesson(1, HAM, user="bob"), lesson(1, SPAM, user="eve")]
    assert [outcome.status for outcome in journal.append(said)] == [Status.LEARNED] * 3
    assert list(content(journal).values()) == said


@own_journal_each
@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from([HAM, SPAM]), st.sampled_from("ab")), max_size=12))
def test_one_call_does_what_a_call_for_each_does(new_journal: NewJournal, said: list[tuple[int, Label, str]]) -> None:
    given = [lesson(number, label, user=user, time=float(at)) for at, (number, label, user) in enumerate(said)]
    with new_journal()() as at_once, new_journal()() as one_by_one:
        assert at_once.append(given) == [outcome for each in given for outcome in one_by_one.append([each])]
        assert content(at_once) == content(one_by_one)
        assert list(at_once.ended()) == list(one_by_one.ended())
        assert at_once.position()[1:] == one_by_one.position()[1:]


def test_ids_are_never_used_again(open_journal: Opener) -> None:
    """Not even the newest, and not after the journal was closed: somebody may have followed up to it."""
    with open_journal() as journal:
        journal.append(lessons(range(3)))
        journal.forget(Selection(ids=(3,)))
        assert journal.last_id() == 3
    journal = open_journal()
    [outcome] = journal.append([lesson(2)])
    assert outcome == Outcome(Status.LEARNED, 4)


def test_forgetting_gives_back_what_was_forgotten(journal: Journal) -> None:
    journal.append(lessons(range(1, 5)))
    assert journal.forget(Selection(ids=(2, 4, 99))) == [entry(2, lesson(2)), entry(4, lesson(4))]
    assert ids(journal) == [1, 3]
    assert journal.generation() == 2


def test_forgetting_what_is_not_there_changes_nothing(journal: Journal) -> None:
    journal.append(lessons(range(3)))
    assert journal.forget(Selection(digests=(digest(77),))) == []
    assert journal.generation() == 0
    assert len(ids(journal)) == 3


def test_forgetting_everything_must_be_asked_for(journal: Journal) -> None:
    """A selection that names no condition is more likely a slip than a wish."""
    journal.append(lessons(range(3)))
    with pytest.raises(ValueError, match=r"'\*'"):
        journal.forget(ALL)
    assert len(ids(journal)) == 3
    assert len(journal.forget(Selection(source="*"))) == 3


SELECTIONS: list[tuple[Selection, list[int]]] = [
    (ALL, [1, 2, 3, 4, 5, 6]),
    (Selection(ids=()), []),
    (Selection(ids=(5, 1)), [1, 5]),
    (Selection(digests=()), []),
    (Selection(digests=(digest(2), digest(4), digest(9))), [2, 4]),
    (Selection(user="bob"), [4, 5, 6]),
    (Selection(user=""), []),
    (Selection(since=1002.0), [2, 3, 4, 5, 6]),
    (Selection(until=1002.0), [1]),
    (Selection(since=1002.0, until=1004.0), [2, 3]),
    (Selection(source="/mail/Junk"), [1, 2]),
    (Selection(source="/mail/Junk/"), [1, 2]),
    (Selection(source="/mail/Junk/a"), [1]),
    (Selection(source="/mail"), [1, 2, 3, 4, 6]),
    (Selection(source="/"), [1, 2, 3, 4, 6]),
    (Selection(source="/mail/old.mbox"), [6]),
    (Selection(source="/mail/old.mbox#1"), []),
    (Selection(source="/mail/old"), []),
    (Selection(source="/mail/*/a"), [1, 3, 4]),
    (Selection(source="/mail/Junk?*"), [1, 2, 3]),
    (Selection(source="/mail/[Junk]/a"), [4]),
    (Selection(source="/MAIL"), []),
    (Selection(source=""), [5]),
    (Selection(user="bob", source="/mail"), [4, 6]),
    (Selection(ids=(1, 2, 3), since=1002.0, user="ada"), [2, 3]),
]


def learn_from_many_places(journal: Journal) -> None:
    sources = ["/mail/Junk/a", "/mail/Junk/b", "/mail/Junkyard/a", "/mail/[Junk]/a", "", "/mail/old.mbox#12"]
    users = ["ada", "ada", "ada", "bob", "bob", "bob"]
    journal.append([lesson(n, source=sources[n - 1], user=users[n - 1]) for n in range(1, 7)])


@pytest.mark.parametrize(("selection", "expected"), SELECTIONS, ids=lambda value: repr(value)[:60])
def test_a_selection_means_the_rows_that_meet_all_its_conditions(
    journal: Journal, selection: Selection, expected: list[int]
) -> None:
    """Names match exactly, a folder or an mbox means what lies in it, and a glob matches across folders."""
    learn_from_many_places(journal)
    assert [found.id for found in journal.entries(selection)] == expected


@pytest.mark.parametrize(("selection", "expected"), SELECTIONS[1:], ids=lambda value: repr(value)[:60])
def test_forgetting_deletes_what_is_selected_and_nothing_else(
    journal: Journal, selection: Selection, expected: list[int]
) -> None:
    learn_from_many_places(journal)
    assert [found.id for found in journal.forget(selection)] == expected
    assert ids(journal) == [number for number in range(1, 7) if number not in expected]


def test_thousands_of_messages_can_be_selected_at_once(journal: Journal) -> None:
    journal.append([lesson(number, stream=b"") for number in range(3000)])
    chosen = tuple(digest(number) for number in range(0, 3000, 2))
    assert len(list(journal.entries(Selection(digests=chosen)))) == 1500
    assert len(journal.forget(Selection(digests=chosen))) == 1500
    assert journal.counts() == Counts(ham=1500, spam=0)


def test_what_ended_stays_known_without_content_or_source(journal: Journal) -> None:
    journal.append([lesson(1), lesson(2, SPAM, user="bob")])
    journal.append([lesson(1, SPAM, time=2000.0)])
    journal.forget(Selection(user="bob"), at=3000.0)
    assert [tuple(ended) for ended in journal.ended()] == [
        (1, 1, digest(1), HAM, "ada", 1001.0, 2000.0, True),
        (2, 2, digest(2), SPAM, "bob", 1002.0, 3000.0, False),
    ]
    assert [ended.seq for ended in journal.ended(after=1)] == [2]


def test_the_generation_counts_what_ended(journal: Journal) -> None:
    journal.append(lessons(range(4)))
    assert journal.generation() == 0
    journal.append([lesson(1, SPAM)])
    assert journal.generation() == 1
    journal.forget(Selection(until=1e9))
    assert journal.generation() == 5


def test_a_message_is_found_by_its_digest(journal: Journal) -> None:
    ada, bob = lesson(1, HAM, user="ada"), lesson(1, SPAM, user="bob")
    journal.append([lesson(2), ada, bob])
    assert journal.find(digest(1)) == [(2, ada), (3, bob)]
    assert journal.find(digest(1), user="bob") == [(3, bob)]
    assert journal.find(digest(1), user="eve") == []
    assert journal.find(digest(3)) == []


def test_rows_go_on_after_the_last_one_seen(journal: Journal) -> None:
    journal.append(lessons(range(700)))
    journal.forget(Selection(ids=(1, 300, 700)))
    assert ids(journal) == [number for number in range(1, 701) if number not in {1, 300, 700}]
    assert [row.id for row in journal.rows(after=697)] == [698, 699]
    assert list(journal.rows(after=700)) == []


def test_rows_may_be_read_while_others_write(open_journal: Opener) -> None:
    """Every row that was there all along is seen once; what comes and goes meanwhile does no harm."""
    reader, writer = open_journal(), open_journal()
    reader.append(lessons(range(1000)))
    seen = []
    for number, row in enumerate(reader.rows()):
        seen.append(row.id)
        if number % 100 == 50:
            writer.append(lessons(range(2000 + number, 2010 + number)))
            writer.forget(Selection(ids=(number, 1000 - number // 100)))
            reader.append([lesson(number, SPAM)])
    assert seen == sorted(set(seen))
    assert set(range(1, 900)) <= set(seen)
    assert max(seen) > 1000


def test_a_reader_that_stops_half_way_keeps_nobody_waiting(open_journal: Opener) -> None:
    reader, writer = open_journal(), open_journal()
    reader.append(lessons(range(600)))
    rows = reader.rows()
    next(rows)
    assert len(writer.forget(Selection(source="*"))) == 600
    assert len(list(rows)) < 600


def test_fetched_rows_come_in_the_order_asked(journal: Journal) -> None:
    given = lessons(range(1, 1001))
    journal.append(given)
    journal.forget(Selection(ids=(13,)))
    asked = [*random.Random(5).sample(range(1, 1001), 1000), 13, 0, -4, 7, 7, 10**12]
    expected = [(number, given[number - 1]) for number in asked if number != 13 and 0 < number <= 1000]
    assert list(journal.fetch(np.array(asked))) == expected


def test_labels_are_those_of_the_rows_in_id_order(journal: Journal) -> None:
    journal.append(lessons(range(500)))
    journal.forget(Selection(since=1100.0, until=1200.0))
    journal.append([lesson(7, SPAM), lesson(9, HAM)])
    labels = journal.labels()
    assert labels.ids.dtype == np.int64
    assert labels.is_spam.dtype == np.bool_
    rows = list(journal.rows())
    assert labels.ids.tolist() == [row.id for row in rows]
    assert labels.is_spam.tolist() == [row.lesson.label == SPAM for row in rows]
    assert journal.counts() == Counts(ham=int((~labels.is_spam).sum()), spam=int(labels.is_spam.sum()))


def test_the_data_version_tells_of_changes_by_others(open_journal: Opener) -> None:
    watcher, writer = open_journal(), open_journal()
    versions = [watcher.data_version()]
    for change in (
        lambda: writer.append([lesson(1)]),
        lambda: writer.append([lesson(1, SPAM)]),
        lambda: writer.forget(Selection(source="*")),
    ):
        assert watcher.data_version() == versions[-1]
        change()
        versions.append(watcher.data_version())
    assert len(set(versions)) == len(versions)


def test_a_position_says_whether_reading_on_is_enough(open_journal: Opener) -> None:
    follower, writer = open_journal(), open_journal()
    writer.append(lessons(range(3)))
    seen = follower.position()
    writer.append(lessons(range(3, 5)))
    now = follower.position()
    assert (now.identity, now.generation) == (seen.identity, seen.generation)
    assert [row.id for row in follower.rows(after=seen.last_id)] == [4, 5]
    writer.append([lesson(0, HAM)])
    assert follower.position().generation == seen.generation + 1


def test_two_journals_differ_in_identity(new_journal: NewJournal) -> None:
    assert new_journal()().position().identity != new_journal()().position().identity


@pytest.mark.parametrize(
    "text", ["", "é中🙂", "a\0b", "\udcff\udc80", "\ud800", "'; DROP TABLE lesson; --", "%_*?[", "\n\t", "x" * 100_000]
)
def test_any_text_is_a_name(journal: Journal, text: str) -> None:
    """A path need not be UTF-8; Python then gives it lone surrogates."""
    given = lesson(1, user=text, source=text)
    journal.append([given])
    assert content(journal) == {1: given}
    assert journal.find(digest(1), user=text) == [(1, given)]
    assert journal.append([given])[0].status == Status.UNCHANGED
    assert [found.source for found in journal.entries(Selection(source=text, user=text))] == [text]
    assert len(journal.forget(Selection(user=text))) == 1


@pytest.mark.parametrize(
    "stream", [b"", b"\0", bytes(range(256)), b"a" * 1_000_000, random.Random(3).randbytes(300_000)], ids=len
)
def test_any_bytes_are_a_stream(journal: Journal, stream: bytes) -> None:
    journal.append([lesson(1, stream=stream)])
    assert next(journal.rows()).lesson.stream == stream


@pytest.mark.parametrize("score", [None, 0.0, 1e-300, -745.2, math.inf, -math.inf])
def test_any_score_is_kept_to_the_last_bit(journal: Journal, score: float | None) -> None:
    journal.append([lesson(1, score=score)])
    assert repr(next(journal.entries()).score) == repr(score)


UNFIT = [
    lesson(9, digest=b"short"),
    lesson(9, digest=b"x" * 17),
    msgspec.structs.replace(lesson(9), label="ham or spam"),
    lesson(9, time=math.nan),
    lesson(9, time=math.inf),
    lesson(9, score=math.nan),
]


@pytest.mark.parametrize("unfit", UNFIT, ids=lambda given: repr(given)[:50])
def test_one_lesson_that_cannot_be_kept_refuses_the_whole_call(journal: Journal, unfit: Lesson) -> None:
    with pytest.raises(ValueError, match=r"digest|Label|time|score"):
        journal.append([lesson(1), unfit])
    assert content(journal) == {}
    journal.append([lesson(1)])
    assert ids(journal) == [1]


def test_threads_may_share_a_journal(journal: Journal) -> None:
    def learn(thread: int) -> int:
        own = range(thread * 100, thread * 100 + 100)
        outcomes = [journal.append([lesson(number)])[0] for number in own]
        assert sum(1 for _ in journal.rows()) >= len(own)
        return len({outcome.id for outcome in outcomes})

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(learn, range(4))) == [100] * 4
    assert journal.counts() == Counts(ham=400, spam=0)


def test_a_sound_journal_has_no_problems(journal: Journal) -> None:
    journal.append(lessons(range(300)))
    journal.append([lesson(1, SPAM)])
    journal.forget(Selection(until=1050.0))
    assert journal.integrity_check() == []


@pytest.mark.parametrize(
    "use",
    [
        lambda journal: journal.append([lesson(1)]),
        lambda journal: journal.forget(Selection(ids=(1,))),
        lambda journal: list(journal.rows()),
        lambda journal: journal.position(),
    ],
    ids=["append", "forget", "rows", "position"],
)
def test_a_closed_journal_says_so(journal: Journal, use: Callable[[Journal], object]) -> None:
    journal.close()
    journal.close()
    with pytest.raises(ValueError, match="closed"):
        use(journal)
