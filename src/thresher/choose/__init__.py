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
    from thresher.choose.duplicates import Duplicates, close_rows, exact_duplicates, near_duplicates
    from thresher.choose.resampling import Comparison, Interval, Run, bootstrap, compare, intervals
    from thresher.choose.splits import OverlapError, SFold, Split, refuse_overlap, train_validation_test

_HOME = {
    "Comparison": "resampling",
    "CrossValidation": "cross_validation",
    "Duplicates": "duplicates",
    "Interval": "resampling",
    "LearningCurve": "curves",
    "NestedCrossValidation": "cross_validation",
    "OverlapError": "splits",
    "Run": "resampling",
    "SFold": "splits",
    "Selection": "cross_validation",
    "Split": "splits",
    "ValidationCurve": "curves",
    "bootstrap": "resampling",
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
    "select": "cross_validation",
    "train_validation_test": "splits",
    "validation_curve": "curves",
}

__all__ = [
    "Comparison",
    "CrossValidation",
    "Duplicates",
    "Interval",
    "LearningCurve",
    "NestedCrossValidation",
    "OverlapError",
    "Run",
    "SFold",
    "Selection",
    "Split",
    "ValidationCurve",
    "bootstrap",
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
    "select",
    "train_validation_test",
    "validation_curve",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
