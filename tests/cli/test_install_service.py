"""``thresher install-service``: units that systemd itself finds sound."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import done, run

UNITS = Path("etc/systemd/system")


def test_it_prints_units_and_writes_nothing(tmp_path: Path) -> None:
    out = done("install-service", "--print", "--dir", tmp_path).out
    assert "# /etc/systemd/system/thresher.service\n" in out
    assert "# /etc/systemd/system/thresher-milter.socket\n" in out
    assert "ListenStream=/run/thresher-milter.sock\nFileDescriptorName=milter\n" in out
    assert f"ExecStart={sys.executable} -m thresher --home /var/lib/thresher serve --workers 1\n" in out
    assert "u thresher - " in out
    assert list(tmp_path.iterdir()) == []


def test_each_protocol_has_a_socket_of_its_name(tmp_path: Path) -> None:
    done("install-service", "--dir", tmp_path, "--spamd", "127.0.0.1:783", "--http", "/run/t.sock", "--group", "mail")
    units = tmp_path / UNITS
    assert sorted(file.name for file in units.iterdir()) == [
        "thresher-http.socket",
        "thresher-spamd.socket",
        "thresher.service",
    ]
    assert "SocketGroup=mail\nSocketMode=0660\n" in (units / "thresher-http.socket").read_text()
    assert "SocketMode" not in (units / "thresher-spamd.socket").read_text()
    assert "Requires=thresher-spamd.socket thresher-http.socket\n" in (units / "thresher.service").read_text()


@pytest.mark.systemd
def test_systemd_finds_nothing_wrong_with_them(tmp_path: Path) -> None:
    done("install-service", "--dir", tmp_path, "--milter", "/run/t.sock", "--spamd", "783", "--group", "root")
    for file in (tmp_path / UNITS).iterdir():
        # There is no account of that name here.
        file.write_text(re.sub(r"(User|Group)=thresher", r"\1=root", file.read_text()))
    files = [str(file) for file in sorted((tmp_path / UNITS).iterdir())]
    ran = subprocess.run(["systemd-analyze", "verify", *files], capture_output=True, text=True, check=False)
    about_ours = [line for line in (ran.stdout + ran.stderr).splitlines() if "thresher" in line]
    assert about_ours == []


@pytest.mark.systemd
def test_the_service_is_well_locked_up(tmp_path: Path) -> None:
    """Systemd's own measure, from 0 (safe) to 10."""
    done("install-service", "--dir", tmp_path)
    ran = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=30", tmp_path / UNITS / "thresher.service"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "etc").write_text("a file")
    ran = run("install-service", "--dir", tmp_path)
    assert ran.code == 1
    assert "etc" in ran.err
