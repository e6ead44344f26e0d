"""Whatever was taught, corrected and taken back, by whom and in which commands: the model is that of the journal.

Bit for bit: the model that a command leaves equals the one replayed, lesson by lesson, from the journal as it stands.
"""

import shutil
import tempfile
from collections.abc import Sequence
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from tests.engine.folding import fold, saved, whole_state
from tests.engine.making import BITS, HAM, SPAM, message, opened
from thresher.engine import Engine, Settled, Teaching
from thresher.prepare import Prepared
from thresher.store.journal import Selection
from thresher.values import Label
from thresher.view import LEARNERS

Word = tuple[int, Label]
words = st.tuples(st.integers(0, 9), st.sampled_from(Label))
users = st.sampled_from(["ada", "bob"])
SLOW = 0.0
"""Seconds of settling that are too long for a command to wait."""


@cache
def prepared(number: int) -> Prepared:
    return message(number, SPAM if number % 2 else HAM)


def teach(engine: Engine, said: Sequence[Word]) -> None:
    engine.learn([Teaching(prepared(number), label) for number, label in said])


class Home(RuleBasedStateMachine):
    """A home beside a dict of who says what of which message."""

    def __init__(self, learner: str) -> None:
        super().__init__()
        self.learner = learner

    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.said: dict[tuple[str, int], Label] = {}
        self.settled = True

    def note(self, user: str, said: Sequence[Word]) -> None:
        self.said.update({(user, number): label for number, label in said})

    def end_of(self, engine: Engine) -> None:
        """End a command; what it leaves must be settled if there was time for it."""
        self.settled = engine.finish() is Settled.YES
        assert self.settled or engine.view.settle_seconds == SLOW
        if self.settled:
            state = whole_state(engine.view.learner, engine.view.calibration)
            assert state == fold(engine.journal, self.learner, BITS)

    @rule(said=st.lists(words, max_size=6), user=users, seconds=st.sampled_from([60.0, SLOW]))
    def learn(self, said: list[Word], user: str, seconds: float) -> None:
        engine = opened(self.folder, self.learner, user=user, settle_seconds=seconds)
        with closing(engine.journal):
            for batch in (said[:3], said[3:]):
                teach(engine, batch)
            self.note(user, said)
            self.end_of(engine)

    @rule(numbers=st.sets(st.integers(0, 9)), user=users | st.none(), seconds=st.sampled_from([60.0, SLOW]))
    def forget(self, numbers: set[int], user: str | None, seconds: float) -> None:
        engine = opened(self.folder, self.learner, settle_seconds=seconds)
        with closing(engine.journal):
            gone = engine.forget(Selection(digests=tuple(prepared(number).digest for number in numbers), user=user))
            ends = [key for key in self.said if key[1] in numbers and user in {None, key[0]}]
            assert len(gone) == len(ends)
            for key in ends:
                del self.said[key]
            self.end_of(engine)

    @rule(mine=st.lists(words, max_size=4), theirs=st.lists(words, max_size=4), taken_back=st.sets(st.integers(0, 9)))
    def learn_beside_another(self, mine: list[Word], theirs: list[Word], taken_back: set[int]) -> None:
        one, other = (opened(self.folder, self.learner, user=user) for user in ("ada", "bob"))
        with closing(one.journal), closing(other.journal):
            teach(one, mine[:2])
            teach(other, theirs)
            other.forget(Selection(digests=tuple(prepared(number).digest for number in taken_back), user="bob"))
            teach(one, mine[2:])
            self.note("ada", mine)
            self.note("bob", theirs)
            for number in taken_back:
                self.said.pop(("bob", number), None)
            self.end_of(one)
            self.end_of(other)

    @rule(damage=st.sampled_from(["gone", "cut short"]))
    def lose_the_saved_model(self, damage: str) -> None:
        path = self.folder / f"model-{self.learner}.snapshot"
        if path.exists():
            path.write_bytes(path.read_bytes()[:-100])
            if damage == "gone":
                path.unlink()
        with closing(opened(self.folder, self.learner).journal):
            self.settled = path.exists()

    @rule()
    def rebuild(self) -> None:
        engine = opened(self.folder, self.learner, settle_seconds=SLOW)
        with closing(engine.journal):
            assert engine.rebuild() is Settled.YES
        self.settled = True

    @invariant()
    def the_journal_holds_what_was_said(self) -> None:
        engine = opened(self.folder, self.learner, settle_seconds=SLOW)
        with closing(engine.journal):
            assert {(e.user, e.digest): e.label for e in engine.journal.entries()} == {
                (user, prepared(number).digest): label for (user, number), label in self.said.items()
            }
            model = engine.view.learner
            if self.settled and self.said:
                assert saved(self.folder, self.learner) == fold(engine.journal, self.learner, BITS)
                assert (model.n_ham, model.n_spam) == engine.journal.counts()

    def teardown(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


@pytest.mark.parametrize("learner", sorted(LEARNERS))
def test_after_any_commands_the_model_is_that_of_the_journal(learner: str) -> None:
    class HomeOfThisLearner(Home):
        def __init__(self) -> None:
            super().__init__(learner)

    run_state_machine_as_test(HomeOfThisLearner, settings=settings(max_examples=25, stateful_step_count=12))
