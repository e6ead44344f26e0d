"""Running learners as scikit-learn classifiers: fitted, they are the filter."""

from functools import partial

import numpy as np
import pytest
from sklearn.base import clone, is_classifier

from thresher.choose.curves import learning_curve
from thresher.choose.protocols import Examples, Filter
from thresher.choose.running_models import RunningClassifier, apart, together
from thresher.learn.hashing import Features
from thresher.view import learner_named

MAKE = partial(learner_named, "multinomial", 10)


def mail(n: int, seed: int) -> Examples:
    """Slots below 512 for ham, above for spam, and some of both."""
    random = np.random.default_rng(seed)
    is_spam = random.random(n) < 0.4
    slots = [np.unique(random.integers(0, 512, 20) + 512 * (spam & (random.random(20) < 0.8))) for spam in is_spam]
    return Examples(together(slots), is_spam)


def test_messages_taken_apart_and_put_together_are_the_same() -> None:
    features = mail(20, 1).features
    back = together(apart(features))
    assert np.array_equal(back.slots, features.slots)
    assert np.array_equal(back.offsets, features.offsets)
    assert len(together([])) == 0


def test_it_predicts_what_the_filter_says() -> None:
    examples = mail(60, 2)
    messages = apart(examples.features)
    fitted = RunningClassifier(MAKE).fit(messages, examples.is_spam.astype(int))
    taught = Filter(MAKE)
    taught.learn_mixed(examples, np.arange(60))
    said = taught.score(examples.features).probability
    assert np.array_equal(fitted.predict_proba(messages)[:, 1], said)
    assert np.allclose(fitted.predict_proba(messages).sum(axis=1), 1)
    assert np.array_equal(fitted.predict(messages), (said > 0.5).astype(int))
    assert is_classifier(clone(fitted))


@pytest.mark.parametrize("label", [0, 1])
def test_with_one_class_taught_it_knows_that_there_are_two(label: int) -> None:
    messages = apart(mail(10, 3).features)
    fitted = RunningClassifier(MAKE).fit(messages, [label] * 10)
    assert fitted.classes_.tolist() == [0, 1]
    assert fitted.filter_.learner.n_spam == 10 * label
    assert fitted.predict_proba(messages).shape == (10, 2)


def test_its_learning_curve_falls() -> None:
    examples = mail(300, 4)
    y = examples.is_spam.astype(int)
    curve = learning_curve(RunningClassifier(MAKE), apart(examples.features), y, [4, 150], repeats=3, loss="zero_one")
    assert curve.test[1].mean() < curve.test[0].mean()


def test_an_empty_batch_is_a_batch() -> None:
    fitted = RunningClassifier(MAKE).fit(apart(mail(10, 5).features), [0, 1] * 5)
    assert fitted.predict_proba([]).shape == (0, 2)
    assert isinstance(together([]), Features)
