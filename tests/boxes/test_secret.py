"""Passwords come from a command, the environment or the key ring, and from no file of ours."""

import sys

import keyring
import pytest
from keyring.backend import KeyringBackend

from thresher.boxes import BoxError
from thresher.boxes.secret import keep_secret, read_secret


class Ring(KeyringBackend):
    """A key ring that lasts as long as the test."""

    priority = 1.0

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


def test_a_command_prints_it() -> None:
    assert read_secret("command:printf 'a secret\\nand more'", "work") == "a secret"


@pytest.mark.parametrize(("command", "why"), [("exit 3", "ended with 3"), ("true", "printed nothing")])
def test_a_command_that_fails_is_said(command: str, why: str) -> None:
    with pytest.raises(BoxError, match=why):
        read_secret(f"command:{command}", "work")


def test_the_environment_has_it() -> None:
    assert read_secret("env:MAIL_PASSWORD", "work", {"MAIL_PASSWORD": "secret"}) == "secret"
    with pytest.raises(BoxError, match="no MAIL_PASSWORD"):
        read_secret("env:MAIL_PASSWORD", "work", {})


def test_the_key_ring_keeps_it_and_gives_it_back() -> None:
    before = keyring.get_keyring()
    keyring.set_keyring(Ring())
    try:
        with pytest.raises(BoxError, match="no password"):
            read_secret("keyring:", "work")
        keep_secret("work", "secret")
        assert read_secret("keyring:", "work") == "secret"
    finally:
        keyring.set_keyring(before)


def test_without_the_library_the_way_out_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(BoxError, match=r"thresher\[keyring\]"):
        read_secret("keyring:", "work")


@pytest.mark.parametrize("source", ["", "secret", "command:", "env:", "file:/etc/passwd"])
def test_anything_else_is_refused(source: str) -> None:
    with pytest.raises(BoxError, match="say command:"):
        read_secret(source, "work")
