"""Choosing honestly: how good a filter is, and which of several.

The law of this file: importing it imports nothing else, as in thresher.learn; a name is looked up when first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thresher.choose.duplicates import Duplicates, close_rows, exact_duplicates, near_duplicates
    from thresher.choose.resampling import Comparison, Interval, Run, bootstrap, compare, intervals
    from thresher.choose.splits import OverlapError, SFold, Split, refuse_overlap, train_validation_test

_HOME = {
    "Comparison": "resampling",
    "Duplicates": "duplicates",
    "Interval": "resampling",
    "OverlapError": "splits",
    "Run": "resampling",
    "SFold": "splits",
    "Split": "splits",
    "bootstrap": "resampling",
    "close_rows": "duplicates",
    "compare": "resampling",
    "exact_duplicates": "duplicates",
    "intervals": "resampling",
    "near_duplicates": "duplicates",
    "refuse_overlap": "splits",
    "train_validation_test": "splits",
}

__all__ = [
    "Comparison",
    "Duplicates",
    "Interval",
    "OverlapError",
    "Run",
    "SFold",
    "Split",
    "bootstrap",
    "close_rows",
    "compare",
    "exact_duplicates",
    "intervals",
    "near_duplicates",
    "refuse_overlap",
    "train_validation_test",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
