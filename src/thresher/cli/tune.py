"""``thresher tune``: which learner, with which settings, suits the owner's mail, by the owner's costs."""

import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from thresher.choose.candidates import Candidate, candidates, named, with_settings
from thresher.cli.common import (
    Failures,
    engine_for,
    home_option,
    jobs_option,
    json_line,
    json_option,
    progress,
    settings_for,
    write_lines,
)
from thresher.cli.labelled import as_examples, labelled_messages
from thresher.values import ThresherError

if TYPE_CHECKING:
    from thresher.choose.duplicates import Duplicates, Ids
    from thresher.choose.metrics import Labels
    from thresher.choose.resampling import Interval
    from thresher.choose.tuning import Judged, Tuned
    from thresher.config import Settings
    from thresher.learn.running import RunningLearner

COST: Final = 100.0
"""Spams missed that a ham lost is as bad as; people look into their spam folder seldom."""
FOLDS: Final = 4
"""Six fits on half of the messages and four on three quarters; five folds would cost two thirds more."""
EPILOG: Final = """\
\b
Examples:
  thresher tune
  thresher tune --cost 10 --apply
  thresher tune --undo
  thresher tune --index mail.index --json | jq '.candidates[] | select(.chosen)'

Each candidate is measured by cross-validation on the lessons given so far: near duplicates stay in one fold, and each
message is judged by a model that has not learned it. A ham called spam costs --cost spams missed; a message is called
spam where it is so probable that this pays. Chosen is the simplest candidate within one standard error of the best:
rows go from the simplest to the most complex. Below the table stands what choosing like this is worth, on messages
that neither the fit nor the choice had seen, and what is in use now.

Settings that config.toml, THRESHER_* or the command line name are kept. With --apply, or a yes when asked, the chosen
model is built, then tuned.toml in the home names it; commands use it from then on, and a running daemon within
seconds. --undo goes back to what was before.

\b
Exit codes: 0 done, 1 if it could not be done, 2 wrong usage.
"""


class Run(NamedTuple):
    """Everything that was compared, and how."""

    settings: "Settings"
    many: list[Candidate]
    present: Candidate
    tuned: "Tuned"
    cost: float
    folds: int
    n_ham: int
    n_spam: int
    near_duplicates: int
    interval: "Interval"
    """Of the outer estimate's cost."""
    undecided: bool
    """Whether no candidate is clearly better than no filter, so that there is nothing to choose by."""

    @property
    def in_use(self) -> "Judged":
        """What is in use now, measured by the same folds."""
        return self.tuned.table[self.many.index(self.present)]

    @property
    def pays(self) -> bool:
        """Whether choosing like this, on mail that no choice saw, cost less than what is in use."""
        return not self.undecided and self.tuned.outer.cost < self.in_use.cost

    @property
    def choice(self) -> Candidate:
        """What was chosen; what is in use, if nothing could be."""
        return self.present if self.undecided else self.many[self.tuned.choice]


@click.command(epilog=EPILOG)
@click.option("--index", metavar="FILE", help="Compare on these messages, lines `spam|ham PATH`, not the lessons.")
@click.option(
    "--cost",
    type=click.FloatRange(1),
    default=COST,
    metavar="N",
    help="A ham lost costs as much as N spams missed; 100 unless said otherwise.",
)
@click.option("--folds", type=click.IntRange(3), default=FOLDS, metavar="S", help="Folds; 4 unless said otherwise.")
@click.option("--apply", is_flag=True, help="Switch over to what is chosen.")
@click.option("--undo", is_flag=True, help="Go back to what was before the last switch; again to return.")
@json_option
@jobs_option
@home_option
def tune(
    index: str | None,
    cost: float,
    folds: int,
    jobs: int | None,
    home: str | None,
    *,
    apply: bool,
    undo: bool,
    as_json: bool,
) -> None:
    """Choose learner and settings on the lessons given so far."""
    if index and (apply or undo):
        raise click.UsageError("--index only compares: what is switched must be chosen on the home's own lessons")
    if undo:
        if apply:
            raise click.UsageError("say --apply or --undo, not both")
        _undo(home, as_json=as_json)
        return
    failures = Failures()
    run = _compared(home, index, cost, folds, jobs, failures)
    if not as_json:
        write_lines(_table(run))
    switched = run.choice != run.present and not index and (apply or _asked(run, as_json=as_json))
    if switched:
        _apply(run)
    if as_json:
        write_lines([_as_json(run, switched=switched)])
    else:
        write_lines([_ending(run, index=index, switched=switched)])
    failures.exit()


