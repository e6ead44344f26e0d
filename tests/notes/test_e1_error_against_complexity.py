"""E1: training error keeps improving with complexity, test error turns; against M, lambda, alpha, words, messages."""

import numpy as np
import pytest
from numpy.typing import NDArray

from thresher.choose.experiments import (
    ALPHAS,
    DEGREES,
    CommonestWords,
    error_against_alpha,
    error_against_degree,
    error_against_lambda,
    error_against_messages,
    error_against_vocabulary,
)
from thresher.learn import BernoulliNaiveBayes, MultinomialNaiveBayes
from thresher.report.figures.mail import Mail, made_up

Floats = NDArray[np.float64]


@pytest.fixture(scope="module")
def mail() -> Mail:
    return made_up(400, seed=3)


def falls(losses: Floats) -> bool:
    """But for rounding, which an interpolating polynomial's weights of a million multiply."""
    return bool((np.diff(losses) <= 1e-6).all())


def turns(losses: Floats) -> bool:
    """The least of them is at neither end, and what follows is worse by a tenth at least."""
    least = int(losses.argmin())
    return 0 < least < len(losses) - 1 and losses[-1] > 1.1 * losses[least]


def test_against_the_degree_training_error_falls_on_every_data_set_and_test_error_turns() -> None:
    found = error_against_degree(runs=25)
    assert all(falls(run) for run in found.train.T)
    assert np.median(found.train[-1]) == pytest.approx(0, abs=1e-6)  # ten points, ten weights
    assert turns(np.median(found.test, axis=1))
    assert np.median(found.test, axis=1).argmin() in {DEGREES.index(M) for M in (3, 4, 5)}


def test_against_ever_less_regularization_the_same() -> None:
    found = error_against_lambda(runs=25)
    assert all(falls(run) for run in found.train.T)
    assert turns(np.median(found.test, axis=1))


def test_with_more_examples_the_high_degree_stops_failing() -> None:
    few, many = (error_against_degree([9], n=n, runs=25) for n in (15, 500))
    assert np.median(few.test) > 2 * np.median(many.test)
    assert np.median(many.test) < 1.1 * 0.09  # the noise


@pytest.mark.parametrize("model", [BernoulliNaiveBayes(), MultinomialNaiveBayes()])
def test_on_mail_against_ever_less_smoothing_training_error_falls_and_validation_error_turns(
    mail: Mail, model: BernoulliNaiveBayes
) -> None:
    curve = error_against_alpha(model, mail.X, mail.y, groups=mail.groups)
    train, validation = curve.train.mean(axis=1), curve.validation.mean(axis=1)
    assert (np.diff(train) <= 0.01).all()
    assert train[-1] < 0.01 < validation[-1]
    assert turns(validation)
    assert 1e-9 < curve.chosen < max(ALPHAS)


def test_on_mail_against_the_number_of_words_training_error_falls_and_validation_loss_turns(mail: Mail) -> None:
    """Errors alone do not turn here: a thousand rare words still help. That the model is ever too sure of them does."""
    sizes = [3, 30, 100, 300, 1000, 3000]
    model = MultinomialNaiveBayes(alpha=0.01)
    errors = error_against_vocabulary(model, mail.X, mail.y, sizes, groups=mail.groups)
    assert errors.train.mean(axis=1)[0] > 0.2
    assert errors.train.mean(axis=1)[-1] < 0.05
    assert (errors.validation - errors.train).mean(axis=1)[-1] > 0.02
    losses = error_against_vocabulary(model, mail.X, mail.y, sizes, groups=mail.groups, loss="log")
    assert turns(losses.validation.mean(axis=1))


def test_on_mail_against_the_number_of_messages_training_and_test_error_approach_each_other(mail: Mail) -> None:
    curve = error_against_messages(
        BernoulliNaiveBayes(alpha=0.01), mail.X, mail.y, [10, 50, 250], groups=mail.groups, repeats=8
    )
    test, gap = curve.test.mean(axis=1), (curve.test - curve.train).mean(axis=1)
    assert (np.diff(test) < -0.02).all()
    assert (np.diff(gap) < -0.02).all()


def test_the_commonest_words_are_those_of_the_training_messages() -> None:
    X = np.array([[1, 0, 2, 0], [0, 0, 1, 5], [0, 0, 1, 1]])
    words = CommonestWords(2).fit(X)
    assert words.kept_.tolist() == [2, 3]
    assert words.transform([[9, 8, 7, 6]]).tolist() == [[7, 6]]
    assert CommonestWords(99).fit(X).kept_.tolist() == [2, 3, 0, 1]
