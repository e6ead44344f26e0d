"""`thresher demo`: the whole line on made-up mail, in a folder of its own, and most of the spam filed."""

import mailbox
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.cli.running import done, run
from thresher.build import build_verdicts
from thresher.config import Settings
from thresher.store.verdict_query import Query


def test_it_files_spam_says_why_and_what_to_do_next(tmp_path: Path) -> None:
    out = done("demo", "--dir", tmp_path / "demo").out
    assert "learned" in out
    assert "filed into .Junk" in out
    assert "Why one of them is spam" in out
    assert "the log-odds of spam" in out
    assert "Now with your own mail" in out
    assert str(tmp_path / "demo") in out


def test_what_was_judged_is_on_the_page_and_without_a_terminal_it_is_only_said_how_to_see_it(tmp_path: Path) -> None:
    out = done("demo", "--dir", tmp_path / "demo", "--page").out
    assert f"--home {tmp_path / 'demo' / 'home'} serve" in out
    with build_verdicts(Settings(home=tmp_path / "demo" / "home")) as verdicts:
        assert len(verdicts.rows(Query(limit=200))) == 100


def test_what_it_says_to_type_next_can_be_typed(tmp_path: Path) -> None:
    """A newcomer's environment is not in the search path of their shell."""
    out = done("demo", "--dir", tmp_path / "demo").out
    line = next(line for line in out.splitlines() if line.endswith(" the rest"))
    asked = subprocess.run(shlex.split(line.removesuffix(" the rest")), capture_output=True, text=True, check=True)
    assert asked.stdout.startswith("Usage:")


def test_the_maildir_holds_what_it_says(tmp_path: Path) -> None:
    """Read by Python's own mailbox module: nothing lost, and spam moved into .Junk, not copied."""
    (told,) = done("demo", "--dir", tmp_path / "demo", "--json").objects
    box = mailbox.Maildir(tmp_path / "demo" / "Maildir", create=False)
    filed = [message for message in told["messages"] if message["verdict"] == "spam"]
    assert len(box) + len(box.get_folder("Junk")) == 500
    assert sum(entry["messages"] for entry in told["verdicts"]) == len(told["messages"]) == 100
    for message in told["messages"]:
        assert Path(message["path"]).is_file()
        assert (".Junk" in Path(message["path"]).parts) == (message in filed)


def test_most_spam_is_filed_and_hardly_any_ham(tmp_path: Path) -> None:
    (told,) = done("demo", "--dir", tmp_path / "demo", "--json").objects
    filed = [message["truth"] for message in told["messages"] if message["verdict"] == "spam"]
    spam = sum(message["truth"] == "spam" for message in told["messages"])
    assert filed.count("ham") <= 1
    assert filed.count("spam") > 0.5 * spam


def test_the_same_seed_makes_the_same_demonstration(tmp_path: Path) -> None:
    one, two, other = (
        done("demo", "--dir", tmp_path / name, "--seed", seed, "--json").objects[0]["verdicts"]
        for name, seed in (("one", 5), ("two", 5), ("other", 6))
    )
    assert one == two
    assert one != other


@pytest.mark.parametrize("kind", ["full", "file"])
def test_a_place_that_is_taken_is_left_alone(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "demo"
    if kind == "full":
        place.mkdir()
        (place / "mine").write_text("mine")
    else:
        place.write_text("mine")
    ran = run("demo", "--dir", place)
    assert (ran.code, ran.out) == (1, "")
    assert f"{place} is there already" in ran.err
    assert (place / "mine" if kind == "full" else place).read_text() == "mine"


def test_an_empty_folder_will_do(tmp_path: Path) -> None:
    (tmp_path / "demo").mkdir()
    assert "Now with your own mail" in done("demo", "--dir", tmp_path / "demo").out


def test_it_uses_no_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THRESHER_HOME", str(tmp_path / "home"))
    done("demo", "--dir", tmp_path / "demo")
    assert not (tmp_path / "home").exists()
