"""`thresher password`, and where `thresher serve` offers the page."""

import socket
from pathlib import Path

from tests.cli.running import done, run
from tests.serve.making import settings_in
from tests.serve.running import serving
from tests.web.client import PASSWORD, Client
from thresher.store.people import People, Role


def test_a_password_opens_the_page(tmp_path: Path) -> None:
    settings = settings_in(tmp_path / "home")
    done("password", "ada", "--user", home=settings.home, stdin=PASSWORD.encode() + b"\n")
    with People(settings.home) as people:
        (account,) = people.accounts()
        assert (account.name, account.role, account.person) == ("ada", Role.USER, "ada")
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with serving(settings, "--page", f"127.0.0.1:{port}", workers=2) as running:
        assert f"the page is at http://127.0.0.1:{port}/" in running.log
        client = Client(port)
        assert client.log_in("ada").status == 303
        # Either worker knows the session.
        assert {client.get("/messages").status for _ in range(8)} == {200}


def test_a_short_password_is_refused(tmp_path: Path) -> None:
    ran = run("password", "ada", home=tmp_path, stdin=b"short\n")
    assert (ran.code, "at least 10 characters" in ran.err) == (1, True)


def test_beyond_this_machine_nothing_is_served_before_there_is_a_password(tmp_path: Path) -> None:
    ran = run("serve", "--page", "0.0.0.0:0", home=tmp_path)
    assert ran.code == 1
    assert "before there is a password: `thresher password NAME`" in ran.err
