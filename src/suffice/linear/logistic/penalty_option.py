"""`penalty=`, as scikit-learn's users still write it, in the terms of C and l1_ratio."""

from __future__ import annotations

import warnings
from typing import Any

from sklearn.utils._param_validation import Hidden, StrOptions

from suffice.core.errors import bad

UNSAID = "deprecated"  # what scikit-learn calls a penalty that nobody gave
NAMES = {"l1", "l2", "elasticnet"}
PENALTY = [StrOptions(NAMES), Hidden(StrOptions({UNSAID}))]


def read_penalty_option(owner: str, penalty: Any, C: float, l1_ratio: float | None) -> tuple[float, float]:
    """C and the share of the penalty on sizes: `penalty`, where it was given, decides the share."""
    if penalty == UNSAID:
        return float(C), float(l1_ratio or 0.0)
    _tell(owner)
    if penalty is None:
        if C != 1.0:
            _warn(f"{owner}: Setting penalty=None will ignore the C and l1_ratio parameters, here C={C}.")
        return float("inf"), 0.0
    if penalty == "elasticnet":
        if l1_ratio is None:
            raise bad(owner, "l1_ratio", "a number from 0 to 1 where penalty='elasticnet'", None, "0.5 is halfway.")
        return float(C), float(l1_ratio)
    share = float(penalty == "l1")
    if l1_ratio is not None and 0 < l1_ratio < 1:
        _warn(f"{owner}: l1_ratio parameter is only used when penalty is 'elasticnet'. Got (penalty={penalty})")
    if l1_ratio != share:
        _warn(
            f"{owner}: Inconsistent values: penalty={penalty} with l1_ratio={l1_ratio}; the penalty was taken. "
            "Leave it out and give l1_ratio alone."
        )
    return float(C), share


def read_penalties_option(owner: str, penalty: Any, l1_ratios: Any) -> Any:
    """The shares to choose from: `penalty`, where it was given, leaves one of l1 and l2."""
    if penalty == UNSAID:
        return (0.0,) if l1_ratios is None else l1_ratios
    _tell(owner)
    if penalty == "elasticnet":
        if l1_ratios is None:
            raise bad(owner, "l1_ratios", "numbers from 0 to 1 where penalty='elasticnet'", None, "Give some.")
        return l1_ratios
    return (float(penalty == "l1"),)


def _tell(owner: str) -> None:
    words = "C=inf for no penalty, else l1_ratio: 0 for l2, 1 for l1, between them for elasticnet"
    warnings.warn(f"{owner}: 'penalty' was deprecated by scikit-learn 1.8; give {words}.", FutureWarning, stacklevel=8)


def _warn(told: str) -> None:
    warnings.warn(told, UserWarning, stacklevel=8)
