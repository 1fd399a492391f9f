"""One bad number among good ones is refused too."""

from __future__ import annotations

import pytest

from suffice.core.errors import BadInput
from suffice.decision import recalibrate
from suffice.decision.decide.odds import break_even_odds, odds, probability


def test_each_number_is_looked_at() -> None:
    with pytest.raises(BadInput, match="probability must be numbers from 0 to 1"):
        odds([0.5, 1.5])
    with pytest.raises(BadInput, match="odds must be numbers of at least 0"):
        probability([1.0, -1.0])
    with pytest.raises(BadInput, match="ratio must be numbers of at least 0"):
        break_even_odds([2.0, -1.0])


def test_each_weight_is_looked_at() -> None:
    proba, y = [[0.6, 0.4], [0.3, 0.7], [0.2, 0.8]], [0, 1, 1]
    with pytest.raises(BadInput, match="sample_weight must be one number of at least 0"):
        recalibrate(proba, [0.5, 0.5], y, sample_weight=[1.0, -1.0, 1.0])
