"""Quantiles of distinct values with weights, by the nine conventions of Hyndman and Fan.

    quantile = (1 - t) x[i] + t x[i + 1]      x[0] <= ... <= x[N - 1] the values, each as often as its weight says

A convention says where between the ranks the share q lies (h, of which i is the whole part), and how much of the way t
to the next value is gone. The formulas are rounded as `numpy.quantile` rounds them, so that both jump at the same q.
Reference: R. J. Hyndman and Y. Fan, Sample quantiles in statistical packages (1996).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad


class Convention(NamedTuple):
    """Where a share of N values lies among their ranks."""

    place: Callable[[float, Array], Array]  # N and q -> h, counted from 0
    part: Callable[[Array, Array], Array]  # h - i and i -> t
    weighs: bool = False  # whether it is defined for weights that are not whole


def _between(alpha: float, beta: float) -> Convention:
    """Straight lines between the points ((i - alpha) / (N + 1 - alpha - beta), x_i), i from 1."""
    return Convention(lambda N, q: N * q + (alpha + q * (1 - alpha - beta)) - 1, _all_of_it)


def _all_of_it(part: Array, index: Array) -> Array:
    return part


CONVENTIONS: dict[str, Convention] = {
    "inverted_cdf": Convention(lambda N, q: N * q - 1, lambda g, i: np.where(g == 0, 0.0, 1.0), weighs=True),
    "averaged_inverted_cdf": Convention(lambda N, q: N * q - 1, lambda g, i: np.where(g == 0, 0.5, 1.0)),
    "closest_observation": Convention(  # of two that are equally close, the even one, counted from 1
        lambda N, q: N * q - 1 - 0.5, lambda g, i: np.where((g == 0) & (i % 2 == 1), 0.0, 1.0)
    ),
    "interpolated_inverted_cdf": _between(0.0, 1.0),
    "hazen": _between(0.5, 0.5),
    "weibull": _between(0.0, 0.0),
    "linear": Convention(lambda N, q: (N - 1) * q, _all_of_it),  # _between(1, 1), rounded once less
    "median_unbiased": _between(1 / 3.0, 1 / 3.0),
    "normal_unbiased": _between(3 / 8.0, 3 / 8.0),
}


def read_convention(owner: object, method: Any) -> Convention:
    """The convention of that name."""
    if not isinstance(method, str) or method not in CONVENTIONS:
        raise bad(owner, "method", f"one of {', '.join(CONVENTIONS)}", method)
    return CONVENTIONS[method]


def read_shares(owner: object, q: Any) -> Array:
    """Shares from 0 to 1, of any shape."""
    rule = "numbers from 0 to 1"
    try:
        shares = np.asarray(q, dtype=np.float64)
    except (TypeError, ValueError):
        raise bad(owner, "q", rule, q) from None
    if not ((shares >= 0.0) & (shares <= 1.0)).all():
        large = np.fmax.reduce(shares, axis=None, initial=0.0) > 1.0
        raise bad(owner, "q", rule, q, "Divide percentages by 100." if large else "")
    return shares


def quantile(values: Array, weight: Array, q: Array, convention: Convention, copies: bool = False) -> Array:
    """Quantiles of values in order with their weights (V,), which are whole unless the convention weighs; `copies` says
    that they are known to be.
    """
    copies = copies or whole(weight)
    even = copies and stands_for_all(weight)
    cumulative = weight[:1] * len(weight) if even else weight.cumsum()
    N = cumulative[-1] if len(cumulative) else 0.0
    if not N > 0.0:
        return np.full(q.shape, np.nan)
    if not copies:
        return _heavy_enough(values, cumulative / N, q)
    place = convention.place(N, q)
    index = np.floor(place)
    part = convention.part(place - index, index)
    ranks = (np.clip(i, 0, N - 1) for i in (index, index + 1))
    if even:
        low, high = (values[(rank // weight[0]).astype(np.intp)] for rank in ranks)
    else:
        low, high = (values[np.searchsorted(cumulative, rank, "right")] for rank in ranks)
    return _on_the_way(low, high, part)


def whole(weight: Array) -> bool:
    """Whether weights are whole numbers, so that each can stand for copies."""
    some = weight[..., :1] if stands_for_all(weight) else weight
    return bool((some == np.rint(some)).all())


def stands_for_all(weight: Array) -> bool:
    """Whether one number in memory stands for the weights of all values: of one component, none twice.

    >>> stands_for_all(np.ones((1, 3))), stands_for_all(np.broadcast_to(1.0, (1, 3)))
    (False, True)
    """
    return weight.size > 0 and not any(step for step, n in zip(weight.strides, weight.shape, strict=True) if n > 1)


def _heavy_enough(values: Array, share: Array, q: Array) -> Array:
    """The first value at which the cumulative share reaches q; values without weight are never answered."""
    reached = np.searchsorted(np.where(share > 0.0, share, -1.0), q, "left")
    return values[np.minimum(reached, len(values) - 1)]


def _on_the_way(low: Array, high: Array, part: Array) -> Array:
    """From low to high, from the nearer end; exactly there at 0 and 1, and infinite on the way to infinity."""
    with np.errstate(invalid="ignore", over="ignore"):
        gap = high - low
        way = np.where(part < 0.5, low + gap * part, high - gap * (1.0 - part))
        far = low * (1.0 - part) + high * part  # where even the gap is too large for a float
    way = np.where(np.isfinite(gap), way, far)
    return np.where(part <= 0.0, low, np.where(part >= 1.0, high, way))
