"""Every one-pass regressor: any split, any order, merged, forgotten, saved: one model."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from suffice.summaries.least_squares import LeastSquaresSummary
from suffice.testing import discovery
from suffice.testing.check import broken, hold
from suffice.testing.regression_tables import alike_tables, regression_tables
from suffice.testing.regressor_laws import LAWS, Law, calm, merged

MODELS = discovery.regressors()
OWN_TABLES = {"TotalLeastSquares": alike_tables(), "PolynomialRegression": regression_tables(widest=2)}


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_law(model: type[Any], law: Law) -> None:
    with calm():
        tables = OWN_TABLES.get(model.__name__, regression_tables())
        hold(lambda table: law(model, table), tables, f"{model.__name__} {law.__name__}")


def test_a_planted_defect_breaks_the_law_of_merging(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums that are a billionth too large."""
    sound = LeastSquaresSummary.sum

    def careless(parts: Any) -> Any:
        total = sound(parts)
        return LeastSquaresSummary(total.moments.scale(1.0 + 1e-9), None, np.zeros_like(total.taken))

    monkeypatch.setattr(LeastSquaresSummary, "sum", careless)
    with calm():
        assert broken(lambda table: merged(MODELS[0], table), regression_tables())
