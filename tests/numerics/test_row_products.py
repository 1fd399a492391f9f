"""Products of rows in pieces: what NumPy says, the same bits for any number of threads."""

from __future__ import annotations

import numpy as np
import pytest

from suffice.numerics import row_products as pieces
from suffice.numerics.row_products import row_products


@pytest.mark.parametrize("shape", [(3, 7), (60, 12_000), (200, 1_500), (120, 250), (1, 30)])
def test_pieces_add_to_the_products_of_the_rows(shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "WORTH", 1_000)
    X = np.random.default_rng(0).normal(size=shape)
    found = []
    for threads in (1, 2, 5):
        monkeypatch.setattr(pieces, "threads_of_ours", lambda threads=threads: threads)
        found.append(row_products(X))
    np.testing.assert_allclose(found[0], X @ X.T, rtol=1e-12, atol=1e-11)
    assert all(np.array_equal(found[0], other) for other in found[1:])
    assert np.array_equal(found[0], found[0].T)


def test_pieces_are_a_power_of_two_where_there_is_work_for_them() -> None:
    assert [pieces._pieces(*shape) for shape in ((200, 5_000), (60, 50_000), (60, 500), (3_000, 5_000))] == [2, 8, 1, 1]
