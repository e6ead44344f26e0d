"""What holds for every command: help, exit codes, where the home is named, completion in a shell."""

import os
import shutil
import subprocess
from pathlib import Path

import click
import pytest

from tests.cli.making import ham
from tests.cli.running import ENVIRONMENT, done, line_of, run
from thresher.cli import COMMANDS, main
from thresher.cli.config import ConfigCommands
from thresher.cli.mailbox import MailboxCommands

BELOW = (
    *(f"mailbox {name}" for name in MailboxCommands.names),
    *(f"config {name}" for name in ConfigCommands.names),
)
each_command = pytest.mark.parametrize("name", COMMANDS + BELOW)
LESS = {"compare", "completion", "demo", "demo-mail", "evaluate", "figures"}
"""Commands that use no home: they need no --home."""

NO_JSON = {"compat", "completion", "filter"}
"""Commands that print what other programs read: a message, a script, what the program they stand for prints."""
PASSES = {"compat", "filter"}
"""Commands whose unknown options have tests of their own: a pipe, and programs of other names."""


@each_command
def test_help_has_examples_and_exit_codes(name: str) -> None:
    out = done(*name.split(), "--help").out
    assert f"Usage: thresher {name}" in out
    assert "Examples:" in out
    assert f"thresher {name}" in out.partition("Examples:")[2]
    assert "Exit codes:" in out


@each_command
def test_every_command_has_json_and_home_where_it_uses_one(name: str) -> None:
    command: click.Command | None = main
    for word in name.split():
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command), word)
    assert command is not None
    if isinstance(command, click.Group):
        assert all(f"{name} {below}" in BELOW for below in command.list_commands(click.Context(command)))
        return
    options = {option for parameter in command.params for option in parameter.opts}
    assert "--json" in options or name in NO_JSON
    assert "--home" in options or name in LESS


@pytest.mark.parametrize("name", [name for name in COMMANDS + BELOW if name not in PASSES])
def test_an_unknown_option_is_wrong_usage(name: str) -> None:
    assert run(*name.split(), "--no-such-option").code == 2


def test_help_lists_every_command() -> None:
    out = done("--help").out
    assert all(f"\n  {name} " in out for name in COMMANDS)


def test_a_mistyped_command_is_answered_with_the_nearest() -> None:
    ran = run("lern")
    assert ran.code == 2
    assert "Did you mean 'learn'?" in ran.err


def test_the_home_may_be_named_before_or_after_the_command(tmp_path: Path) -> None:
    done("learn", "--ham", "-", home=tmp_path / "one", stdin=ham(1))
    done("learn", "--ham", "-", "--home", tmp_path / "two", stdin=ham(1))
    assert (tmp_path / "one" / "journal.sqlite").exists()
    assert (tmp_path / "two" / "journal.sqlite").exists()


def test_the_environment_names_the_home_and_the_option_overrules_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THRESHER_HOME", str(tmp_path / "named"))
    done("learn", "--ham", "-", stdin=ham(1))
    done("learn", "--ham", "-", home=tmp_path / "option", stdin=ham(1))
    assert (tmp_path / "named" / "journal.sqlite").exists()
    assert (tmp_path / "option" / "journal.sqlite").exists()


def test_a_new_home_and_its_files_are_for_their_owner_only(tmp_path: Path) -> None:
    umask = os.umask(0)
    try:
        done("learn", "--ham", "-", home=tmp_path / "new", stdin=ham(1))
    finally:
        os.umask(umask)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
    modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "new").iterdir()}
    assert len(modes) >= 2
    assert set(modes.values()) == {0o600}


def test_a_setting_that_cannot_be_used_is_named(home: Path) -> None:
    (home / "config.toml").write_text("bits = 'many'\n")
    ran = run("check", "-", home=home, stdin=ham(1))
    assert ran.code == 1
    assert str(home / "config.toml") in ran.err
    assert "bits" in ran.err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_and_how_to_install_it(shell: str) -> None:
    lines = done("completion", shell).lines
    assert any("_THRESHER_COMPLETE" in line for line in lines)
    assert lines[-1].startswith("# Install: ")


def test_an_unknown_shell_is_wrong_usage() -> None:
    assert run("completion", "tcsh").code == 2


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash: apt install bash")
def test_bash_can_read_its_script(tmp_path: Path) -> None:
    script = tmp_path / "thresher"
    script.write_text(done("completion", "bash").out)
    ran = subprocess.run(["bash", "-c", f". {script}; complete -p thresher"], capture_output=True, check=True)
    assert b"_thresher_completion" in ran.stdout


@pytest.mark.parametrize(
    ("words", "expected"), [("thresher ch", "plain,check"), ("thresher check /", "file,/"), ("thresher forget -", "")]
)
def test_the_program_completes(tmp_path: Path, words: str, expected: str) -> None:
    environment = ENVIRONMENT | {
        "_THRESHER_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    line = [word for word in line_of(home=tmp_path) if word not in {"--home", str(tmp_path)}]
    ran = subprocess.run(line, env=environment, capture_output=True, check=True, text=True)
    assert expected in ran.stdout
    assert ran.stderr == ""
