"""Whether missing cells are taken: by default those of tables are, and those of arrays are not. No scikit-learn.

A drop-in refuses NaN in an array, as scikit-learn does; a table says of a cell that it is missing.
"""

from __future__ import annotations

from typing import Any

ARRAY = "_array_rows"  # among the attributes of the estimator: whether the rows it learned from last came as an array


def array_rows(estimator: Any) -> bool:
    """Whether the rows it learned from last came as an array, and missing cells are not asked for."""
    return bool(vars(estimator).get(ARRAY, False)) and estimator.missing != "indicator"


def takes_gaps(estimator: Any) -> bool:
    """Whether cells of the rows to learn from may be missing."""
    if estimator.missing is not None:
        return bool(estimator.missing != "error")
    came, before = vars(estimator).get(ARRAY), estimator._before
    if came is None and before is not None:  # from a file
        return bool(getattr(before.plan, "gaps", True))
    return not came
