"""Where to cut a range of values into bins: the limits between them. A value at a limit belongs to the bin above."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.decision.maps.isotonic_map import half_way

Cutting = Callable[[str, Array, Array, int], Array]  # owner, values (V,) rising, weight (V,), bins -> limits


def equal_width(owner: str, values: Array, weight: Array, bins: int) -> Array:
    """Limits (bins - 1,) between the smallest and the largest value, all as far apart."""
    if not np.isfinite(values[[0, -1]]).all():
        raise bad(owner, "scores", "finite for bins of equal width", Said("infinity"), 'Use "equal_frequency".')
    share = np.arange(1, bins) / bins
    return np.unique(values[0] * (1.0 - share) + values[-1] * share)


def equal_frequency(owner: str, values: Array, weight: Array, bins: int) -> Array:
    """Limits after the first value at which each i-th part of the weight is reached; equal values stay together."""
    reached = weight.cumsum()
    after = np.searchsorted(reached * bins, np.arange(1, bins) * reached[-1])
    after = np.unique(after[after < len(values) - 1])
    return half_way(values[after], values[after + 1])


CUTS: dict[str, Cutting] = {"equal_frequency": equal_frequency, "equal_width": equal_width}


def read_cut(owner: str, name: Any) -> Cutting:
    """The way of cutting that a name stands for."""
    if not isinstance(name, str) or name not in CUTS:
        raise bad(owner, "cut", f"one of {tuple(CUTS)}", name)
    return CUTS[name]


def checked_bins(owner: str, bins: Any) -> int:
    """A number of bins."""
    if isinstance(bins, bool) or not isinstance(bins, (int, np.integer)) or bins < 1:
        raise bad(owner, "bins", "a whole number of at least 1", bins)
    return int(bins)
