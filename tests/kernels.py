"""The kernels as compiled and as plain Python, for tests that hold both to the same promises."""

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest


def compiled(kernel: ModuleType) -> ModuleType:
    """Give a kernel if it was compiled; `make setup` does that where there is a C compiler."""
    if str(kernel.__file__).endswith(".py"):
        pytest.skip(f"{kernel.__name__} is not compiled: apt install gcc python3-dev, then make setup")
    return kernel


def interpreted(kernel: ModuleType) -> ModuleType:
    """Give the same module as Python reads it; it takes its arrays as memoryviews, whose numbers are Python's."""
    folder, name = Path(str(kernel.__file__)).parent, kernel.__name__
    spec = importlib.util.spec_from_file_location(f"{name}_interpreted", folder / f"{name.rpartition('.')[2]}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for function in ("hash_streams", "look", "gradients", "step"):
        if hasattr(module, function):
            setattr(module, function, _with_views(getattr(module, function)))
    return module


def _with_views(function: Callable[..., object]) -> Callable[..., object]:
    def call(*arguments: object) -> object:
        return function(*(memoryview(each.data) if isinstance(each, np.ndarray) else each for each in arguments))

    return call
