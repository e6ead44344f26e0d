"""Pseudo-counts (rows B6 and B7)."""

from typing import TYPE_CHECKING, Final

import numpy as np

from thresher.learn.event_models import log_smoothed
from thresher.report.figures.style import LINES, name, panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ALPHAS: Final = (0.0, 1.0, 10.0)
SHARE: Final = 0.3
MOST: Final = 10_000


def smoothing_vanishes() -> "Figure":
    """The first observations are drawn towards 1/2 by the pseudo-counts; the more there are, the less."""
    rng = np.random.default_rng(2)
    seen = np.cumsum(rng.random(MOST) < SHARE)
    n = np.unique(np.geomspace(1, MOST, 120).astype(int))
    figure, (ax,) = panels(size=(5.2, 3.4))
    for alpha, line in zip(ALPHAS, LINES, strict=False):
        share = np.exp(log_smoothed(seen[n - 1].astype(np.float64), n.astype(np.float64), alpha, 2 * alpha))
        ax.plot(n, share, color=line.color, linestyle=line.linestyle, label=f"α = {alpha:g}")
    ax.axhline(SHARE, color=LINES[3].color, linestyle=":", label="truth")
    ax.set_xscale("log")
    ax.set_ylim(-0.02, 1.02)
    name(ax, "messages seen", "estimated probability of the word", legend="upper right")
    return figure
