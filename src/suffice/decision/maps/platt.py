"""Maximum likelihood of a logistic curve through shares of positives, with Platt's smoothed targets."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.decision.curves.ranked_scores import Against
from suffice.decision.maps.score_map import logistic

STEPS = 200  # far more than Newton's method needs: about 10
SETTLED = 1e-15  # relative step at which it has converged
CLOSE = 1e-6  # a step so short that the next must be far shorter
ENOUGH = 1e-4  # of the promised gain in likelihood: a shorter step is taken if there is less


class Curve(NamedTuple):
    """log-odds = slope (s - centre) + offset."""

    slope: float
    centre: float
    offset: float


def platt(owner: str, side: Against, smooth: bool) -> Curve:
    """The curve of greatest likelihood; its targets are (N+ + 1) / (N+ + 2) and 1 / (N- + 2) instead of 1 and 0.

    Without smoothing the sum of the probabilities is the weight of the positives, and a curve exists only if no
    threshold separates the classes.
    """
    total, aim = side.weight, _targets(owner, side, smooth)
    share = aim.sum() / total.sum()
    base = float(np.log(share) - np.log1p(-share))
    centre = float(np.average(side.values, weights=total))
    x = side.values - centre
    reach = float(np.abs(x).max())
    if not reach > np.finfo(np.float64).eps * abs(centre):  # equal scores say nothing
        return Curve(0.0, centre, base)
    scale = float(np.sqrt(np.average((x / reach) ** 2, weights=total)))  # so that no square vanishes or overflows
    slope, offset = _newton(x / reach / scale, total / total.sum(), aim / total.sum(), base)
    return Curve(slope / scale / reach, centre, offset)


def _targets(owner: str, side: Against, smooth: bool) -> Array:
    """What the probabilities of the rows at each score are to add up to."""
    negative = side.weight - side.positive
    ups, downs = side.positive.sum(), negative.sum()
    if smooth:
        return np.asarray(side.positive * (ups + 1.0) / (ups + 2.0) + negative / (downs + 2.0))
    if not (ups > 0.0 and downs > 0.0):
        raise bad(owner, "labels", "of both classes", Said("one class only"), "Use smoothed targets.")
    above, below = side.values[side.positive > 0.0], side.values[negative > 0.0]
    apart = above[0] >= below[-1] or below[0] >= above[-1]
    if apart and side.values[0] < side.values[-1]:
        rule = "of classes that overlap, because otherwise no slope is steep enough"
        raise bad(owner, "scores", rule, Said("classes that a threshold separates"), "Use smoothed targets.")
    return side.positive


def _newton(x: Array, total: Array, aim: Array, base: float) -> tuple[float, float]:
    """Slope and offset where sum (total p - aim) = 0 and sum (total p - aim) x = 0; the likelihood is concave."""
    at, length = np.array([0.0, base]), np.inf
    for _ in range(STEPS):
        step, gain = _step(at, x, total, aim)
        before, length = length, float(np.abs(step).max())
        if length <= SETTLED * (1.0 + np.abs(at).max()) or (length < CLOSE and length > before / 2.0):
            break  # what is left is rounding
        at = at - _size(at, step, gain, x, total, aim) * step
    return float(at[0]), float(at[1])


def _step(at: Array, x: Array, total: Array, aim: Array) -> tuple[Array, float]:
    """Newton's step, and twice the gain in likelihood that it promises."""
    p = logistic(at[0] * x + at[1])
    miss, curved = total * p - aim, total * p * (1.0 - p)
    slope, mixed = np.array([miss @ x, miss.sum()]), curved @ x
    bend = np.array([[curved @ (x * x), mixed], [mixed, curved.sum()]])
    step = np.linalg.solve(bend + np.diag(np.full(2, np.finfo(np.float64).tiny)), slope)
    return step, float(slope @ step)


def _size(at: Array, step: Array, gain: float, x: Array, total: Array, aim: Array) -> float:
    """How much of the step to take: all of it unless it is long and the likelihood falls short of what was promised."""
    if np.abs(step[0] * x + step[1]).max() <= 1.0:  # log-odds that change so little change the curvature by at most e
        return 1.0
    loss, size = _loss(at, x, total, aim), 1.0
    rounding = 64.0 * float(np.finfo(np.float64).eps) * (1.0 + abs(loss))
    while size > 1e-9 and _loss(at - size * step, x, total, aim) > loss - ENOUGH * size * gain + rounding:
        size /= 2.0
    return size


def _loss(at: Array, x: Array, total: Array, aim: Array) -> float:
    z = at[0] * x + at[1]
    return float(total @ np.logaddexp(0.0, z) - aim @ z)
