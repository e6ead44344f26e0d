"""Settings: from file, environment and options, in that order, and an error names the place."""

from pathlib import Path

import pytest

from thresher.config import ConfigError, Deed, Settings, default_home, keys, read_settings
from thresher.store.tuned import Tuned, write_tuned


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def test_options_beat_the_environment_and_that_beats_the_file(file: Path) -> None:
    file.write_text(
        "bits = 10\nuser = 'file'\nlearner = 'bernoulli'\n[serve]\nworkers = 2\ntimeout = 3\nspam = 'reject'\n"
    )
    environment = {"THRESHER_USER": "environment", "THRESHER_LEARNER": "multinomial", "THRESHER_SERVE_WORKERS": "4"}
    settings = read_settings(file.parent, {"learner": "scaled-logistic", "serve.milter": None}, environment)
    assert (settings.bits, settings.user, settings.learner) == (10, "environment", "scaled-logistic")
    assert (settings.serve.workers, settings.serve.timeout, settings.serve.spam) == (4, 3.0, Deed.REJECT)


def test_the_environment_speaks_of_switches_and_numbers(file: Path) -> None:
    settings = read_settings(file.parent, {}, {"THRESHER_SERVE_LEARNING": "true", "THRESHER_SPAM_FROM": "0.8"})
    assert settings.serve.learning
    assert settings.spam_from == 0.8


def test_every_setting_has_a_name_of_its_own() -> None:
    named = list(keys())
    assert {"home", "bits", "serve.milter", "serve.timeout"} <= set(named)
    assert len({name.replace(".", "_") for name in named}) == len(named)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("bits = 'many'", "line 1, bits: expected `int`, got `str`"),
        ("\n# bits\nbitts = 3", "line 3, bitts: there is no such setting; did you mean bits?"),
        ("[serve]\n\nworkers = 0", "line 3, serve.workers: expected `int` >= 1"),
        ("[serve]\nmlter = 'x'", "line 2, serve.mlter: there is no such setting; did you mean serve.milter?"),
        ("serve.timeout = -1", "line 1, serve.timeout: expected `float` > 0.0"),
        ("bits = 3\n[ serve ]\nspam = 'drop'", "line 3, serve.spam: invalid enum value 'drop'"),
        ("serve = 3", "line 1, serve: expected `object`, got `int`"),
        ("serve = {socket_mode = 'rw'}", "serve.socket_mode: expected `str` matching regex"),
        ("[elsewhere]\nx = 1", "line 1, elsewhere: there is no such setting"),
        ("x = = 1", "Invalid value (at line 1, column 5)"),
    ],
)
def test_an_error_names_file_line_and_key(file: Path, text: str, said: str) -> None:
    file.write_text(text)
    with pytest.raises(ConfigError) as raised:
        read_settings(file.parent, {}, {})
    assert str(raised.value).startswith(str(file))
    assert said in str(raised.value)


def test_an_error_in_the_environment_names_the_variable() -> None:
    with pytest.raises(ConfigError, match=r"^THRESHER_SERVE_TIMEOUT: expected `float`, got `str`"):
        read_settings(Path("nowhere"), {}, {"THRESHER_SERVE_TIMEOUT": "soon"})


def test_an_error_on_the_command_line_names_the_option() -> None:
    with pytest.raises(ConfigError, match=r"^--workers: expected `int` >= 1"):
        read_settings(Path("nowhere"), {"serve.workers": 0}, {})


def test_a_file_that_is_no_text_is_refused(file: Path) -> None:
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match=r"config\.toml"):
        read_settings(file.parent, {}, {})


def test_a_file_that_is_a_folder_is_refused(file: Path) -> None:
    file.mkdir()
    with pytest.raises(ConfigError, match="is a directory"):
        read_settings(file.parent, {}, {})


def test_without_any_word_the_defaults_hold(tmp_path: Path) -> None:
    assert read_settings(tmp_path, {}, {}) == Settings(home=tmp_path)


def test_the_environment_may_name_the_home_with_a_tilde(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert read_settings(None, {}, {"THRESHER_HOME": "~/mail"}).home == tmp_path / "mail"


def test_a_home_named_on_the_command_line_beats_the_environment(tmp_path: Path) -> None:
    assert read_settings(tmp_path, {}, {"THRESHER_HOME": "/elsewhere"}).home == tmp_path


def test_without_a_name_the_home_is_the_platforms_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert default_home({}).name == "thresher"
    assert tmp_path in default_home({}).parents


def test_what_was_tuned_beats_the_defaults_and_nothing_else(file: Path) -> None:
    write_tuned(file.parent, Tuned({"learner": "multinomial", "alpha": 0.5, "bits": 12}, {}))
    settings = read_settings(file.parent, {}, {})
    assert (settings.learner, settings.alpha, settings.bits) == ("multinomial", 0.5, 12)
    file.write_text("bits = 13\n")
    settings = read_settings(file.parent, {}, {"THRESHER_ALPHA": "0.25"})
    assert (settings.learner, settings.alpha, settings.bits) == ("multinomial", 0.25, 13)


def test_what_was_tuned_for_one_learner_is_not_used_for_another(file: Path) -> None:
    write_tuned(file.parent, Tuned({"learner": "multinomial", "alpha": 0.5}, {}))
    settings = read_settings(file.parent, {"learner": "bernoulli"}, {})
    assert (settings.learner, settings.alpha) == ("bernoulli", None)


@pytest.mark.parametrize("text", ["[values]\nbits = 'x'\n", "[values]\nbit = 3\n", "[values", "[values]\nalpha = 0\n"])
def test_a_choice_that_cannot_be_used_is_named_with_the_file(file: Path, text: str) -> None:
    (file.parent / "tuned.toml").write_text(text)
    with pytest.raises(ConfigError, match=r"tuned\.toml"):
        read_settings(file.parent, {}, {})
