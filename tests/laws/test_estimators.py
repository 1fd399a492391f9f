"""Every one-pass model: any split, any order, merged, forgotten, saved: one model."""

from __future__ import annotations

from typing import Any

import pytest

from suffice.testing import discovery
from suffice.testing.check import hold
from suffice.testing.estimator_laws import LAWS, Law, copies, forgotten, saved
from suffice.testing.model_tables import WIDENING, tables_for

MODELS = discovery.estimators()
NARROWER = {law: {"without": WIDENING} for law in (copies, forgotten, saved)}


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_law(model: type[Any], law: Law) -> None:
    hold(
        lambda table: law(model, table), tables_for(model, **NARROWER.get(law, {})), f"{model.__name__} {law.__name__}"
    )
