"""Choosing honestly: how good a filter is, and which of several.

The law of this file: importing it imports nothing else, as in thresher.learn; a name is looked up when first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thresher.choose.duplicates import Duplicates, close_rows, exact_duplicates, near_duplicates
    from thresher.choose.splits import OverlapError, SFold, Split, refuse_overlap, train_validation_test

_HOME = {
    "Duplicates": "duplicates",
    "OverlapError": "splits",
    "SFold": "splits",
    "Split": "splits",
    "close_rows": "duplicates",
    "exact_duplicates": "duplicates",
    "near_duplicates": "duplicates",
    "refuse_overlap": "splits",
    "train_validation_test": "splits",
}

__all__ = [
    "Duplicates",
    "OverlapError",
    "SFold",
    "Split",
    "close_rows",
    "exact_duplicates",
    "near_duplicates",
    "refuse_overlap",
    "train_validation_test",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
