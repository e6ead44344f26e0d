"""The bench of the daemon measures what it says; the bars themselves are its own business, on a machine at rest."""

from pathlib import Path

from bench.serving import CLIENTS, MOST_MB, MilterClient, compared, message, null_milter, together, watched
from tests.serve.making import taught_home
from tests.serve.running import serving


def test_a_worker_stays_below_the_bar_of_memory(tmp_path: Path) -> None:
    settings = taught_home(tmp_path / "home")
    path = tmp_path / "milter.sock"
    with serving(settings, "--milter", f"unix:{path}", "--page", "none") as daemon:
        first, last = watched(daemon, path, 200)
    assert 10 < first <= last <= MOST_MB


def test_the_milter_that_does_nothing_answers_every_message(tmp_path: Path) -> None:
    with null_milter(tmp_path) as path:
        client = MilterClient(path)
        seconds = [client.send(message(number)) for number in range(20)]
        client.close()
    assert all(each > 0 for each in seconds)


def test_everything_is_asked_once_and_both_in_the_same_measure() -> None:
    asked: dict[str, list[bytes]] = {"ours": [], "theirs": []}
    rates = compared(asked["ours"].append, asked["theirs"].append, 80, 2)
    assert all(rate > 0 for rate in rates)
    assert [len(asked["ours"]), len(asked["theirs"])] == [8 + 80, 8 + 40]
    together(asked["ours"].append, [b"x"] * CLIENTS * 3)
    assert asked["ours"].count(b"x") == CLIENTS * 3
