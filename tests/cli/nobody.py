"""thresher, run by somebody whom file modes bind: ``python -m tests.cli.nobody ARGUMENTS``."""

import os
import pkgutil
import tomllib
from importlib import import_module
from importlib.metadata import version

import numpy as np

import thresher
from thresher.cli import main
from thresher.config import read_settings
from thresher.learn.hashing import Hasher
from thresher.mail.mime import parse
from thresher.mail.stream import tokenize

NOBODY = 65534

if __name__ == "__main__":
    # All that is imported late, first: where Python is installed need not be open to everybody.
    for module in pkgutil.walk_packages(thresher.__path__, "thresher."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    read_settings(None, {}, {})
    sample = tokenize(parse(b"From: a@mail.example.co.uk\n\nhttp://www.example.org/ caf\xe9"))
    tomllib.loads("")
    version("click")
    np.intersect1d(Hasher(8).features([sample]).slots, [1])
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    main(prog_name="thresher")
