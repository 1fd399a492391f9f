"""Messages by compiled loops are those of NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from suffice.clusters import affinity_messages, propagate
from suffice.clusters.affinity_messages import _Looped, _Plain


@pytest.mark.parametrize("n", [2, 31, 32, 57, 96])
@pytest.mark.parametrize("damping", [0.0, 0.5, 0.9])
def test_loops_send_the_messages_of_numpy(damping: float, n: int) -> None:
    """With ties, and step after step."""
    rng = np.random.default_rng(0)
    S = -rng.integers(0, 30, size=(n, n)).astype(float) - rng.uniform(size=(n, n)) * (rng.uniform(size=n) < 0.5)
    plain, looped = _Plain(S, damping), _Looped(S, damping)
    for _ in range(6):
        np.testing.assert_allclose(looped.send(), plain.send(), rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(looped.R, plain.R, rtol=1e-12, atol=1e-12)
    for mine, theirs in zip(looped.ended(), plain.ended(), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("n", [2, 3, 5])
def test_few_rows(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    S = -np.abs(np.subtract.outer(np.arange(n), np.arange(n) ** 2.0)) - np.eye(n)
    plain = propagate(S, damping=0.6)
    monkeypatch.setattr(affinity_messages, "pays", lambda cells: True)
    looped = propagate(S, damping=0.6)
    np.testing.assert_array_equal(looped.labels, plain.labels)
    assert (looped.steps, looped.settled) == (plain.steps, plain.settled)