def _compared(
    home: str | None, index: str | None, cost: float, folds: int, jobs: int | None, failures: Failures
) -> Run:
    from functools import partial

    import msgspec
    import numpy as np

    from thresher.choose.duplicates import near_duplicates
    from thresher.choose.resampling import bootstrap, mean_of
    from thresher.choose.tuning import Comparison
    from thresher.config import said_by_person
    from thresher.learn.hashing import DEFAULT_BITS, Hasher
    from thresher.prepare import jobs_for, over_cores
    from thresher.view import LEARNERS

    settings = settings_for(home)
    said = said_by_person(settings.home, {})
    bits = int(str(said.get("bits", DEFAULT_BITS)))
    many, present = candidates(LEARNERS, bits, said), with_settings(LEARNERS, msgspec.structs.asdict(settings))
    many = many if present in many else [*many, present]
    hashed = max(candidate.bits for candidate in many)
    with labelled_messages(settings, index, Hasher(hashed), jobs, failures) as messages:
        examples = as_examples(list(messages))
    groups = _grouped(examples.is_spam, near := near_duplicates(examples.features), folds, index or settings.home)
    comparison = Comparison(examples, hashed, groups, partial(_made, LEARNERS), folds=folds).prepared(many)
    tasks = list(comparison.tasks(many))
    fits = []
    with progress(f"comparing {len(many)} candidates", len(tasks)) as step:
        for fit in over_cores(comparison.fit, tasks, jobs_for(len(examples) * len(many), jobs)):
            fits.append(fit)
            step(1)
    width = len(comparison.left_out())
    tuned = comparison.choose([fits[first : first + width] for first in range(0, len(fits), width)], cost)
    n_spam = int(np.count_nonzero(examples.is_spam))
    found = bootstrap({"cost": mean_of(tuned.outer_costs)}, len(examples), groups=groups)["cost"]
    n_ham = len(examples) - n_spam
    best = tuned.table[tuned.best]
    undecided = best.cost + best.standard_error >= n_spam / len(examples)
    return Run(settings, many, present, tuned, cost, folds, n_ham, n_spam, near.extra, found, undecided)


def _made(kinds: "Mapping[str, type[RunningLearner]]", candidate: Candidate) -> "RunningLearner":
    return kinds[candidate.learner](candidate.bits, **dict(candidate.settings))


def _grouped(is_spam: "Labels", found: "Duplicates", folds: int, where: object) -> "Ids":
    """Return the groups of near duplicates; refuse mail with too little of a class to be compared on."""
    import numpy as np

    for name, rows in (("ham", ~is_spam), ("spam", is_spam)):
        different = len(np.unique(found.groups[rows]))
        if different < 2 * folds:
            raise ThresherError(
                f"{where} has {different} different {name}; {folds} folds need {2 * folds} of each to be compared on"
            )
    return found.groups


def _asked(run: Run, *, as_json: bool) -> bool:
    """Ask whether to switch, where somebody is there to answer."""
    if as_json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    return click.confirm(f"Switch over from {run.present} to {run.choice}?")


def _apply(run: Run) -> None:
    """Build the chosen model beside the present one, then put the choice in force, all at once."""
    import msgspec

    from thresher.build import switch
    from thresher.store.tuned import switched

    values = run.choice.values()
    settings = msgspec.structs.replace(run.settings, **{"alpha": None, "rate": None, **values})
    lessons = run.n_ham + run.n_spam
    with engine_for(settings, load=False) as engine, progress("building the model", lessons) as step:
        engine.rebuild(step)
    switch(settings, switched(settings.home, values, lessons))


