"""What a test draws does not depend on the tests before it: `conftest.py` sets the generators of modules back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

RNG = np.random.default_rng(0)
FIRST = np.random.default_rng(0).random(2).tolist()


@pytest.fixture(scope="module")
def drawn() -> Any:
    return RNG.random(2).tolist()


@pytest.mark.parametrize("turn", range(3))
def test_every_test_begins_where_the_module_did(turn: int, drawn: Any) -> None:
    assert RNG.random(2).tolist() == drawn == FIRST
