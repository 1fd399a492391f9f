"""NumPy's older generator from a seed, as scikit-learn's users hand it over. No scikit-learn."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from suffice.core.errors import bad


def legacy_random(owner: str, random_state: Any) -> Any:
    """A `RandomState` from None (that of NumPy itself), a seed, or one that is there.

    >>> int(legacy_random("sample", 0).randint(100))
    44
    """
    if random_state is None or random_state is np.random:
        return np.random.mtrand._rand
    if isinstance(random_state, np.random.RandomState):
        return random_state
    if not isinstance(random_state, Integral) or not 0 <= int(random_state) < 2**32:
        rule = "None, a seed or a RandomState (cannot be used to seed a numpy.random.RandomState instance)"
        raise bad(owner, "random_state", rule, random_state, "Give a whole number of at least 0.")
    return np.random.RandomState(int(random_state))
