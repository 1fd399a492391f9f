"""Row weights, checked at the boundary. No scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad

LARGEST = 1e140  # products of larger weights, or of their inverses, could be too large to be added


def read_weights(owner: str, sample_weight: Any, n: int, some: bool = True) -> Array | None:
    """Weights as floats (n,), from a column or one number for all; None where there are none.

    With `some`, a row must weigh something.
    """
    if sample_weight is None:
        return None
    w = _numbers(owner, sample_weight)
    if w.ndim == 0:
        w = np.full(n, w)
    if w.shape != (n,):
        rule = f"one column of {n} numbers (Sample weights must be 1D array or scalar)"
        raise bad(owner, "sample_weight", rule, Said(f"shape {w.shape}"), "Give one weight a row.")
    if not np.isfinite(w).all():
        raise bad(owner, "sample_weight", "finite", Said("NaN or infinity"), "Leave the row out or give it weight 0.")
    if n and (w < 0).any():
        raise bad(owner, "sample_weight", "at least 0", float(w.min()), "To take rows away, use forget.")
    largest = float(w.max(initial=0.0))
    if not 1.0 / LARGEST <= largest <= LARGEST and largest > 0.0:
        rule = f"at most {LARGEST:g}, and at least {1.0 / LARGEST:g} in some row, so that sums of squares can be told"
        raise bad(owner, "sample_weight", rule, largest, "Multiply all of them by a constant.")
    if some and n and not w.any():
        rule = "greater than 0 for some row (Sample weights must contain at least one non-zero number)"
        raise bad(owner, "sample_weight", rule, Said("only zeros"), "Leave it out to count every row once.")
    return np.ascontiguousarray(w)


def _numbers(owner: str, values: Any) -> Array:
    try:
        raw = np.asarray(values)
        if raw.dtype.kind == "c":
            raise TypeError(raw.dtype)
        return raw.astype(np.float64, copy=False)
    except (TypeError, ValueError):
        raise bad(owner, "sample_weight", "numbers", values, "Give one weight a row.") from None
