"""Seeds of the orders of perceptrons, drawn as scikit-learn draws them, so that orders are the same."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

LARGEST = np.iinfo(np.int32).max


def seeds_of(random_state: Any, problems: int) -> list[int]:
    """One seed of each problem.

    >>> seeds_of(0, 2)
    [1702673635, 1586107549]
    """
    rng = check_random_state(random_state)
    each = [rng] if problems == 1 else [np.random.RandomState(seed) for seed in rng.randint(LARGEST, size=problems)]
    for one in each:
        one.randint(1, LARGEST)  # scikit-learn draws one for a purpose that perceptrons do not have
    return [int(one.randint(LARGEST)) for one in each]
