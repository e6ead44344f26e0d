"""``thresher config``: settings that cannot be used are all named with their places, before a daemon meets them."""

from pathlib import Path

import pytest

from tests.cli.running import done, run


def test_all_that_is_wrong_is_said_at_once_with_file_line_and_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "config.toml"
    file.write_text("bits = 'many'\nspam_form = 0.9\n\n[serve]\nworkers = 0\ntimeout = 2.5\n")
    monkeypatch.setenv("THRESHER_SERVE_QUEUE", "long")
    ran = run("config", "check", home=tmp_path)
    assert ran.code == 1
    said = sorted(line.removeprefix("thresher: ") for line in ran.err.splitlines())
    assert said == sorted(
        [
            "THRESHER_SERVE_QUEUE: expected `int`, got `str`",
            f"{file}, line 1, bits: expected `int`, got `str`",
            f"{file}, line 2, spam_form: there is no such setting; did you mean spam_from?",
            f"{file}, line 5, serve.workers: expected `int` >= 1",
        ]
    )
    assert sorted(run("config", "check", "--json", home=tmp_path).objects[0]["faults"]) == said


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("learner = 'best'", "line 1, learner: learner must be one of"),
        ("[serve]\nmilter = 'here'", "line 2, serve.milter: 'here' is no address"),
        ("promise = 2.0", "line 1, promise: "),
        ("x = = 1", "Invalid value (at line 1, column 5)"),
    ],
)
def test_what_has_the_right_type_and_is_of_no_use_is_found_too(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "config.toml").write_text(text)
    ran = run("config", "check", home=tmp_path)
    assert ran.code == 1
    assert told in ran.err


def test_settings_that_can_be_used_are_told_so(tmp_path: Path) -> None:
    assert "all can be used" in done("config", "check", home=tmp_path).out
    (tmp_path / "config.toml").write_text("[serve]\nmilter = 'unix:/run/x'\nspam = 'reject'\n")
    assert done("config", "check", home=tmp_path).out == f"{tmp_path / 'config.toml'}: all can be used\n"
    assert list(tmp_path.iterdir()) == [tmp_path / "config.toml"], "nothing is made"


def test_every_setting_is_shown_with_where_it_was_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "config.toml").write_text("user = 'ada'\n[serve]\ntoken = 'hidden from you'\n")
    monkeypatch.setenv("THRESHER_USER", "ben")
    shown = {row["key"]: row for row in done("config", "show", "--json", home=tmp_path).objects}
    assert shown["user"] == {"key": "user", "value": "ben", "set": "THRESHER_USER"}
    assert shown["serve.token"]["value"] == "***"
    assert shown["serve.token"]["set"] == f"{tmp_path / 'config.toml'}, line 3, serve.token"
    assert shown["serve.timeout"] == {"key": "serve.timeout", "value": 2.0, "set": None}
    out = done("config", "show", home=tmp_path).out
    assert "hidden" not in out
    assert any(line.split()[:2] == ["user", "ben"] for line in out.splitlines())
