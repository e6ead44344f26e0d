"""`thresher report`: a page of its own that shows what was measured, and in which nothing runs."""

import base64
import hashlib
import html
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.cli.making import demo_folders, folder, ham
from tests.cli.running import Ran, done, run

ODD = 'Subject: <img src=x onerror=alert(1)> & "quotes" \N{RIGHT-TO-LEFT OVERRIDE} turned\n'.encode()


class Reported(NamedTuple):
    """A page, and what the command said of it."""

    page: str
    told: dict[str, Any]
    listed: Path
    file: Path


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Reported:
    """Report once on 100 made-up messages, and a ham with an odd subject that is called spam in the list."""
    path = tmp_path_factory.mktemp("report")
    places = demo_folders(path / "mail", 100, 11)
    wanted = max(places[0].iterdir()).read_bytes()
    (places[1] / "00999.eml").write_bytes(re.sub(rb"(?mi)^subject: .*\n(?:[ \t].*\n)*", lambda _: ODD, wanted))
    paths = sorted((one for place in places for one in place.iterdir()), key=lambda one: one.name)
    index = path / "mail.index"
    index.write_text("".join(f"{one.parent.name} {one}\n" for one in paths))
    home = path / "home"
    home.mkdir()
    (home / "config.toml").write_text("bits = 14\n")
    out = path / "out.html"
    (told,) = done("report", "--index", index, "--out", out, "--json", "--jobs", 1, home=home).objects
    return Reported(out.read_text(), told, index, out)


def test_nothing_on_the_page_runs_or_is_fetched(reported: Reported) -> None:
    page = reported.page
    assert not re.search(r"<(script|iframe|object|embed|link|img|image|form|base)\b", page)
    assert not re.search(r"<[^>]*\s(on\w+|style|src|href)\s*=", page)
    links = set(re.findall(r'xlink:href="([^"]*)"', page)) | set(re.findall(r"url\(([^)]*)\)", page))
    assert links
    assert all(link.startswith("#") for link in links)
    style = page.partition("<style>")[2].partition("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert html.escape(f"default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-{digest}'") in page
    assert "@import" not in style


def test_every_figure_has_words_for_who_cannot_see_it(reported: Reported) -> None:
    figures = re.findall(r'<svg role="img" aria-label="([^"]+)"', reported.page)
    assert len(figures) == reported.page.count("<svg") == 9
    beginnings = (
        "ROC",
        "Histogram",
        "Reliability",
        "Error over time",
        "Learning curve",
        "Bias, variance",
        "Error against",
    )
    for beginning in beginnings:
        assert any(one.startswith(beginning) for one in figures), beginning


def test_names_of_parts_are_unique_and_every_one_used_is_there(reported: Reported) -> None:
    names = re.findall(r'\sid="([^"]+)"', reported.page)
    assert len(set(names)) == len(names) > 0
    used = re.findall(r'xlink:href="#([^"]*)"', reported.page) + re.findall(r"url\(#([^)]*)\)", reported.page)
    assert set(used) <= set(names)


def test_colours_are_the_pages_so_that_it_is_read_in_the_dark(reported: Reported) -> None:
    assert "prefers-color-scheme: dark" in reported.page
    assert "var(--text)" in reported.page
    assert "#01020" not in reported.page


@pytest.mark.parametrize("title", [
    "Spam caught against ham lost (ROC)", "Scores", "Do probabilities mean what they say?", "Over time",
    "Error against the number of lessons", "Bias, variance and noise", "Vocabulary size", "Smoothing", "Penalty",
    "Most telling words", "Worst mistakes",
])  # fmt: skip
def test_the_page_has_every_section(reported: Reported, title: str) -> None:
    assert re.search(rf"<h[23]>{re.escape(title)}</h[23]>", reported.page)


def test_its_figures_are_those_of_evaluate(reported: Reported) -> None:
    home = reported.file.parent / "home"
    (measured,) = done("evaluate", "--index", reported.listed, "--intervals", "--json", home=home).objects
    assert reported.told["n"] == measured["n"] == 101
    assert reported.told["near_duplicates"] == measured["near_duplicates"]
    for name, figure in reported.told["figures"].items():
        assert figure["value"] == pytest.approx(measured[name]), name
        between = measured["intervals"][name]
        assert (figure["low"], figure["high"]) == pytest.approx((between["low"], between["high"])), name
    assert f"{100 * measured['error_rate']:.3f} %" in reported.page


def test_a_mistake_is_told_with_its_reasons_and_no_harm_in_its_subject(reported: Reported) -> None:
    mistakes = reported.page.partition("<h2>Worst mistakes</h2>")[2]
    odd = [one for one in mistakes.split("<article>") if "00999.eml" in one]
    assert len(odd) == 1
    assert "taken for ham" in odd[0]
    assert "onerror" in odd[0]
    assert "<img" not in odd[0]
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in reported.page
    assert re.search(r'<td class="number">-\d\.\d\d</td>', odd[0])


def test_telling_words_stand_on_their_side(reported: Reported) -> None:
    words = reported.page.partition("<h2>Most telling words</h2>")[2].partition("<h2>")[0]
    towards_spam, towards_ham = words.split("towards ham")
    assert set(re.findall(r'"number">([+-])\d', towards_spam)) == {"+"}
    assert set(re.findall(r'"number">([+-])\d', towards_ham)) == {"-"}


def test_the_page_is_for_its_owner_only(reported: Reported) -> None:
    assert reported.file.stat().st_mode & 0o777 == 0o600


def without_time(page: str) -> str:
    return re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "", page)


def test_two_processes_say_the_same_as_one(reported: Reported, tmp_path: Path) -> None:
    home = reported.file.parent / "home"
    done("report", "--index", reported.listed, "--out", tmp_path / "2.html", "--jobs", 2, home=home)
    assert without_time((tmp_path / "2.html").read_text()) == without_time(reported.page)


def test_the_lessons_are_reported_and_left_alone(home: Path, tmp_path: Path) -> None:
    hams, spams = demo_folders(tmp_path / "mail", 60, 3)
    done("learn", "--ham", hams, "--spam", spams, home=home)
    before = {path.name: path.stat().st_mtime_ns for path in home.glob("*.s*")}
    out = tmp_path / "out.html"
    told = done("report", "--out", out, "--jobs", 1, home=home)
    assert told.lines[0].startswith(f"{out}: 60 messages, in ")
    assert f"lessons in {home}" in out.read_text()
    assert {path.name: path.stat().st_mtime_ns for path in home.glob("*.s*")} == before


def refused(home: Path, *options: object) -> Ran:
    ran = run("report", *options, home=home)
    assert ran.code == 1
    return ran


def test_too_little_mail_is_refused_with_the_number_it_takes(taught: Path, tmp_path: Path) -> None:
    assert "different ham; a report takes 20 of each" in refused(taught, "--out", tmp_path / "x.html").err
    assert not (tmp_path / "x.html").exists()


def test_where_nothing_was_learned_it_says_so(tmp_path: Path) -> None:
    assert "nothing has been learned" in refused(tmp_path / "fresh").err


def test_only_the_newest_messages_are_looked_at_if_so_asked(home: Path, tmp_path: Path) -> None:
    done("learn", "--ham", folder(tmp_path / "ham", map(ham, range(30))), home=home)
    assert "different ham; a report takes" in refused(home, "--last", 5, "--out", tmp_path / "x.html").err
