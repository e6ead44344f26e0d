"""Maximum likelihood, or maximum posterior, of a generalized linear model by Newton's method: arrays in, arrays out.

The law of this file: with the canonical response Newton's method is iteratively reweighted least squares, and the loss
is convex, so a step that makes it worse is halved until it does not. Data may leave the best parameters infinite or
open: then the search stops where nothing is gained any more, and the result says which of the two it was.
"""

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_solve, cholesky

from thresher.learn._factor import factor, reciprocal_condition
from thresher.learn.event_models import Floats
from thresher.learn.families import Family

# Numbers of a block of rows: it stays in the cache while it is weighted and multiplied.
BLOCK = 2**16

EXACT, ROUNDED, SAMPLED = "exact", "rounded", "sampled"

FAR = 1e3  # deviations; the Gram matrix then keeps 10 of 16 digits
SOME = 100  # more rows than features are looked at for it

# Armijo's condition: a step must gain this share of what its slope promises.
ENOUGH = 1e-4
HALVINGS = 60  # below 2^-60 a step changes no digit

# A Hessian serves on as long as each step promises at most this share of what the one before did: making it anew takes
# as long as three steps; evidence/irls.md.
KEEP = 0.01
KEPT = 1e-4  # of the tolerance: steps with an old Hessian no longer square the error, so they end later

# A Hessian only says which way to go; where the search ends the gradient says. So with many examples and a penalty,
# which makes the minimum one and finite, the first Hessian is that of some of the examples, all are summed in single
# precision unless they are nearly singular, and a Hessian that is kept learns from each step; evidence/irls.md.
KEEP_LEARNING = 0.1  # as KEEP, for those that learn; their steps soon shrink as fast as those of new ones
SAMPLE = 4  # the first is of each fourth example,
MANY = 40  # if there are then still so many for each parameter: the step errs by about the root of one over that
SINGLE = 1e-4  # reciprocal condition from which on seven digits will do: a step then errs by a hundredth at most
MODERATE = 1e6  # sizes of features that need no scaling for it: their products are far from 1e38, the largest number

# A loss is a sum of terms that partly cancel; this share of it is taken for rounding.
ROUNDING = 1e-13

# A matrix that rounding left indefinite gets this much of its diagonal added, and a hundred times more until it is not.
DAMPING = 1e-13

# Newton's last steps shrink to nothing where there is an optimum. If they still move some eta by as much, there is none
# or it is further away than the tolerance can tell.
STILL_MOVING = 0.1
SLACK = 1e-2  # components of the direction below this share of the largest are what is left of the finite part


Number = TypeVar("Number", np.float32, np.float64)


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
    """The Hessian S L L' S, in the span of the basis if there is one, and what was learned since it was made."""

    lower: Floats
    scale: Floats
    basis: Floats | None
    exact: bool
    """Whether it is that of all examples, in double precision."""
    learned: list[tuple[Floats, Floats, float]]
    """Steps, what they changed the gradient by, and the products of both."""

    def learn(self, step: Floats, change: Floats) -> None:
        """Take in what a step showed; a change that is rounding shows nothing."""
        product = float(np.vdot(step, change))
        if product > 0:
            self.learned.append((step, change, product))

    # Nocedal and Wright 2006, algorithm 7.4 (the recursion of BFGS), from this Hessian instead of a multiple of I
    def solve(self, gradient: Floats) -> Floats:
        """The step that the gradient would take to its zero."""
        along, shares = gradient, []
        for step, change, product in reversed(self.learned):
            shares.append(float(np.vdot(step, along)) / product)
            along = along - shares[-1] * change
        inside = along if self.basis is None else along @ self.basis
        solved = (cho_solve((self.lower, True), inside.ravel() / self.scale) / self.scale).reshape(inside.shape)
        back = solved if self.basis is None else solved @ self.basis.T
        for (step, change, product), share in zip(self.learned, reversed(shares), strict=True):
            back = back + step * (share - float(np.vdot(change, back)) / product)
        return np.asarray(-back)


