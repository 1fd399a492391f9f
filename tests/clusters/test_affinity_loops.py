"""Messages by compiled loops are those of NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from suffice.clusters import affinity_messages, propagate
from suffice.clusters.affinity_messages import _send, _send_in_threads


@pytest.mark.parametrize("damping", [0.0, 0.5, 0.9])
def test_loops_send_the_messages_of_numpy(damping: float) -> None:
    """With ties, and step after step."""
    rng = np.random.default_rng(0)
    S = -rng.integers(0, 30, size=(57, 57)).astype(float) - rng.uniform(size=(57, 57)) * (rng.uniform(size=57) < 0.5)
    R, A, r, a = (np.zeros_like(S) for _ in range(4))
    for _ in range(6):
        _send(S, R, A, damping)
        _send_in_threads(S, r, a, damping)
        np.testing.assert_allclose(r, R, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(a, A, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("n", [2, 3, 5])
def test_few_rows(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    S = -np.abs(np.subtract.outer(np.arange(n), np.arange(n) ** 2.0)) - np.eye(n)
    plain = propagate(S, damping=0.6)
    monkeypatch.setattr(affinity_messages, "pays", lambda cells: True)
    looped = propagate(S, damping=0.6)
    np.testing.assert_array_equal(looped.labels, plain.labels)
    assert (looped.steps, looped.settled) == (plain.steps, plain.settled)
