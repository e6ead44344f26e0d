"""Settings make an engine, or an error that names the setting."""

from contextlib import closing
from pathlib import Path

import pytest

from thresher.build import build_engine
from thresher.config import ConfigError, Settings
from thresher.decide import Policy
from thresher.values import ThresherError
from thresher.view import LEARNERS


@pytest.mark.parametrize("learner", sorted(LEARNERS))
def test_the_engine_is_that_of_the_settings(tmp_path: Path, learner: str) -> None:
    settings = Settings(home=tmp_path, learner=learner, bits=9, user="ada", spam_from=0.8, ham_to=0.3, promise=0.02)
    engine = build_engine(settings, settle_seconds=7.0)
    with closing(engine.journal):
        assert isinstance(engine.view.learner, LEARNERS[learner])
        assert engine.view.learner.bits == 9
        assert engine.view.settle_seconds == 7.0
        assert (engine.user, engine.policy) == ("ada", Policy(0.8, 0.3, 0.02))


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"learner": "guesswork"}, "guesswork"),
        ({"spam_from": 0.1, "ham_to": 0.5}, "spam_from 0.1"),
        ({"spam_from": 1.5}, "spam_from 1.5"),
        ({"promise": 0.0}, "promise"),
        ({"confidence": 1.0}, "confidence"),
        ({"bits": 3}, "not 3"),
    ],
)
def test_a_setting_that_cannot_be_is_named(tmp_path: Path, changes: dict[str, object], named: str) -> None:
    settings = Settings(home=tmp_path, **{"bits": 9, **changes})  # type: ignore[arg-type]
    with pytest.raises(ThresherError, match=named) as caught:
        build_engine(settings)
    assert isinstance(caught.value, ConfigError) or "learner" in changes
