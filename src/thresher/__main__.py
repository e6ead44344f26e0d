"""``python -m thresher`` is ``thresher``."""

from thresher.cli import main

main(prog_name="thresher")