def _undo(home: str | None, *, as_json: bool) -> None:
    from thresher.build import switch
    from thresher.store.tuned import read_tuned, switched

    settings = settings_for(home)
    present = read_tuned(settings.home)
    if present is None:
        raise ThresherError(f"nothing was tuned in {settings.home}; `thresher tune --apply` does it")
    switch(settings, switched(settings.home, present.before, present.lessons_before))
    now = settings_for(home)
    told = {"undone": dict(present.values), "now": dict(present.before)}
    after = named(present.before) if present.before else f"{now.learner} with its own settings, as before any tuning"
    write_lines([json_line(told)] if as_json else [f"back to {after}"])


def _table(run: Run) -> Iterator[str]:
    many, tuned = run.many, run.tuned
    total = run.n_ham + run.n_spam
    yield f"{total:,} messages, {run.n_ham:,} ham and {run.n_spam:,} spam; {run.near_duplicates:,} near duplicates of"
    yield f"others stay with them; {run.folds} folds; a ham lost costs {run.cost:g} spams missed"
    yield ""
    width = max(len(str(one)) for one in many)
    yield f"  {'candidate':<{width}}  {'cost of 1,000':>19}  {'ham lost':>8}  {'spam missed':>11}  {'1-AUC %':>8}"
    for number, (one, judged) in enumerate(zip(many, tuned.table, strict=True)):
        mark = "*" if one == run.choice else "+" if number == tuned.best else " "
        yield f"{mark} {one!s:<{width}}  {_figures(judged)}{'  now' if one == run.present else ''}"
    yield ""
    if run.undecided:
        yield "* kept: at this cost no candidate is clearly better than no filter, so nothing can be chosen"
        yield "  by these messages; teach it more, or take a lower --cost"
    else:
        yield f"* chosen: the simplest within one standard error of the best{' (+)' * (tuned.best != tuned.choice)}"
    nothing = run.n_spam / total
    yield f"  {'without a filter':<{width}}  {1000 * nothing:>10.2f}{'':<9}  {0:>8,}  {run.n_spam:>11,}"
    yield f"  {'the choice, on unseen mail':<{width}}  {_figures(tuned.outer)}"
    yield f"  {'':<{width}}  {1000 * run.interval.low:.2f} to {1000 * run.interval.high:.2f} with 95 % confidence"
    yield f"  {'what is in use now':<{width}}  {_figures(run.in_use)}"
    if not (run.pays or run.undecided):
        yield "Choosing was not worth it on unseen mail: so few messages decide that what is in use may stay."


def _figures(judged: "Judged") -> str:
    cost = f"{1000 * judged.cost:>10.2f} ± {1000 * judged.standard_error:>6.2f}"
    return f"{cost}  {judged.ham_lost:>8,}  {judged.spam_missed:>11,}  {judged.one_minus_auc_percent:>8.4f}"


def _ending(run: Run, *, index: str | None, switched: bool) -> str:
    if run.undecided:
        return f"nothing was changed: in use is {run.present}"
    if run.choice == run.present:
        return f"{run.choice} is in use already: nothing to switch"
    if switched:
        return f"switched from {run.present} to {run.choice}; `thresher tune --undo` goes back"
    how = "--learner and config.toml choose it" if index else "`thresher tune --apply` switches over"
    return f"nothing was changed: in use is {run.present}; {how}"


def _as_json(run: Run, *, switched: bool) -> str:
    tuned = run.tuned
    rows = [
        {
            "model": str(one),
            **judged._asdict(),
            "chosen": one == run.choice,
            "best": number == tuned.best,
            "present": one == run.present,
        }
        for number, (one, judged) in enumerate(zip(run.many, tuned.table, strict=True))
    ]
    outer = {**tuned.outer._asdict(), "low": run.interval.low, "high": run.interval.high}
    return json_line({
        "n": run.n_ham + run.n_spam,
        "n_ham": run.n_ham,
        "n_spam": run.n_spam,
        "near_duplicates": run.near_duplicates,
        "folds": run.folds,
        "ham_lost_costs": run.cost,
        "candidates": rows,
        "chosen": run.choice.values(),
        "undecided": run.undecided,
        "pays": run.pays,
        "outer": {**outer, "chosen": [str(run.many[number]) for number in tuned.chosen_without]},
        "switched": switched,
    })  # fmt: skip
