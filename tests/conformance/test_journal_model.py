"""Any sequence of lessons, corrections, forgetting and reopening leaves the journal as it leaves a plain dict."""

from collections.abc import Callable

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from tests.conformance.conftest import NewJournal, Opener
from tests.store.making import HAM, SPAM, digest, lesson
from thresher.store.journal import Counts, Journal, Selection, Status
from thresher.values import Lesson

users = st.sampled_from(["ada", "bob"])
numbers = st.integers(0, 7)
given_lessons = st.builds(
    lambda number, label, user, at: lesson(number, label, user=user, time=float(at), source=f"/{at % 3}/{number}"),
    numbers,
    st.sampled_from([HAM, SPAM]),
    users,
    st.integers(0, 20),
)
Condition = Callable[[int, Lesson], bool]
selections: st.SearchStrategy[tuple[Selection, Condition]] = st.one_of(
    st.builds(
        lambda wanted: (Selection(digests=tuple(wanted)), lambda _, kept: kept.digest in wanted),
        st.lists(numbers.map(digest), max_size=3),
    ),
    st.builds(lambda user: (Selection(user=user), lambda _, kept: kept.user == user), users),
    st.builds(
        lambda since, length: (
            Selection(since=float(since), until=float(since + length)),
            lambda _, kept: since <= kept.time < since + length,
        ),
        st.integers(0, 20),
        st.integers(0, 10),
    ),
    st.builds(
        lambda folder: (Selection(source=f"/{folder}"), lambda _, kept: kept.source.startswith(f"/{folder}/")),
        st.integers(0, 3),
    ),
    st.builds(lambda wanted: (Selection(ids=tuple(wanted)), lambda at, _: at in wanted), st.sets(st.integers(0, 30))),
)


class Model(RuleBasedStateMachine):
    """The journal beside a dict from id to lesson."""

    def __init__(self, new_journal: NewJournal) -> None:
        super().__init__()
        self.new_journal = new_journal

    @initialize()
    def begin(self) -> None:
        self.open: Opener = self.new_journal()
        self.journal: Journal = self.open()
        self.kept: dict[int, Lesson] = {}
        self.last = 0
        self.ended: list[int] = []

    @rule(given=st.lists(given_lessons, max_size=5))
    def append(self, given: list[Lesson]) -> None:
        expected = [self.learn(each) for each in given]
        assert [(outcome.status, outcome.id) for outcome in self.journal.append(given)] == expected

    def learn(self, given: Lesson) -> tuple[Status, int]:
        said = [at for at, kept in self.kept.items() if (kept.digest, kept.user) == (given.digest, given.user)]
        if said and self.kept[said[0]].label == given.label:
            return Status.UNCHANGED, said[0]
        for at in said:
            self.end(at)
        self.last += 1
        self.kept[self.last] = given
        return (Status.CORRECTED if said else Status.LEARNED), self.last

    def end(self, at: int) -> None:
        del self.kept[at]
        self.ended.append(at)

    @rule(chosen=selections)
    def forget(self, chosen: tuple[Selection, Condition]) -> None:
        selection, meets = chosen
        expected = [at for at, kept in self.kept.items() if meets(at, kept)]
        for at in expected:
            self.end(at)
        assert [entry.id for entry in self.journal.forget(selection)] == expected

    @rule()
    def reopen(self) -> None:
        self.journal.close()
        self.journal = self.open()

    @rule()
    def let_another_process_go_on(self) -> None:
        self.journal = self.open()

    @rule(number=numbers, user=users)
    def find(self, number: int, user: str) -> None:
        expected = [(at, kept) for at, kept in self.kept.items() if (kept.digest, kept.user) == (digest(number), user)]
        assert self.journal.find(digest(number), user) == expected

    @rule(asked=st.lists(st.integers(0, 30), max_size=10))
    def fetch(self, asked: list[int]) -> None:
        assert list(self.journal.fetch(asked)) == [(at, self.kept[at]) for at in asked if at in self.kept]

    @invariant()
    def agree(self) -> None:
        assert list(self.journal.rows()) == list(self.kept.items())
        assert [ended.id for ended in self.journal.ended()] == self.ended
        assert self.journal.position()[1:] == (len(self.ended), self.last)
        spam = sum(kept.label == SPAM for kept in self.kept.values())
        assert self.journal.counts() == Counts(len(self.kept) - spam, spam)

    def teardown(self) -> None:
        assert self.journal.integrity_check() == []


def test_the_journal_is_a_dict_that_lasts(new_journal: NewJournal) -> None:
    class OnThisBackEnd(Model):
        def __init__(self) -> None:
            super().__init__(new_journal)

    run_state_machine_as_test(OnThisBackEnd, settings=settings(max_examples=40, stateful_step_count=25))