class _Design:
    """The examples, with a first column of ones if there is an intercept that is never written out."""

    def __init__(self, of: Objective) -> None:
        self.constant = int(of.fit_intercept)
        self.centre = np.zeros(of.X.shape[1])
        self.X = of.X
        # Numbers like years, far from zero for their spread, would lose their digits in the Gram matrix, and of several
        # solutions the one with the smallest coefficients is to be found whatever the intercept. A copy about the mean
        # sees to both; where it is not needed it would take as long as a step.
        some = of.X[: of.X.shape[1] + SOME]
        far = np.abs(some.mean(axis=0)) > FAR * some.std(axis=0)
        if of.fit_intercept and (of.lam == 0 or far.any()):
            self.centre = of.weights @ of.X / of.weights.sum()
            self.X = of.X - self.centre
        self.width = of.X.shape[1] + self.constant
        self.some = np.zeros((0, of.X.shape[1]), np.float32)
        self.rounded: NDArray[np.float32] | None = None

    def eta(self, theta: Floats) -> Floats:
        """The natural parameters of each example, (N, K), for theta of shape (K, p)."""
        eta = self.X @ theta[:, self.constant :].T
        return np.asarray(eta + theta[:, 0] if self.constant else eta)

    def transposed(self, residual: Floats) -> Floats:
        """The product of the transposed design and an (N, K) matrix, as (K, p)."""
        product = np.stack([column @ self.X for column in np.ascontiguousarray(residual.T)])
        return np.column_stack([residual.sum(axis=0), product]) if self.constant else product

    def quick(self) -> bool:
        """Whether some of the examples will do to begin with, and numbers of seven digits for all of them."""
        if len(self.X) < SAMPLE * MANY * self.width:
            return False
        with np.errstate(over="ignore", under="ignore"):
            self.some = self.X[::SAMPLE].astype(np.float32)
            squares = np.einsum("ij,ij->j", self.some, self.some) / len(self.some)
        return bool(np.all((squares > MODERATE**-2) & (squares < MODERATE**2)))

    def gram(self, weights: Floats, sums: str = EXACT) -> Floats:
        """X' diag(weights) X, (p, p), in double precision, in single, or nearly that, from some of the examples."""
        if sums == EXACT:
            return self._bordered(_weighted(self.X, weights), weights, self.X)
        if sums == ROUNDED:
            if self.rounded is None:
                self.rounded = self.X.astype(np.float32)
            return self._bordered(_single(self.rounded, weights), weights, self.X)
        some = weights[::SAMPLE]
        part = self._bordered(_single(self.some, some), some, self.some)
        return np.asarray(part * (weights.sum() / (some.sum() or 1.0)))

    def _bordered(self, of_features: Floats, weights: Floats, X: NDArray[Number]) -> Floats:
        """The same with the products of the constant."""
        gram = np.zeros((self.width, self.width))
        gram[self.constant :, self.constant :] = of_features
        if self.constant:
            gram[0, 0] = weights.sum()
            gram[0, 1:] = gram[1:, 0] = weights.astype(X.dtype) @ X
        return gram


