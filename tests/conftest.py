"""What holds for every test: a missing program skips, naming the package; where skips are forbidden, they fail."""

import os
import shutil
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

# marker -> (program, Debian package); the marker itself is declared in pyproject.toml.
PROGRAMS = {
    "bogofilter": ("bogofilter", "bogofilter"),
    "spamc": ("spamc", "spamc"),
    "dovecot": ("dovecot", "dovecot-imapd dovecot-sieve"),
    "postfix": ("postfix", "postfix"),
    "rspamc": ("rspamc", "rspamd"),
    "chromium": ("chromium", "chromium"),
    "curl": ("curl", "curl"),
    "exim": ("exim4", "exim4-daemon-heavy"),
    "systemd": ("systemd-analyze", "systemd"),
    "sa_learn": ("sa-learn", "spamassassin"),
    "procmail": ("procmail", "procmail"),
    "maildrop": ("maildrop", "maildrop"),
    "sieve": ("sieve-test", "dovecot-sieve"),
}

# Set where every program has been installed, so that a skip is a test that silently did not run.
SKIPS_FAIL = os.environ.get("THRESHER_REQUIRE_SERVERS") == "1"

# No deadline: how long an example takes says more about the machine's other work than about the code.
settings.register_profile("thresher", deadline=None, print_blob=True)
settings.load_profile("thresher")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs a program that is not here."""
    for item in items:
        for marker, (program, package) in PROGRAMS.items():
            if item.get_closest_marker(marker) and shutil.which(program) is None:
                item.add_marker(pytest.mark.skip(reason=f"needs {program}: apt install {package}"))
        if item.get_closest_marker("axe") and not _axe_core().exists():
            place = _axe_core().parents[2]
            item.add_marker(pytest.mark.skip(reason=f"needs axe-core: npm install --prefix {place} axe-core"))


def _axe_core() -> Path:
    """Name axe-core's script: installed by npm into a folder of its own, never into the project."""
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    folder = Path(os.environ.get("THRESHER_AXE") or f"{cache}/thresher-axe").expanduser()
    return folder / "node_modules/axe-core/axe.min.js"


@pytest.fixture
def axe_core() -> Path:
    """Give axe-core's script, for tests that are marked so."""
    return _axe_core()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a test's skip into a failure where skips are forbidden."""
    report = yield
    if SKIPS_FAIL and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"skipped where nothing may be: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Do the same for a whole file that skips itself."""
    report = yield
    if SKIPS_FAIL and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"skipped where nothing may be: {report.longrepr}"
    return report
