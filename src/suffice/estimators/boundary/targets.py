"""Numbers to predict, checked at the boundary. No scikit-learn."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import BadInput, BadType, Said, bad, refusal

LARGEST = 1e140  # squares of larger numbers could be too large to be added


class Targets(NamedTuple):
    """Numbers to predict (n, t); `flat` if they came as one number a row, not as a table with one column."""

    values: Array
    flat: bool


def read_targets(owner: str, y: Any) -> Targets:
    """One number a row, or a table of several.

    >>> read_targets("LinearRegression", [1, 2]).values.tolist()
    [[1.0], [2.0]]
    """
    if y is None:
        note = "a number for each row (fit requires y to be passed, but the target y is None)"
        raise bad(owner, "y", note, y, "Give one number a row.")
    values = _numbers(owner, y)
    if values.ndim not in (1, 2) or (values.ndim == 2 and values.shape[1] == 0):
        rule = "one number a row, or a table of several targets"
        raise bad(owner, "y", rule, Said(f"shape {values.shape}"), "Reshape it.")
    with np.errstate(over="ignore", invalid="ignore"):
        suspect = not np.isfinite(values.sum()) or np.abs(values).max(initial=0.0) > LARGEST
    if suspect:
        _refuse(owner, values)
    return Targets(values if values.ndim == 2 else values[:, None], values.ndim == 1)


def _numbers(owner: str, y: Any) -> Array:
    if hasattr(y, "tocsr"):
        raise refusal(
            BadType, owner, "y", "an array (Sparse data was passed for y)", Said("a sparse matrix"), "Use toarray()."
        )
    try:
        raw = np.asarray(y)
        if raw.dtype.kind == "c":
            raise bad(owner, "y", "real (Complex data not supported)", raw.dtype, "Split real and imaginary parts.")
        return raw.astype(np.float64, copy=False)
    except BadInput:
        raise
    except (TypeError, ValueError):
        raise bad(owner, "y", "numbers", y, "Give one number a row; for labels use a classifier.") from None


def _refuse(owner: str, values: Array) -> None:
    odd = ~(np.abs(values) <= LARGEST)
    if not odd.any():
        return
    row = int(np.argwhere(odd)[0][0])
    if np.isnan(values[odd]).any():
        row = int(np.argwhere(np.isnan(values))[0][0])
        raise bad(
            owner,
            "y",
            "present in every row (Input y contains NaN)",
            Said(f"a missing number in row {row}"),
            "Leave the row out.",
        )
    raise bad(
        owner,
        "y",
        f"finite and at most {LARGEST:g} in size "
        "(Input y contains infinity or a value too large for dtype('float64').)",
        Said(f"{float(values[odd][0])} in row {row}"),
        "Correct it or leave the row out.",
    )