def _weighted(X: NDArray[Number], weights: NDArray[Number]) -> Floats:
    """X' diag(weights) X by blocks of rows, in the precision of X."""
    root = np.sqrt(weights)[:, np.newaxis]
    rows = max(1, BLOCK // X.shape[1])
    block = np.empty((rows, X.shape[1]), X.dtype)
    gram = np.zeros((X.shape[1], X.shape[1]))
    for start in range(0, len(X), rows):
        part = block[: len(X) - start]
        np.multiply(X[start : start + len(part)], root[start : start + len(part)], out=part)
        gram += part.T @ part
    return gram


def _single(X: NDArray[np.float32], weights: Floats) -> Floats:
    """The same in single precision, whatever the size of the weights."""
    largest = float(weights.max()) or 1.0
    return _weighted(X, (weights / largest).astype(np.float32)) * largest


def irls(of: Objective, *, tol: float, max_iter: int) -> Fit:
    """Minimize the objective; `tol` is the share of the first Newton decrement at which the search ends."""
    design = _Design(of)
    theta = np.zeros((of.Y.shape[1], of.X.shape[1] + design.constant))
    if design.constant:
        theta[:, 0] = of.family.natural(of.weights @ of.Y / of.weights.sum())
    eta = np.tile(theta[:, 0] if design.constant else np.zeros(len(theta)), (len(of.X), 1))
    loss, mean = _loss(of, design, theta, eta)
    basis, rank = _row_space(of, design)
    quick = of.lam > 0 and design.quick()
    penalty = _penalty(of, design)
    converged, n_iter, first, before = False, 0, 0.0, 0.0
    eta_step, curvature, gone, left = np.zeros_like(eta), None, None, None
    while n_iter < max_iter and not converged:
        n_iter += 1
        gradient = design.transposed(of.weights[:, np.newaxis] * (mean - of.Y)) + penalty * theta
        if quick and curvature is not None and gone is not None and left is not None:
            curvature.learn(gone, gradient - left)
        step, decrement = _step(curvature, gradient)
        fresh = curvature is None or decrement > (KEEP_LEARNING if quick else KEEP) * before
        if fresh:
            curvature = _curvature(of, design, mean, basis, _sums(curvature, quick=quick))
            step, decrement = _step(curvature, gradient)
        first, before = first or decrement, decrement
        eta_step = design.eta(step)
        taken, there = _search(of, design, (theta, eta, loss), (step, eta_step, decrement))
        if taken == 0.0:
            converged = decrement <= ROUNDING * (abs(loss) + first)
            break
        gone, left = taken * step, gradient
        theta, eta, loss, mean = there
        eta_step = taken * eta_step
        converged = decrement <= tol * first * (1.0 if fresh or quick else KEPT)
    coef = theta[:, design.constant :]
    intercept = theta[:, 0] - coef @ design.centre if design.constant else np.zeros(len(theta))
    return Fit(intercept, coef, n_iter, converged, rank, is_recession(of, eta_step))


# Rockafellar 1970, section 8: f has no minimum along d if the limit of f(t d) / t is not above 0; here for each example
def is_recession(of: Objective, direction: Floats) -> bool:
    """Whether going on in this direction of eta, (N, K), makes no example's loss worse and some better, for ever."""
    if np.abs(direction).max(initial=0.0) < STILL_MOVING:
        return False
    seen = of.weights > 0
    direction, Y = direction[seen], of.Y[seen]
    size = float(np.abs(direction).max(initial=0.0))
    if size < STILL_MOVING:
        return False
    slack = SLACK * size
    rise = of.family.slope(direction, slack) - (Y * direction).sum(axis=1)
    return bool((rise <= slack * (1.0 + np.abs(Y).max(axis=1))).all())


def _loss(of: Objective, design: _Design, theta: Floats, eta: Floats) -> tuple[float, Floats]:
    """The objective, and the means on the way."""
    log_partition, mean = of.family.both(eta)
    # Each example's difference by itself: on separable data it is far smaller than either of its terms.
    likelihood = float(of.weights @ (log_partition - np.einsum("ik,ik->i", eta, of.Y)))
    return likelihood + 0.5 * of.lam * float((theta[:, design.constant :] ** 2).sum()), mean


def _penalty(of: Objective, design: _Design) -> Floats:
    """What each column of the design is charged: lam, and the constant one nothing."""
    penalty = np.full(of.X.shape[1] + design.constant, of.lam)
    penalty[: design.constant] = 0.0
    return penalty


# 002: the Hessian of a canonical model, H_ab = X' diag(w A''_ab(eta)) X + lam I, (K, p, K, p)
def _hessian(of: Objective, design: _Design, mean: Floats, sums: str) -> Floats:
    K, p = mean.shape[1], of.X.shape[1] + design.constant
    hessian = np.empty((K, p, K, p))
    for a in range(K):
        own = design.gram(of.weights * of.family.variance(mean, a, a), sums)
        hessian[a, :, a, :] = own + np.diag(_penalty(of, design))
        for b in range(a):
            hessian[a, :, b, :] = -design.gram(of.weights * of.family.variance(mean, a, b), sums)
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


def _sums(last: _Curvature | None, *, quick: bool) -> str:
    """How the next Hessian is summed."""
    if not quick or (last is not None and last.exact):  # a rounded one was too singular before
        return EXACT
    return SAMPLED if last is None else ROUNDED


def _curvature(of: Objective, design: _Design, mean: Floats, basis: Floats | None, sums: str) -> _Curvature:
    """Take the Hessian apart; summed anew if it is too singular for the way it was summed."""
    if sums != EXACT and np.isfinite(hessian := _hessian(of, design, mean, sums)).all():
        lower, scale, damping = _factored(hessian, None)
        correlation = hessian.reshape(len(scale), -1) / np.outer(scale, scale)
        if damping == 0 and reciprocal_condition(lower, correlation) > SINGLE:
            return _Curvature(lower, scale, None, exact=False, learned=[])
    lower, scale, _ = _factored(_hessian(of, design, mean, EXACT), basis)
    return _Curvature(lower, scale, basis, exact=True, learned=[])


def _factored(hessian: Floats, basis: Floats | None) -> tuple[Floats, Floats, float]:
    """Cholesky factor and scale of the Hessian, in the span of the basis if there is one; and what had to be added."""
    if basis is not None:
        hessian = np.einsum("apbq,pr,qs->arbs", hessian, basis, basis, optimize=True)
    flat = hessian.reshape(hessian.shape[0] * hessian.shape[1], -1)
    scale = np.sqrt(np.diag(flat))
    scale = np.where(scale > 0, scale, 1.0)
    correlation = flat / np.outer(scale, scale)
    damping = 0.0
    while True:
        try:
            return cholesky(correlation + damping * np.eye(len(flat)), lower=True), scale, damping
        except LinAlgError:
            damping = max(100.0 * damping, DAMPING)


def _step(by: _Curvature | None, gradient: Floats) -> tuple[Floats, float]:
    """The step that solves H step = -gradient, and its decrement, which is twice what the step promises to gain."""
    if by is None:
        return gradient, np.inf
    step = by.solve(gradient)
    return step, -float(np.vdot(gradient, step))


def _search(
    of: Objective,
    design: _Design,
    at: tuple[Floats, Floats, float],
    towards: tuple[Floats, Floats, float],
) -> tuple[float, tuple[Floats, Floats, float, Floats]]:
    """The share of the step that is taken, 0 if none gains anything; theta, eta, the loss and the means there."""
    theta, eta, loss = at
    step, eta_step, decrement = towards
    share = 1.0
    for _ in range(HALVINGS):
        theta_there, eta_there = theta + share * step, eta + share * eta_step
        there, mean = _loss(of, design, theta_there, eta_there)
        if there <= loss - ENOUGH * share * decrement + ROUNDING * abs(loss):
            return share, (theta_there, eta_there, there, mean)
        share *= 0.5
    return 0.0, (theta, eta, loss, eta)
