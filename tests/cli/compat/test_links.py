"""A link to thresher by a program's name is that program."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.compat.both import write_mail
from tests.cli.making import ham
from tests.cli.running import ENVIRONMENT, run
from thresher.cli import STANDS_FOR
from thresher.cli.compat import FAILED, PROGRAMS


@pytest.mark.parametrize(("name", "args", "told"), [
    ("bogofilter", ["-t"], "U 0.500000"),
    ("sa-learn", ["--ham"], "Learned tokens from 1 message(s) (1 message(s) examined)"),
    ("rspamc", [], "Action: no action"),
    ("spamc", ["-c"], "5.0"),
])  # fmt: skip
def test_the_name_of_the_link_chooses(tmp_path: Path, name: str, args: list[str], told: str) -> None:
    """A wheel's script does what this one does: it calls `program`."""
    script = tmp_path / "thresher"
    script.write_text(f"#!{sys.executable}\nfrom thresher.cli import program\nprogram()\n")
    script.chmod(0o755)
    (tmp_path / name).symlink_to(script)
    environment = {**ENVIRONMENT, "THRESHER_HOME": str(tmp_path / "home"), "THRESHER_BITS": "14"}
    ran = subprocess.run([tmp_path / name, *args], input=ham(1), capture_output=True, env=environment, check=False)
    assert told in ran.stdout.decode()
    assert ran.stderr == b""


def test_every_program_has_a_link_and_a_code_for_what_fails() -> None:
    assert set(PROGRAMS) == STANDS_FOR == set(FAILED)


def test_a_program_that_is_none_is_refused() -> None:
    ran = run("compat", "spamprobe")
    assert ran.code == 2
    assert "'spamprobe'" in ran.err


def test_settings_that_cannot_be_used_are_an_error_of_the_program(tmp_path: Path) -> None:
    write_mail(tmp_path)
    (tmp_path / "config.toml").write_text("bits = 'many'\n")
    for program, code in FAILED.items():
        args = {"sa-learn": ["--spam"], "spamc": ["-x", "-l"]}.get(program, [])
        ran = run("compat", program, *args, home=tmp_path, stdin=ham(1))
        # spamc takes it for a server that cannot answer, as it would the daemon's.
        assert ran.code == (75 if program == "spamc" else code)
        assert "config.toml, line 1, bits" in ran.err
    assert run("compat", "spamc", home=tmp_path, stdin=ham(1)).out.encode() == ham(1)
