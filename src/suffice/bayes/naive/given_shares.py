"""Class shares as scikit-learn's users give them: numbers in the order of the classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.bayes.class_priors import ClassPrior, LearnedPrior, OrderedPrior
from suffice.core.errors import Said, bad


def ordered_prior(owner: str, shares: tuple[float, ...] | None) -> ClassPrior:
    """The shares that were given, or counted ones."""
    return LearnedPrior() if shares is None else OrderedPrior(shares, owner)


def read_shares(owner: str, given: Any, told: str = "Priors must be non-negative") -> tuple[float, ...] | None:
    """Shares as numbers of at least 0; None where they are to be counted.

    Parameters
    ----------
    owner : the estimator
    given : a list of numbers, or None
    told : what scikit-learn says of negative ones
    """
    if given is None:
        return None
    try:
        shares = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise bad(owner, "the class shares", "numbers", given, "Give one share a class.") from None
    if shares.ndim != 1:
        raise bad(owner, "the class shares", "a list of numbers", Said(f"shape {shares.shape}"), "One a class.")
    if not (shares >= 0).all() or not np.isfinite(shares).all():
        raise bad(owner, "the class shares", f"finite and at least 0 ({told})", given, "Correct the share.")
    return tuple(shares.tolist())
