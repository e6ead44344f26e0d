"""The project's own files keep their promises: packaging, locks, exemptions, skips."""

import ast
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
PYPROJECT = (ROOT / "pyproject.toml").read_text()
PROJECT: dict[str, Any] = tomllib.loads(PYPROJECT)
LOCKS = ["requirements/runtime.txt", "requirements/dev.txt"]

# Where the name one imports is not the name one installs.
INSTALLED_AS = {"sklearn": "scikit-learn", "argon2": "argon2-cffi", "prometheus_client": "prometheus-client"}
USED_BY_OTHERS = {"python-multipart"}
"""What others of them need and only ask for: starlette, to read forms."""


def distribution(requirement: str) -> str:
    """Name what a requirement line installs: ``Rich>=13 ; ...`` is rich."""
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert match, requirement
    return match[0].lower().replace("_", "-")


def pins(lock: str) -> dict[str, str]:
    """Read name -> version from a lock."""
    lines = (ROOT / lock).read_text().splitlines()
    return dict(line.split(" ")[0].split("==") for line in lines if line[:1].isalnum())


def imported(folder: str) -> set[str]:
    """Collect the top-level modules imported anywhere under a folder."""
    names: set[str] = set()
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import):
                names.update(alias.name.split(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                names.add(node.module.split(".")[0])
    return names


def test_what_the_package_imports_is_what_it_declares() -> None:
    """Neither a dependency nobody uses nor an import nobody installs."""
    project = PROJECT["project"]
    declared = {distribution(line) for line in project["dependencies"]}
    declared |= {distribution(line) for extra in project["optional-dependencies"].values() for line in extra}
    foreign = imported("src") - set(sys.stdlib_module_names) - {"thresher"}
    assert {INSTALLED_AS.get(name, name) for name in foreign} == declared - USED_BY_OTHERS


@pytest.mark.parametrize("lock", LOCKS)
def test_every_locked_package_has_a_version_and_hashes(lock: str) -> None:
    """Pip's --require-hashes refuses a list in which one has none."""
    entries = re.split(r"\n(?=[A-Za-z0-9])", (ROOT / lock).read_text())[1:]
    assert len(entries) > 10
    assert [entry for entry in entries if not re.match(r"\S+==\S+ .*\n +--hash=sha256:[0-9a-f]{64}", entry)] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_address(lock: str) -> None:
    """Where packages come from is the affair of the machine that installs them."""
    assert not re.search(r"://|--(index|extra-index|find-links)", (ROOT / lock).read_text())


def test_the_two_locks_agree() -> None:
    """What is tested is what is installed."""
    runtime, dev = pins(LOCKS[0]), pins(LOCKS[1])
    assert runtime.items() <= dev.items()


def test_the_locks_hold_every_requirement() -> None:
    """A requirement added to pyproject.toml without `make lock` is noticed."""
    project = PROJECT["project"]
    extras = [line for extra in project["optional-dependencies"].values() for line in extra]
    development = PROJECT["dependency-groups"]["dev"] + PROJECT["build-system"]["requires"]
    assert {distribution(line) for line in project["dependencies"]} <= pins(LOCKS[0]).keys()
    assert {distribution(line) for line in extras + development} <= pins(LOCKS[1]).keys()


def test_every_lint_exemption_has_its_reason() -> None:
    """Each ignored rule stands on a line of its own that says why."""
    rules = re.findall(r'^    "[A-Z]+[0-9]*",.*$', PYPROJECT, re.MULTILINE)
    ignored = PROJECT["tool"]["ruff"]["lint"]["ignore"] + [
        rule for rules in PROJECT["tool"]["ruff"]["lint"]["per-file-ignores"].values() for rule in rules
    ]
    assert len(rules) == len(ignored)
    assert [line for line in rules if not re.search(r",\s+# \S", line)] == []


def test_types_are_checked_everywhere() -> None:
    """No module of ours is opted out of strict typing."""
    mypy = PROJECT["tool"]["mypy"]
    exempted = [module for override in mypy["overrides"] for module in override["module"]]
    assert mypy["strict"] is True
    assert [module for module in exempted if module.split(".")[0] in {"*", "thresher", "tests", "bench", "tools"}] == []


def test_no_import_is_exempt_from_the_layers() -> None:
    """The contracts of import-linter have no ignored imports."""
    contracts = PROJECT["tool"]["importlinter"]["contracts"]
    assert len(contracts) > 1
    exempting = {"ignore_imports", "exhaustive_ignores"}
    assert [contract["id"] for contract in contracts if contract.keys() & exempting] == []


def test_the_wheel_carries_code_types_licence_and_command(tmp_path: Path) -> None:
    """Building needs flit_core alone: no compiler and no network."""
    build = [sys.executable, "-m", "flit_core.wheel", "--outdir", str(tmp_path), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        names = wheel.namelist()
        metadata = next(name.removesuffix("WHEEL") for name in names if name.endswith(".dist-info/WHEEL"))
        entry_points = wheel.read(metadata + "entry_points.txt").decode()
    assert "thresher/values.py" in names
    assert "thresher/py.typed" in names
    assert metadata + "licenses/LICENSE" in names
    assert "thresher=thresher.cli:program" in entry_points


def test_make_lists_its_targets() -> None:
    """`make` alone names what a person may want to do, and nothing that is not there."""
    listing = subprocess.run(["make", "-C", ROOT], capture_output=True, text=True, check=True).stdout
    named = set(re.findall(r"^  ([a-z]+) +\S", listing, re.MULTILINE))
    targets = set(re.findall(r"^\.PHONY: ([a-z]+)$", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert {"setup", "demo", "test", "check", "bench"} <= named <= targets
    commands = subprocess.run([sys.executable, "-m", "thresher", "--help"], capture_output=True, text=True, check=True)
    assert ("figures" in named) == bool(re.search(r"^  figures ", commands.stdout, re.MULTILINE))


@pytest.mark.parametrize(("forbidden", "ended"), [("0", 0), ("1", 1)])
def test_a_skip_fails_where_skips_are_forbidden(tmp_path: Path, forbidden: str, ended: int) -> None:
    """A test whose program is missing skips, naming the package; under THRESHER_REQUIRE_SERVERS=1 it fails."""
    (tmp_path / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text())
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n    bogofilter: here too\n")
    (tmp_path / "test_one.py").write_text(
        "import pytest\n@pytest.mark.bogofilter\ndef test_one(): pass\ndef test_two(): pass\n"
    )
    # No PATH: no program is found.
    environment = {"PATH": "", "THRESHER_REQUIRE_SERVERS": forbidden}
    command = [sys.executable, "-m", "pytest", "-ra", "-p", "no:cacheprovider", str(tmp_path)]
    run = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == ended, run.stdout + run.stderr
    assert "needs bogofilter: apt install bogofilter" in run.stdout


def test_the_run_before_landing_is_a_program_bash_can_read() -> None:
    """.ci/run is executable and free of syntax errors."""
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    subprocess.run(["bash", "-n", script], check=True)
