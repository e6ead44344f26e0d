"""`thresher tune`: the table, the choice, the switch and the way back; nothing changes unless asked."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.cli.making import demo_folders, folder, ham
from tests.cli.running import done, program, run
from thresher.choose.candidates import named
from thresher.store.tuned import FILE

FEW = ("--folds", "3", "--jobs", "1", "--cost", "1")


@pytest.fixture
def taught(home: Path, tmp_path: Path) -> Path:
    """Give a home of 60 made-up lessons; its owner has set the bits, so that only the rest is tuned."""
    (home / "config.toml").write_text("bits = 10\n")
    hams, spams = demo_folders(tmp_path / "mail", 60, 5)
    done("learn", "--ham", hams, "--spam", spams, home=home)
    return home


class Compared(NamedTuple):
    """A home that no test changes, what `tune` says of it, and what it prints."""

    home: Path
    told: dict[str, Any]
    lines: list[str]


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Compared:
    """Compare once for all tests that only look."""
    path = tmp_path_factory.mktemp("compared")
    home = path / "home"
    home.mkdir()
    (home / "config.toml").write_text("bits = 10\n")
    hams, spams = demo_folders(path / "mail", 60, 5)
    done("learn", "--ham", hams, "--spam", spams, home=home)
    before = {one.name for one in home.iterdir()}
    found = Compared(home, tuned(home), done("tune", *FEW, home=home).lines)
    assert {one.name for one in home.iterdir()} == before, "it changes nothing unless asked"
    return found


def tuned(home: Path, *options: object) -> dict[str, Any]:
    (told,) = done("tune", "--json", *FEW, *options, home=home).objects
    return told


def present(home: Path) -> str:
    (one,) = [one["model"] for one in tuned(home)["candidates"] if one["present"]]
    return str(one)


def test_it_compares_candidates_and_changes_nothing_unless_asked(compared: Compared) -> None:
    told = compared.told
    assert (told["n"], told["folds"], told["ham_lost_costs"]) == (60, 3, 1)
    assert len(told["candidates"]) == 19
    assert [one["chosen"] for one in told["candidates"]].count(True) == 1
    assert [one["present"] for one in told["candidates"]].count(True) == 1
    assert told["outer"]["low"] <= told["outer"]["cost"] <= told["outer"]["high"]
    assert len(told["outer"]["chosen"]) == 3
    assert told["switched"] is False


def test_the_chosen_is_the_simplest_within_one_standard_error_of_the_best(compared: Compared) -> None:
    rows = compared.told["candidates"]
    (best,) = [one for one in rows if one["best"]]
    assert best["cost"] == min(one["cost"] for one in rows)
    (chosen,) = [number for number, one in enumerate(rows) if one["chosen"]]
    limit = best["cost"] + best["standard_error"]
    assert [one["cost"] <= limit for one in rows[: chosen + 1]] == [False] * chosen + [True]


def test_whether_choosing_pays_is_said_beside_what_is_in_use(compared: Compared) -> None:
    _, told, lines = compared
    (now,) = [one for one in told["candidates"] if one["present"]]
    assert told["pays"] == (told["outer"]["cost"] < now["cost"])
    (line,) = [line for line in lines if "what is in use now" in line]
    assert f"{1000 * now['cost']:.2f}" in line
    assert any(line.startswith("Choosing was not worth it") for line in lines) == (not told["pays"])


def test_where_no_candidate_beats_no_filter_nothing_is_chosen(taught: Path) -> None:
    """Sixty messages cannot make anything sure enough to risk a ham that costs a million spams."""
    told = tuned(taught, "--cost", 1_000_000, "--apply")
    assert told["undecided"] is True
    assert told["switched"] is False
    assert [one["model"] for one in told["candidates"] if one["chosen"]] == [present(taught)]
    lines = done("tune", *FEW, "--cost", 1_000_000, home=taught).lines
    assert any("nothing can be chosen" in line for line in lines)
    assert lines[-1].startswith("nothing was changed: in use is")
    assert not (taught / FILE).exists()


def test_costs_are_the_owners_and_a_hundred_unless_said_otherwise(compared: Compared) -> None:
    (usual,) = done("tune", "--json", "--folds", 3, "--jobs", 1, home=compared.home).objects
    for told, cost in ((compared.told, 1), (usual, 100)):
        assert told["ham_lost_costs"] == cost
        for one in told["candidates"]:
            assert one["cost"] == pytest.approx((cost * one["ham_lost"] + one["spam_missed"]) / 60)


def test_one_process_and_two_choose_the_same(compared: Compared) -> None:
    assert tuned(compared.home, "--jobs", 2) == compared.told


def test_the_table_shows_every_candidate_the_choice_and_what_it_is_worth(compared: Compared) -> None:
    _, told, lines = compared
    for one in told["candidates"]:
        (line,) = [line for line in lines if one["model"] in line.split()]
        assert line.startswith("*") == one["chosen"]
    text = "\n".join(lines)
    assert "60 messages" in text
    assert "near duplicates" in text
    assert "the choice, on unseen mail" in text
    assert "95 % confidence" in text


def switch(home: Path) -> str:
    """Have a choice other than the present one applied."""
    told = tuned(home, "--apply")
    assert told["switched"] is True, "the mail of this test must choose another model than the default"
    return named(told["chosen"])


def test_apply_switches_over_and_every_command_uses_the_choice(taught: Path, tmp_path: Path) -> None:
    model = switch(taught)
    assert present(taught) == model
    state = json.loads(done("status", "--json", home=taught).out)
    assert state["tuned"]["model"] == model
    assert (state["model"]["state"], state["model"]["lessons"]) == ("settled", 60)
    assert state["model"]["learner"] == model.partition(":")[0]
    assert f"tuned     {model}" in done("status", home=taught).out
    message = folder(tmp_path / "new", [ham(1)]) / "00000.eml"
    judged = done("check", "--json", message, home=taught).objects[0]
    options = dict(part.split("=") for part in model.partition(":")[2].split(","))
    same = tmp_path / "same"
    same.mkdir()
    (same / "config.toml").write_text(
        f"learner = '{model.partition(':')[0]}'\n" + "".join(f"{key} = {value}\n" for key, value in options.items())
    )
    done("learn", "--ham", tmp_path / "mail" / "ham", "--spam", tmp_path / "mail" / "spam", home=same)
    assert done("check", "--json", message, home=same).objects[0]["log_odds"] == pytest.approx(judged["log_odds"])


def test_undo_goes_back_and_forth(taught: Path) -> None:
    before = present(taught)
    model = switch(taught)
    assert "back to scaled-logistic" in done("tune", "--undo", home=taught).out
    assert present(taught) == before
    assert "tuned" not in done("status", home=taught).out
    assert json.loads(done("tune", "--undo", "--json", home=taught).out)["now"]["learner"] == model.partition(":")[0]
    assert present(taught) == model


def test_what_the_owner_has_set_comes_before_what_was_tuned(taught: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = switch(taught)
    other = "bernoulli" if not model.startswith("bernoulli") else "multinomial"
    assert json.loads(done("status", "--json", "--learner", other, home=taught).out)["tuned"] is None
    monkeypatch.setenv("THRESHER_LEARNER", other)
    told = tuned(taught)
    assert {one["model"].partition(":")[0] for one in told["candidates"]} == {other}


def test_a_choice_in_use_already_is_not_switched_to(taught: Path) -> None:
    switch(taught)
    before = (taught / FILE).read_bytes()
    assert "nothing to switch" in done("tune", "--apply", *FEW, home=taught).out
    assert (taught / FILE).read_bytes() == before


def test_models_of_choices_that_are_gone_are_deleted(taught: Path) -> None:
    switch(taught)
    stale = taught / "model-bernoulli--alpha-9-bits-9.snapshot"
    stale.write_bytes(b"")
    done("tune", "--undo", home=taught)
    assert not stale.exists()
    assert len(list(taught.glob("model-*--*.snapshot"))) == 1


def test_a_list_of_messages_is_compared_on_without_a_home(taught: Path, tmp_path: Path) -> None:
    lines = [f"{path.parent.name} {path}\n" for path in sorted((tmp_path / "mail").rglob("*.eml"))]
    (tmp_path / "index").write_text("".join(lines))
    told = tuned(tmp_path / "nowhere", "--index", tmp_path / "index")
    assert told["n"] == 60
    assert len({one["model"].rpartition("=")[2] for one in told["candidates"]}) == 2
    assert not (tmp_path / "nowhere").exists()
    assert run("tune", "--index", tmp_path / "index", "--apply", home=taught).code == 2


def test_too_few_lessons_are_refused_with_the_number_it_takes(home: Path, tmp_path: Path) -> None:
    done("learn", "--ham", folder(tmp_path / "ham", map(ham, range(3))), home=home)
    ran = run("tune", home=home)
    assert ran.code == 1
    assert "4 folds need 8 of each" in ran.err


@pytest.mark.parametrize(("options", "code", "said"), [
    (("--undo",), 1, "nothing was tuned"),
    (("--undo", "--apply"), 2, "not both"),
    (("--cost", "0"), 2, "range"),
    (("--folds", "2"), 2, "range"),
])  # fmt: skip
def test_what_cannot_be_done_is_said(taught: Path, options: tuple[str, ...], code: int, said: str) -> None:
    ran = run("tune", *options, home=taught)
    assert ran.code == code
    assert said in ran.err


def test_a_damaged_choice_is_named_with_the_way_out(taught: Path) -> None:
    (taught / FILE).write_text("[values]\nbits = 'many'\n")
    ran = run("check", taught / "config.toml", home=taught)
    assert ran.code == 1
    assert FILE in ran.err


def test_a_switch_is_there_for_other_processes_at_once(taught: Path) -> None:
    model = switch(taught)
    told = json.loads(program("status", "--json", home=taught).out)
    assert told["tuned"]["model"] == model
