"""How many neighbours: the number with the least error of rows left out."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad

LEAVE_ONE_OUT = "leave-one-out"
CANDIDATES: list[Any] = ["array-like", None]
MOST = 30


def read_candidates(owner: str, given: Any, total: float) -> Array:
    """Numbers to try, below the weight of the rows."""
    most = int(np.ceil(total)) - 1
    if most < 1:
        raise bad(owner, "X", "two rows or more where each is left out", Said(f"{total:g}"), "Give n_neighbors=1.")
    if given is None:
        return np.arange(1, min(MOST, most) + 1)
    found = np.unique(np.asarray(given))
    if not len(found) or found.dtype.kind not in "iu" or found[0] < 1 or found[-1] > most:
        rule = f"whole numbers from 1 to {most}, the rows without one"
        raise bad(owner, "candidates", rule, given, "Leave it None.")
    return found


def best_number(candidates: Array, errors: Array) -> int:
    """The number of least error; of equals, the largest: the smoothest."""
    return int(candidates[np.flatnonzero(errors <= errors.min())[-1]])
