"""Choosing honestly: how good a filter is, and which of several.

The law of this file: importing it imports nothing else, as in thresher.learn; a name is looked up when first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thresher.choose.cross_validation import (
        CrossValidation,
        NestedCrossValidation,
        Selection,
        cross_validate,
        leave_one_out,
        nested_cross_validate,
        select,
    )
    from thresher.choose.curves import LearningCurve, ValidationCurve, learning_curve, validation_curve
    from thresher.choose.decomposition import (
        BiasVariance,
        RidgeBiasVariance,
        bias_variance,
        bootstrap_bias_variance,
        ridge_bias_variance,
    )
    from thresher.choose.duplicates import Duplicates, close_rows, exact_duplicates, near_duplicates
    from thresher.choose.populations import Coin, NoisyFunction, sine
    from thresher.choose.resampling import Comparison, Interval, Run, bootstrap, compare, intervals
    from thresher.choose.splits import OverlapError, SFold, Split, refuse_overlap, train_validation_test

_HOME = {
    "BiasVariance": "decomposition",
    "Coin": "populations",
    "Comparison": "resampling",
    "CrossValidation": "cross_validation",
    "Duplicates": "duplicates",
    "Interval": "resampling",
    "LearningCurve": "curves",
    "NestedCrossValidation": "cross_validation",
    "NoisyFunction": "populations",
    "OverlapError": "splits",
    "RidgeBiasVariance": "decomposition",
    "Run": "resampling",
    "SFold": "splits",
    "Selection": "cross_validation",
    "Split": "splits",
    "ValidationCurve": "curves",
    "bias_variance": "decomposition",
    "bootstrap": "resampling",
    "bootstrap_bias_variance": "decomposition",
    "close_rows": "duplicates",
    "compare": "resampling",
    "cross_validate": "cross_validation",
    "exact_duplicates": "duplicates",
    "intervals": "resampling",
    "learning_curve": "curves",
    "leave_one_out": "cross_validation",
    "near_duplicates": "duplicates",
    "nested_cross_validate": "cross_validation",
    "refuse_overlap": "splits",
    "ridge_bias_variance": "decomposition",
    "select": "cross_validation",
    "sine": "populations",
    "train_validation_test": "splits",
    "validation_curve": "curves",
}

__all__ = [
    "BiasVariance",
    "Coin",
    "Comparison",
    "CrossValidation",
    "Duplicates",
    "Interval",
    "LearningCurve",
    "NestedCrossValidation",
    "NoisyFunction",
    "OverlapError",
    "RidgeBiasVariance",
    "Run",
    "SFold",
    "Selection",
    "Split",
    "ValidationCurve",
    "bias_variance",
    "bootstrap",
    "bootstrap_bias_variance",
    "close_rows",
    "compare",
    "cross_validate",
    "exact_duplicates",
    "intervals",
    "learning_curve",
    "leave_one_out",
    "near_duplicates",
    "nested_cross_validate",
    "refuse_overlap",
    "ridge_bias_variance",
    "select",
    "sine",
    "train_validation_test",
    "validation_curve",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
