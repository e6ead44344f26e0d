"""Where axe-core is: installed by npm into a folder of its own, never into the project."""

import os
from pathlib import Path

FOLDER = "THRESHER_AXE"
"""The variable that names the folder; else one of the user's cache."""


def axe_core() -> Path:
    """Name the script; it need not be there."""
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    folder = Path(os.environ.get(FOLDER) or f"{cache}/thresher-axe").expanduser()
    return folder / "node_modules/axe-core/axe.min.js"
