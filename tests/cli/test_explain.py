"""`thresher explain`: shares that add up, as printed and in full; one message at a time."""

import json
import math
import re
import stat
from decimal import Decimal
from pathlib import Path

import pytest

from tests.cli.making import folder, ham, mbox, spam
from tests.cli.running import done, run
from thresher.view import LEARNERS

SHARE = re.compile(r"\s*([+-]\d+\.\d{4})  ")
each_learner = pytest.mark.parametrize("learner", sorted(LEARNERS))


def explained(home: Path, *options: str, raw: bytes = spam(90)) -> list[str]:
    return done("explain", "-", *options, home=home, stdin=raw).lines


def shares(lines: list[str]) -> tuple[list[Decimal], list[Decimal], dict[str, Decimal]]:
    """Read the printed figures: of groups, of features, and those at the foot by their first word."""
    groups: list[Decimal] = []
    features: list[Decimal] = []
    foot: dict[str, Decimal] = {}
    for line in lines[3:]:
        match = SHARE.match(line)
        if not match:
            continue
        rest = line[match.end() :]
        word = rest.split(":")[0]
        if "|" in rest[:12]:
            features.append(Decimal(match[1]))
        elif word in {"all others", "base", "total"}:
            foot[word] = Decimal(match[1])
        else:
            groups.append(Decimal(match[1]))
    return groups, features, foot


@each_learner
@pytest.mark.parametrize("options", [(), ("--top", "3"), ("--all",), ("--top", "100000")])
def test_the_printed_figures_add_up_to_the_printed_log_odds(
    taught: Path, learner: str, options: tuple[str, ...]
) -> None:
    lines = explained(taught, *options, "--learner", learner)
    groups, features, foot = shares(lines)
    total = Decimal(re.search(r"log-odds ([+-]\d+\.\d{4})", lines[0])[1])  # type: ignore[index]
    assert foot["total"] == total
    assert sum(groups) == sum(features)
    assert sum(groups) + foot.get("all others", Decimal()) + foot["base"] == total


def test_thirty_features_are_shown_unless_asked_otherwise(taught: Path) -> None:
    assert len(shares(explained(taught))[1]) == 30
    assert len(shares(explained(taught, "--top", "7"))[1]) == 7


def test_all_shows_every_feature_and_has_no_others(taught: Path) -> None:
    (whole,) = done("explain", "-", "--json", home=taught, stdin=spam(90)).objects
    _, features, foot = shares(explained(taught, "--all"))
    assert len(features) == len(whole["features"])
    assert "all others" not in foot


def test_the_others_are_counted(taught: Path) -> None:
    (whole,) = done("explain", "-", "--json", home=taught, stdin=spam(90)).objects
    lines = explained(taught, "--top", "5")
    assert any(line.endswith(f"all others: {len(whole['features']) - 5} features") for line in lines)


@each_learner
def test_the_shares_in_json_add_up_to_the_log_odds(taught: Path, learner: str) -> None:
    (whole,) = done("explain", "-", "--json", "--learner", learner, home=taught, stdin=spam(90)).objects
    total = math.fsum([whole["base"], *(feature["share"] for feature in whole["features"])])
    assert math.isclose(total, whole["log_odds"], rel_tol=1e-12, abs_tol=1e-12)
    assert whole["learner"] == learner


def test_json_says_what_check_says(taught: Path) -> None:
    (whole,) = done("explain", "-", "--json", home=taught, stdin=spam(90)).objects
    (checked,) = done("check", "-", "--json", home=taught, stdin=spam(90)).objects
    assert {key: whole[key] for key in checked} == checked
    assert whole["lessons"] == {"ham": 10, "spam": 10}


