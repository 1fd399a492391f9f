"""Every one-pass regressor: any split, any order, merged, forgotten, saved: one model."""

from __future__ import annotations

from typing import Any

import pytest

from suffice.testing import discovery
from suffice.testing.check import hold
from suffice.testing.regression_tables import alike_tables, regression_tables
from suffice.testing.regressor_laws import LAWS, Law, calm

MODELS = discovery.regressors()
OWN_TABLES = {"TotalLeastSquares": alike_tables(), "PolynomialRegression": regression_tables(widest=2)}


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_law(model: type[Any], law: Law) -> None:
    with calm():
        tables = OWN_TABLES.get(model.__name__, regression_tables())
        hold(lambda table: law(model, table), tables, f"{model.__name__} {law.__name__}")
