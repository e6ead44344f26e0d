"""What estimators accept, checked once and said in one sentence that names the argument."""

from collections.abc import Sequence
from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike

from thresher.learn.event_models import Alpha, Floats, log_class_prior

PRIOR_SUM_TOLERANCE = 1e-9  # three thirds typed with ten digits pass, a forgotten class does not


def check_alpha(alpha: ArrayLike, n_features: int) -> Alpha:
    """The pseudo-count as a number, or as an array with one per feature."""
    values = _numbers(alpha, "alpha")
    if values.ndim > 1 or (values.ndim == 1 and len(values) != n_features):
        raise ValueError(f"alpha must be a number or have one per feature ({n_features}), got shape {values.shape}")
    if not (np.isfinite(values).all() and (values >= 0).all()):
        raise ValueError(f"alpha must be finite and at least 0, got {alpha!r}")
    return values if values.ndim else float(values)


def check_log_prior(class_prior: str | ArrayLike, class_counts: Floats) -> Floats:
    """Log prior of the classes: 'learned' from their counts, 'uniform', or given."""
    n_classes = len(class_counts)
    if isinstance(class_prior, str):
        if class_prior == "learned":
            return log_class_prior(class_counts)
        if class_prior == "uniform":
            return np.full(n_classes, -np.log(n_classes))
        raise ValueError(f"class_prior must be 'learned', 'uniform' or one probability per class, got {class_prior!r}")
    prior = _numbers(class_prior, "class_prior")
    if prior.shape != (n_classes,):
        raise ValueError(f"class_prior must have one probability per class ({n_classes}), got shape {prior.shape}")
    if not (prior >= 0).all() or abs(prior.sum() - 1.0) > PRIOR_SUM_TOLERANCE:
        raise ValueError(f"class_prior must hold probabilities that sum to 1, got {class_prior!r}")
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(prior))


def check_classes(labels: ArrayLike, name: str) -> np.ndarray:
    """The distinct labels, sorted; `name` is the argument they came from."""
    classes = np.unique(np.asarray(labels))
    if len(classes) < 2:  # noqa: PLR2004 -- a classifier tells at least two things apart
        found = f"one class only, {classes.tolist()[0]!r}" if len(classes) else "none"
        raise ValueError(f"{name} must hold at least two classes, got {found}")
    return classes


def check_classes_of_call(classes: ArrayLike | None, known: np.ndarray | None) -> None:
    """The first call of partial_fit names the classes, and later ones cannot change them."""
    if known is None and classes is None:
        raise ValueError("classes must be given in the first call of partial_fit")
    if known is not None and classes is not None and not np.array_equal(check_classes(classes, "classes"), known):
        raise ValueError(f"classes={classes!r} are not those of the first call, {known.tolist()}")


def check_two_classes_weigh(class_counts: Floats) -> None:
    """Weights of zero must not leave a classifier a single class."""
    if np.count_nonzero(class_counts) < 2:  # noqa: PLR2004 -- a classifier tells at least two things apart
        raise ValueError("y must hold at least two classes with weight, sample_weight leaves one class only")


def check_known(labels: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Position of each label among the sorted classes; a label that is none of them is a ValueError."""
    unknown = set(np.unique(labels).tolist()) - set(classes.tolist())
    if unknown:
        raise ValueError(f"y holds labels that are not among the classes: {sorted(unknown, key=repr)}")
    return np.searchsorted(classes, labels)


def check_sample_weight(sample_weight: ArrayLike | None, n_samples: int) -> Floats:
    """One weight per example; none given is 1 each."""
    if sample_weight is None:
        return np.ones(n_samples)
    weights = _numbers(sample_weight, "sample_weight")
    if weights.shape != (n_samples,):
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(n_samples,)}")
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise ValueError("sample_weight must be finite and at least 0")
    if not weights.any():
        raise ValueError("sample_weight must not be zero everywhere")
    return weights


def check_not_negative(value: float, name: str) -> float:
    """The setting as a float of at least 0; infinity is allowed, NaN is not."""
    number = _numbers(value, name)
    if number.ndim or not number >= 0:
        raise ValueError(f"{name} must be a number of at least 0, got {value!r}")
    return float(number)


def check_positive(value: float, name: str) -> float:
    """The setting as a finite float above 0."""
    number = _numbers(value, name)
    if number.ndim or not 0 < number < np.inf:
        raise ValueError(f"{name} must be a finite number above 0, got {value!r}")
    return float(number)


def check_increasing(values: ArrayLike, name: str) -> Floats:
    """A row of finite numbers, each above the one before."""
    row = _numbers(values, name)
    if row.ndim != 1 or not len(row):
        raise ValueError(f"{name} must be a row of numbers, got {values!r}")
    if not np.isfinite(row).all() or (np.diff(row) <= 0).any():
        raise ValueError(f"{name} must be finite and increase, got {row.tolist()}")
    return row


def check_rows_of_features(rows: Sequence[ArrayLike], n_features: int, name: str) -> list[Floats]:
    """One increasing row of numbers per feature."""
    if len(rows) != n_features:
        raise ValueError(f"{name} must have one row per feature ({n_features}), got {len(rows)}")
    return [check_increasing(row, f"{name}[{j}]") for j, row in enumerate(rows)]


def check_count(value: object, name: str, least: int = 0) -> int:
    """The setting as a whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise ValueError(f"{name} must be a whole number of at least {least}, got {value!r}")
    return int(value)


def _numbers(values: ArrayLike, name: str) -> Floats:
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold numbers, got {values!r}") from error
