"""F1: the whole pipeline, from labelled mail to a filter at work: one command for each step, and one that does all."""

from pathlib import Path

import pytest

from tests.cli.making import spam
from tests.cli.running import done, run

MESSAGES = 240


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep the settings of whoever runs the tests out of them."""
    for name in ("HOME", "LEARNER", "BITS", "USER"):
        monkeypatch.delenv(f"THRESHER_{name}", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "somebody"))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)


def test_one_command_for_each_step(tmp_path: Path) -> None:
    """Collect, test two candidates by cross-validation, choose between them, train, see features, judge new mail."""
    mail, home = tmp_path / "mail", tmp_path / "home"
    done("demo-mail", mail, "--messages", MESSAGES)
    errors = {}
    for learner in ("multinomial", "scaled-logistic"):
        out = tmp_path / f"{learner}.tsv"
        (tested,) = done(
            "evaluate", "--index", mail / "index", "--folds", 4, "--learner", learner, "--results", out, "--json"
        ).objects
        assert tested["n"] == MESSAGES
        errors[learner] = tested["error_rate"]
    assert max(errors.values()) < 0.3
    assert run("compare", *(tmp_path / f"{learner}.tsv" for learner in errors)).code == 0
    chosen = min(errors, key=lambda learner: errors[learner])
    settings = ("--learner", chosen)
    done("learn", *settings, "--ham", mail / "ham", "--spam", mail / "spam", home=home)
    new = tmp_path / "new.eml"
    new.write_bytes(spam(1))
    assert "lottery" in done("explain", new, home=home).out
    (judged,) = done("check", "--json", new, home=home).objects
    assert judged["probability"] > 0.5


def test_one_command_that_does_all(tmp_path: Path) -> None:
    """Mail is made, learned, new mail judged and its spam filed, and one verdict explained."""
    out = done("demo", "--dir", tmp_path / "demo").out
    steps = ["A made-up mailbox", "Learning", "new messages arrive", "filed into .Junk", "Why one of them is spam"]
    assert [step for step in steps if step not in out] == []
    assert sorted(steps, key=out.index) == steps
