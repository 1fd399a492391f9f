"""Every one-pass classifier by scores: any split, any order, merged, forgotten, saved: one model."""

from __future__ import annotations

from typing import Any

import pytest

from suffice.testing import discovery
from suffice.testing.check import hold
from suffice.testing.regressor_laws import calm
from suffice.testing.scorer_laws import LAWS, Law, scorer_tables

MODELS = discovery.scorers()


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_law(model: type[Any], law: Law) -> None:
    with calm():
        hold(lambda table: law(model, table), scorer_tables(), f"{model.__name__} {law.__name__}")
