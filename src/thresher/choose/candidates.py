"""What `tune` compares: learners with everything that can be chosen of them, named as `evaluate --model` takes them."""

from collections.abc import Mapping
from itertools import product
from typing import Final, NamedTuple

from thresher.learn.hashing import MIN_BITS
from thresher.learn.running import RunningLearner

ALPHAS: Final = (1.0, 0.3, 0.1, 0.03, 0.01)
"""Pseudo-counts of the plain event models, from the smoothest (evidence/learners.md)."""
FACTORS: Final = (0.5, 1.0, 2.0)
"""Other learners try these multiples of their own constants: those of evidence/learners.md stand at 1."""
FEWER_BITS: Final = 4
"""Candidates with a sixteenth of the slots."""
PLAIN: Final = ("bernoulli", "multinomial")
"""Event models that only count: one setting, its smoothing. The simplest there are."""
SETTINGS: Final = ("alpha", "rate", "bits")
"""Settings that a candidate's name may hold."""
LARGER_IS_SIMPLER: Final = frozenset({"alpha"})
"""Settings that hold a model back; of the others, steps, the smaller do."""


class Candidate(NamedTuple):
    """A learner and everything that can be chosen of it."""

    learner: str
    bits: int
    settings: tuple[tuple[str, float], ...]

    def __str__(self) -> str:
        """As `evaluate --model` takes it."""
        return named(self.values())

    def values(self) -> dict[str, str | float | int]:
        """Return it as settings."""
        return {"learner": self.learner, **dict(self.settings), "bits": self.bits}


def candidates(
    kinds: Mapping[str, type[RunningLearner]], bits: int, fixed: Mapping[str, object] | None = None
) -> list[Candidate]:
    """List what is compared, from the simplest to the most complex; what is fixed has that one value.

    Simpler are: what only counts, before what steps; fewer slots; more smoothing; shorter steps.
    """
    said = {name: value for name, value in (fixed or {}).items() if value is not None}
    names = sorted(kinds, key=lambda name: (name not in PLAIN, name == PLAIN[0], name))
    found = []
    for name in names:
        if said.get("learner", name) != name:
            continue
        grids = [_grid(name, key, default, said) for key, default in kinds[name].settings.items()]
        for slots, values in product(_bits(bits, said), list(product(*grids))):
            settings = tuple(zip(kinds[name].settings, values, strict=True))
            found.append(Candidate(name, slots, settings))
    return found


def with_settings(kinds: Mapping[str, type[RunningLearner]], settings: Mapping[str, object]) -> Candidate:
    """Return the candidate that some settings are; what they leave open is the learner's own."""
    learner = str(settings["learner"])
    chosen = {
        name: default if settings.get(name) is None else float(str(settings[name]))
        for name, default in kinds[learner].settings.items()
    }
    return Candidate(learner, int(str(settings["bits"])), tuple(chosen.items()))


def named(values: Mapping[str, object]) -> str:
    """Name a candidate by its settings, as `evaluate --model` takes it."""
    said = [f"{name}={value:g}" for name, value in values.items() if isinstance(value, int | float)]
    return f"{values['learner']}:{','.join(said)}"


def _grid(learner: str, key: str, default: float, said: Mapping[str, object]) -> list[float]:
    if key in said:
        return [float(str(said[key]))]
    if learner in PLAIN and key == "alpha":
        return list(ALPHAS)
    return sorted((default * factor for factor in FACTORS), reverse=key in LARGER_IS_SIMPLER)


def _bits(bits: int, said: Mapping[str, object]) -> list[int]:
    if "bits" in said:
        return [int(str(said["bits"]))]
    return sorted({max(bits - FEWER_BITS, MIN_BITS), bits})


def settings_named(text: str) -> dict[str, str]:
    """Read a candidate's name, `multinomial:alpha=0.1,bits=18`, or that of a learner alone, as settings."""
    learner, _, rest = text.partition(":")
    said = {"learner": learner}
    for part in rest.split(",") if rest else []:
        key, equals, value = part.partition("=")
        if not (equals and value and key in SETTINGS):
            raise ValueError(f"{part!r} is none of {', '.join(f'{name}=NUMBER' for name in SETTINGS)}")
        said[key] = value
    return said
