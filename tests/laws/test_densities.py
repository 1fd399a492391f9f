"""Every family that is a density is one: it adds to 1, and posteriors take its evidence."""

from __future__ import annotations

from typing import Any

import pytest

from suffice.families.normals.spherical_normal import SphericalNormal
from suffice.families.normals.tied_normal import TiedNormal
from suffice.families.windows.ranked import FixedWidth
from suffice.testing import discovery
from suffice.testing.check import hold
from suffice.testing.density_laws import LAWS, Law
from suffice.testing.tables import NUMBERS, Fill, numbers, rows
from tests.laws.subjects import cells_of, family_instances

FAMILIES = [family for cls in discovery.densities() for family in family_instances(cls)]
NEAR = numbers({name: column for name, column in NUMBERS.items() if name not in ("huge", "tiny")})


def cells(family: Any) -> Fill:
    """Cells that a family can take; where it has a length of its own, such as floats can tell apart at it."""
    lengths = (getattr(family, "cuts", None), getattr(family, "bandwidth", None))
    shared = isinstance(family, SphericalNormal | TiedNormal)  # one width for columns of all sizes
    return NEAR if shared or any(isinstance(length, FixedWidth | float) for length in lengths) else cells_of(family)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("family", FAMILIES, ids=repr)
def test_law(family: Any, law: Law) -> None:
    hold(lambda r: law(family, r), rows(cells(family)), f"{family} density {law.__name__}")
