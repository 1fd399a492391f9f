"""Every family, with every prior and reading it offers, estimates from sums what it estimates from the whole."""

from __future__ import annotations

from typing import Any

import pytest

from suffice.testing import discovery
from suffice.testing.check import hold
from suffice.testing.family_laws import LAWS, Law
from suffice.testing.tables import rows
from tests.laws.subjects import cells_of, family_instances

FAMILIES = [family for cls in discovery.families() for family in family_instances(cls)]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("family", FAMILIES, ids=repr)
def test_law(family: Any, law: Law) -> None:
    hold(lambda r: law(family, r), rows(cells_of(family)), f"{family} {law.__name__}")
