"""What models draw on the command line: the same line gives the same answers, whatever was drawn before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

SEEDS = 2**32  # that NumPy's own generator takes


@contextmanager
def draws_from(seed: int) -> Iterator[None]:
    """Inside, models without a seed of their own draw from NumPy's generator as it begins at this one.

    >>> with draws_from(3):
    ...     first = np.random.random()
    >>> with draws_from(3):
    ...     print(np.random.random() == first)
    True
    """
    before = np.random.get_state()
    np.random.seed(seed % SEEDS)
    try:
        yield
    finally:
        np.random.set_state(before)
