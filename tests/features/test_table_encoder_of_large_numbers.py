"""TableEncoder: numbers whose squares are too large for floats are scaled all the same."""

from __future__ import annotations

import numpy as np
import pytest

from suffice import TableEncoder


def test_a_column_in_units_of_1e200_is_scaled_as_in_units_of_one() -> None:
    """Its spread is taken in a unit of the column's own."""
    rng = np.random.default_rng(0)
    cells = rng.normal(size=(40, 1))
    small, large = (TableEncoder().fit_transform({"x": (unit * cells[:, 0]).tolist()}) for unit in (1.0, 1e200))
    np.testing.assert_allclose(np.asarray(large, dtype=float), np.asarray(small, dtype=float), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("odd", [[np.inf], [-np.inf], [-np.inf, np.inf]])
def test_infinite_cells_leave_their_column_as_it_is(odd: list[float]) -> None:
    cells = np.array([*odd, 1.0, 2.0, 3.0])
    np.testing.assert_array_equal(TableEncoder().fit_transform({"x": cells})[:, 0], cells)
