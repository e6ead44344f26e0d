"""Learning from examples: estimators with scikit-learn's interface, and their formulas as free functions.

The law of this file: importing it imports nothing else. scikit-learn and scipy take a second to import, so a name is
looked up when it is first asked for, and one `check` of one message never pays for them.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thresher.learn.bag_of_words import count_words, telltale_scores, vocabulary
    from thresher.learn.categorical import CategoricalNaiveBayes
    from thresher.learn.discretizer import Discretizer
    from thresher.learn.discriminant import GaussianDiscriminant, SingularCovarianceWarning
    from thresher.learn.glm import GeneralizedLinearModel, LogisticRegression, SeparableDataWarning
    from thresher.learn.kernel_machine import KernelLMS
    from thresher.learn.kernels import (
        GaussianKernel,
        MercerError,
        MonomialKernel,
        PolynomialKernel,
        SpectrumKernel,
        check_mercer,
    )
    from thresher.learn.least_mean_squares import LeastMeanSquares
    from thresher.learn.least_squares import Ridge, SingularDesignWarning
    from thresher.learn.naive_bayes import BernoulliNaiveBayes, ImpossibleMessageWarning, MultinomialNaiveBayes
    from thresher.learn.polynomial import PolynomialBasis

_HOME = {
    "BernoulliNaiveBayes": "naive_bayes",
    "CategoricalNaiveBayes": "categorical",
    "Discretizer": "discretizer",
    "GaussianDiscriminant": "discriminant",
    "GaussianKernel": "kernels",
    "GeneralizedLinearModel": "glm",
    "ImpossibleMessageWarning": "naive_bayes",
    "KernelLMS": "kernel_machine",
    "LeastMeanSquares": "least_mean_squares",
    "LogisticRegression": "glm",
    "MercerError": "kernels",
    "MonomialKernel": "kernels",
    "MultinomialNaiveBayes": "naive_bayes",
    "PolynomialBasis": "polynomial",
    "PolynomialKernel": "kernels",
    "Ridge": "least_squares",
    "SeparableDataWarning": "glm",
    "SingularCovarianceWarning": "discriminant",
    "SingularDesignWarning": "least_squares",
    "SpectrumKernel": "kernels",
    "check_mercer": "kernels",
    "count_words": "bag_of_words",
    "telltale_scores": "bag_of_words",
    "vocabulary": "bag_of_words",
}

__all__ = [
    "BernoulliNaiveBayes",
    "CategoricalNaiveBayes",
    "Discretizer",
    "GaussianDiscriminant",
    "GaussianKernel",
    "GeneralizedLinearModel",
    "ImpossibleMessageWarning",
    "KernelLMS",
    "LeastMeanSquares",
    "LogisticRegression",
    "MercerError",
    "MonomialKernel",
    "MultinomialNaiveBayes",
    "PolynomialBasis",
    "PolynomialKernel",
    "Ridge",
    "SeparableDataWarning",
    "SingularCovarianceWarning",
    "SingularDesignWarning",
    "SpectrumKernel",
    "check_mercer",
    "count_words",
    "telltale_scores",
    "vocabulary",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
