"""Maximum likelihood, or maximum posterior, of a generalized linear model by Newton's method: arrays in, arrays out.

The law of this file: with the canonical response Newton's method is iteratively reweighted least squares, and the loss
is convex, so a step that makes it worse is halved until it does not. Data may leave the best parameters infinite or
open: then the search stops where nothing is gained any more, and the result says which of the two it was.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cho_solve, cholesky

from thresher.learn._factor import factor
from thresher.learn.event_models import Floats
from thresher.learn.families import Family

# Numbers of a block of rows: it stays in the cache while it is weighted and multiplied.
BLOCK = 2**16

FAR = 1e3  # deviations; the Gram matrix then keeps 10 of 16 digits
SOME = 100  # more rows than features are looked at for it

# Armijo's condition: a step must gain this share of what its slope promises.
ENOUGH = 1e-4
HALVINGS = 60  # below 2^-60 a step changes no digit

# A Hessian serves on as long as each step promises at most this share of what the one before did: making it anew takes
# as long as three steps; evidence/irls.md.
KEEP = 0.01
KEPT = 1e-4  # of the tolerance: steps with an old Hessian no longer square the error, so they end later

# A loss is a sum of terms that partly cancel; this share of it is taken for rounding.
ROUNDING = 1e-13

# A matrix that rounding left indefinite gets this much of its diagonal added, and a hundred times more until it is not.
DAMPING = 1e-13

# Newton's last steps shrink to nothing where there is an optimum. If they still move some eta by as much, there is none
# or it is further away than the tolerance can tell.
STILL_MOVING = 0.1
SLACK = 1e-2  # components of the direction below this share of the largest are what is left of the finite part


class Objective(NamedTuple):
    """sum_i w_i (A(eta_i) - eta_i' y_i) + lam/2 |coef|^2 with eta_i = intercept + coef x_i."""

    X: Floats
    Y: Floats
    """(N, K)"""
    weights: Floats
    family: Family
    lam: float
    fit_intercept: bool


class Fit(NamedTuple):
    """The parameters found, and how."""

    intercept: Floats
    """(K,)"""
    coef: Floats
    """(K, d)"""
    n_iter: int
    converged: bool
    rank: int
    """Of the centred examples; less than d if lam is 0 and the data leave some direction open."""
    separable: bool
    """Whether the loss only ever falls in some direction, so that the best parameters are infinite."""


class _Curvature(NamedTuple):
    """The Hessian S L L' S, in the span of the basis if there is one."""

    lower: Floats
    scale: Floats
    basis: Floats | None


class _Design:
    """The examples, with a first column of ones if there is an intercept that is never written out."""

    def __init__(self, of: Objective) -> None:
        self.constant = int(of.fit_intercept)
        self.centre = of.weights @ of.X / of.weights.sum() * self.constant
        self.X = of.X
        # Numbers like years, far from zero for their spread, would lose their digits in the Gram matrix, and of several
        # solutions the one with the smallest coefficients is to be found whatever the intercept. A copy about the mean
        # sees to both; where it is not needed it would take as long as a step.
        far = np.abs(self.centre) > FAR * of.X[: len(self.centre) + SOME].std(axis=0)
        if of.lam == 0 or far.any():
            self.X = of.X - self.centre
        else:
            self.centre = np.zeros_like(self.centre)
        self.width = of.X.shape[1] + self.constant
        self.block = np.empty((max(1, BLOCK // of.X.shape[1]), of.X.shape[1]))

    def eta(self, theta: Floats) -> Floats:
        """The natural parameters of each example, (N, K), for theta of shape (K, p)."""
        eta = self.X @ theta[:, self.constant :].T
        return np.asarray(eta + theta[:, 0] if self.constant else eta)

    def transposed(self, residual: Floats) -> Floats:
        """The product of the transposed design and an (N, K) matrix, as (K, p)."""
        product = np.stack([column @ self.X for column in np.ascontiguousarray(residual.T)])
        return np.column_stack([residual.sum(axis=0), product]) if self.constant else product

    def gram(self, weights: Floats) -> Floats:
        """X' diag(weights) X, (p, p)."""
        root = np.sqrt(weights)[:, np.newaxis]
        gram = np.zeros((self.width, self.width))
        of_features = gram[self.constant :, self.constant :]
        for start in range(0, len(self.X), len(self.block)):
            part = self.block[: len(self.X) - start]
            np.multiply(self.X[start : start + len(part)], root[start : start + len(part)], out=part)
            of_features += part.T @ part
        if self.constant:
            gram[0, 0] = weights.sum()
            gram[0, 1:] = gram[1:, 0] = weights @ self.X
        return gram


def irls(of: Objective, *, tol: float, max_iter: int) -> Fit:
    """Minimize the objective; `tol` is the share of the first Newton decrement at which the search ends."""
    design = _Design(of)
    theta = np.zeros((of.Y.shape[1], of.X.shape[1] + design.constant))
    if design.constant:
        theta[:, 0] = of.family.natural(of.weights @ of.Y / of.weights.sum())
    eta = design.eta(theta)
    loss = _loss(of, design, theta, eta)
    basis, rank = _row_space(of, design)
    converged, n_iter, first, before = False, 0, 0.0, 0.0
    eta_step, curvature = np.zeros_like(eta), None
    while n_iter < max_iter and not converged:
        n_iter += 1
        mean = of.family.response(eta)
        gradient = design.transposed(of.weights[:, np.newaxis] * (mean - of.Y)) + _penalty(of, design) * theta
        step, decrement = _step(curvature, gradient)
        fresh = curvature is None or decrement > KEEP * before
        if fresh:
            curvature = _factored(_hessian(of, design, mean), basis)
            step, decrement = _step(curvature, gradient)
        first, before = first or decrement, decrement
        eta_step = design.eta(step)
        taken, loss = _search(of, design, (theta, eta, loss), (step, eta_step, decrement))
        if taken == 0.0:
            converged = decrement <= ROUNDING * (abs(loss) + first)
            break
        theta, eta, eta_step = theta + taken * step, eta + taken * eta_step, taken * eta_step
        converged = decrement <= tol * first * (1.0 if fresh else KEPT)
    coef = theta[:, design.constant :]
    intercept = theta[:, 0] - coef @ design.centre if design.constant else np.zeros(len(theta))
    return Fit(intercept, coef, n_iter, converged, rank, is_recession(of, eta_step))


# Rockafellar 1970, section 8: f has no minimum along d if the limit of f(t d) / t is not above 0; here for each example
def is_recession(of: Objective, direction: Floats) -> bool:
    """Whether going on in this direction of eta, (N, K), makes no example's loss worse and some better, for ever."""
    seen = of.weights > 0
    direction, Y = direction[seen], of.Y[seen]
    size = float(np.abs(direction).max(initial=0.0))
    if size < STILL_MOVING:
        return False
    slack = SLACK * size
    rise = of.family.slope(direction, slack) - (Y * direction).sum(axis=1)
    return bool((rise <= slack * (1.0 + np.abs(Y).max(axis=1))).all())


def _loss(of: Objective, design: _Design, theta: Floats, eta: Floats) -> float:
    likelihood = of.weights @ (of.family.log_partition(eta) - (eta * of.Y).sum(axis=1))
    return float(likelihood) + 0.5 * of.lam * float((theta[:, design.constant :] ** 2).sum())


def _penalty(of: Objective, design: _Design) -> Floats:
    """What each column of the design is charged: lam, and the constant one nothing."""
    penalty = np.full(of.X.shape[1] + design.constant, of.lam)
    penalty[: design.constant] = 0.0
    return penalty


# 002: the Hessian of a canonical model, H_ab = X' diag(w A''_ab(eta)) X + lam I, (K, p, K, p)
def _hessian(of: Objective, design: _Design, mean: Floats) -> Floats:
    K, p = mean.shape[1], of.X.shape[1] + design.constant
    hessian = np.empty((K, p, K, p))
    for a in range(K):
        hessian[a, :, a, :] = design.gram(of.weights * of.family.variance(mean, a, a)) + np.diag(_penalty(of, design))
        for b in range(a):
            hessian[a, :, b, :] = -design.gram(of.weights * of.family.variance(mean, a, b))
            hessian[b, :, a, :] = hessian[a, :, b, :]
    if K > 1:
        # Adding the same to the parameters of all classes changes nothing, so H is singular there. The gradient has no
        # share in that direction, and with any curvature put there the step has none either.
        ridge = np.diag(np.einsum("apap->p", hessian) / K)
        hessian += ridge[np.newaxis, :, np.newaxis, :]
    return hessian


def _row_space(of: Objective, design: _Design) -> tuple[Floats | None, int]:
    """A basis of the directions that data or penalty tell anything about, (p, rank), or None for all; and their number.

    It is that of the design: curvatures that vanish later, as on separable data, are no reason to look away.
    """
    d = of.X.shape[1]
    if of.lam > 0:
        return None, d
    factored = factor(design.gram(of.weights))
    if factored.rank == d + design.constant:
        return None, d
    # Spanned by the examples themselves, so that of all solutions the smallest is found.
    basis, _ = np.linalg.qr(factored.root * factored.deviation[:, np.newaxis])
    return basis, factored.rank - design.constant


def _factored(hessian: Floats, basis: Floats | None) -> _Curvature:
    """Take the Hessian apart, in the span of the basis if there is one."""
    if basis is not None:
        hessian = np.einsum("apbq,pr,qs->arbs", hessian, basis, basis, optimize=True)
    flat = hessian.reshape(hessian.shape[0] * hessian.shape[1], -1)
    scale = np.sqrt(np.diag(flat))
    scale = np.where(scale > 0, scale, 1.0)
    correlation = flat / np.outer(scale, scale)
    damping = 0.0
    while True:
        try:
            return _Curvature(cholesky(correlation + damping * np.eye(len(flat)), lower=True), scale, basis)
        except LinAlgError:
            damping = max(100.0 * damping, DAMPING)


def _step(by: _Curvature | None, gradient: Floats) -> tuple[Floats, float]:
    """The step that solves H step = -gradient, and its decrement, which is twice what the step promises to gain."""
    if by is None:
        return gradient, np.inf
    inside = gradient if by.basis is None else gradient @ by.basis
    step = -cho_solve((by.lower, True), inside.ravel() / by.scale) / by.scale
    step = step.reshape(inside.shape)
    return (step if by.basis is None else step @ by.basis.T), -float((inside * step).sum())


def _search(
    of: Objective,
    design: _Design,
    at: tuple[Floats, Floats, float],
    towards: tuple[Floats, Floats, float],
) -> tuple[float, float]:
    """The share of the step that is taken, 0 if none gains anything, and the loss there."""
    theta, eta, loss = at
    step, eta_step, decrement = towards
    share = 1.0
    for _ in range(HALVINGS):
        there = _loss(of, design, theta + share * step, eta + share * eta_step)
        if there <= loss - ENOUGH * share * decrement + ROUNDING * abs(loss):
            return share, there
        share *= 0.5
    return 0.0, loss