def test_each_feature_says_how_often_it_was_seen(taught: Path) -> None:
    (whole,) = done("explain", "-", "--json", home=taught, stdin=spam(90)).objects
    seen = {(each["field"], each["kind"], each["text"]): (each["spam"], each["ham"]) for each in whole["features"]}
    assert seen["body", "word", "congratulations"] == (10, 0)
    assert seen["to", "word", "home"] == (10, 10)
    assert seen["subject", "pair", "you won"] == (10, 0)


def test_the_head_says_verdict_and_on_how_many_lessons_it_rests(taught: Path) -> None:
    first, second, *_ = explained(taught, raw=ham(90))
    assert re.fullmatch(r"ham  probability 0\.\d{6}, log-odds -\d+\.\d{4}  -", first)
    assert second == "rests on 20 lessons: 10 ham and 10 spam; learner scaled-logistic"


def test_features_stand_beneath_the_field_they_stand_in(taught: Path) -> None:
    lines = explained(taught, "--all")
    heads = [line.split()[1] for line in lines if SHARE.match(line) and "|" not in line][:-2]
    assert {"subject", "from", "body", "reply-to"} <= set(heads)
    below = lines[next(i for i, line in enumerate(lines) if line.endswith("  subject")) + 1 :]
    assert any(line.endswith("  won") for line in below[: len(below) // 2])


def test_before_any_lesson_nothing_speaks_for_either(home: Path) -> None:
    _, features, foot = shares(explained(home))
    assert set(features) == {Decimal("0.0000")}
    assert foot["total"] == 0


def test_one_message_of_an_mbox_can_be_explained(taught: Path, tmp_path: Path) -> None:
    box = mbox(tmp_path / "box", [ham(1), spam(2)])
    assert done("explain", f"{box}#2", home=taught).lines[0].startswith("spam ")


@pytest.mark.parametrize("make", [folder, mbox])
def test_several_messages_are_refused_with_the_way_to_name_one(taught: Path, tmp_path: Path, make: object) -> None:
    assert callable(make)
    place = make(tmp_path / "place", [ham(1), ham(2)])
    ran = run("explain", place, home=taught)
    assert (ran.code, ran.out) == (1, "")
    assert "several messages" in ran.err
    assert "MBOX#3" in ran.err


def test_all_and_top_together_are_wrong_usage(taught: Path) -> None:
    assert run("explain", "-", "--all", "--top", "3", home=taught, stdin=ham(1)).code == 2


def test_without_a_terminal_there_are_no_colours(taught: Path) -> None:
    assert "\x1b" not in done("explain", "-", home=taught, stdin=spam(90)).out


def test_what_a_message_says_cannot_steer_the_terminal(taught: Path) -> None:
    """A C1 control character as UTF-8, which stays within a word, starts an escape sequence on some terminals."""
    raw = b"From: x\nSubject: \xc2\x9b31mred\xe2\x80\xaegnihsif\n\nhello \xc2\x9b2J there\n"
    out = done("explain", "-", "--all", home=taught, stdin=raw).out
    assert [character for character in out if not character.isprintable() and character != "\n"] == []


def test_html_writes_a_page_that_only_its_owner_reads(taught: Path, tmp_path: Path) -> None:
    page = tmp_path / "why.html"
    page.touch(mode=0o644)
    lines = done("explain", "-", "--html", page, home=taught, stdin=spam(90)).lines
    assert lines[-1] == f"marked in its text: {page}"
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    assert "<mark" in page.read_text()


def test_html_and_json_go_together(taught: Path, tmp_path: Path) -> None:
    out = done("explain", "-", "--json", "--html", tmp_path / "why.html", home=taught, stdin=spam(90)).out
    assert json.loads(out)["verdict"] == "spam"
    assert (tmp_path / "why.html").exists()


def test_a_page_that_cannot_be_written_is_said(taught: Path, tmp_path: Path) -> None:
    page = tmp_path / "nowhere" / "why.html"
    ran = run("explain", "-", "--html", page, home=taught, stdin=spam(90))
    assert ran.code == 1
    assert f"{page}: no such file or directory" in ran.err
