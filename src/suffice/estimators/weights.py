"""Row weights, checked at the boundary."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad


def read_weights(owner: object, sample_weight: Any, n: int, some: bool = True) -> Array | None:
    """Weights as floats (n,); None where there are none. With `some`, a row must weigh something."""
    if sample_weight is None:
        return None
    w = np.asarray(sample_weight)
    if w.dtype.kind not in "biuf":
        try:
            w = w.astype(np.float64)
        except (TypeError, ValueError):
            raise bad(owner, "sample_weight", "numbers", sample_weight, "Give one weight a row.") from None
    w = np.ascontiguousarray(w, dtype=np.float64)
    if w.ndim == 0:
        w = np.full(n, float(w))
    if w.shape != (n,):
        rule = f"one column of {n} numbers (Sample weights must be 1D array or scalar)"
        raise bad(owner, "sample_weight", rule, f"shape {w.shape}", "Give one weight a row.")
    if not np.isfinite(w).all():
        raise bad(owner, "sample_weight", "finite", "NaN or infinity", "Leave the row out or give it weight 0.")
    if n and (w < 0).any():
        raise bad(owner, "sample_weight", "at least 0", float(w.min()), "To take rows away, use forget.")
    if some and n and not w.any():
        rule = "greater than 0 for some row (Sample weights must contain at least one non-zero number)"
        raise bad(owner, "sample_weight", rule, "only zeros", "Leave it out to count every row once.")
    return w
