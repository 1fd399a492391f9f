"""Rows held out by class, to judge sweeps by."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedShuffleSplit

from suffice.core.block import Array
from suffice.core.errors import Said, bad, in_our_name


def hold_out(owner: str, codes: Array, w: Array, share: float, random_state: Any) -> Array:
    """True for the rows that are held out (n,): of each class about the same share.

    Parameters
    ----------
    owner : who asks
    codes : (n,) numbers of the classes
    w : (n,) weights of the rows
    share : of rows to hold out
    random_state : which ones
    """
    with in_our_name(owner):
        cv = StratifiedShuffleSplit(test_size=share, random_state=random_state)
        _, held = next(cv.split(np.zeros((len(codes), 1)), codes))
    if not w[held].any():
        rule = "greater than 0 for some row held out (The sample weights for validation set are all zero)"
        raise bad(owner, "sample_weight", rule, Said("only zeros"), "Use another random_state.")
    mask = np.zeros(len(codes), dtype=bool)
    mask[held] = True
    return mask
