"""Likelihoods read from summaries alone, and the free coordinates of their parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from suffice.core.block import Coded, Words
from suffice.core.errors import BadInput
from suffice.core.shares import Shares
from suffice.families import (
    Bernoulli,
    Binomial,
    Categorical,
    DiagonalNormal,
    Geometric,
    Multinomial,
    Poisson,
    TruncatedCounts,
)
from suffice.families.beliefs.likelihood import likelihood_of
from suffice.families.beliefs.parameter_ranges import ParameterBox, Simplex, read_range

RNG = np.random.default_rng(3)
W = RNG.integers(0, 4, 30).astype(float)
R = Shares.hard(np.zeros(30, dtype=np.int32), 1, W)
POISSON, BINOMIAL, GEOMETRIC = RNG.poisson(2.5, 30), RNG.binomial(6, 0.3, 30), RNG.geometric(0.4, 30)
NORMAL = 1e8 + RNG.normal(0, 2, 30)
CODES = RNG.integers(0, 3, 30)


def logs(law: Any, rows: Any) -> float:
    """Weighted log probability of the rows under a SciPy distribution."""
    return float(W @ (law.logpdf if hasattr(law.dist, "pdf") else law.logpmf)(rows))


@pytest.mark.parametrize(
    ("family", "rows", "law", "one", "two"),
    [
        (Poisson(), POISSON, stats.poisson, [2.0], [3.5]),
        (Binomial(6), BINOMIAL, lambda t: stats.binom(6, t), [0.2], [0.7]),
        (Geometric(), GEOMETRIC, stats.geom, [0.2], [0.7]),
        (DiagonalNormal(), NORMAL, lambda m, v: stats.norm(m, np.sqrt(v)), [1e8 + 1, 3.0], [1e8 - 2, 0.5]),
    ],
    ids=lambda part: type(part).__name__,
)
def test_differences_of_log_likelihoods_are_those_of_the_rows(
    family: Any, rows: Any, law: Any, one: Any, two: Any
) -> None:
    log_likelihood = likelihood_of(family, family.summarize(np.asarray(rows, float)[:, None], R))
    peer = logs(law(*one), rows) - logs(law(*two), rows)
    assert log_likelihood(one) - log_likelihood(two) == pytest.approx(peer, rel=1e-9)
    assert log_likelihood.within.holds(log_likelihood.start)


def test_symbols_and_words() -> None:
    part = Coded((CODES[:, None] > 0).astype(np.int32), ((False, True),))
    chance = likelihood_of(Bernoulli(), Bernoulli().summarize(part, R))
    yes, no = W[CODES > 0].sum(), W[CODES == 0].sum()
    assert chance([0.3]) == pytest.approx(yes * np.log(0.3) + no * np.log(0.7), rel=1e-13)
    labels = ("a", "b", "c")
    family = Categorical(vocabulary=(*labels, "d"))
    shares = likelihood_of(family, family.summarize(Coded(CODES[:, None].astype(np.int32), (labels,)), R))
    theta = np.array([0.4, 0.3, 0.2, 0.1])
    assert shares(theta) == pytest.approx(float(W @ np.log(theta)[CODES]), rel=1e-13)
    assert shares.names == (*labels, "d")
    counts = RNG.integers(0, 3, (30, 3)).astype(float)
    words = Multinomial().summarize(Words(counts, labels), R)
    assert likelihood_of(Multinomial(), words)(theta[:3]) == pytest.approx(
        float(W @ counts @ np.log(theta[:3])), rel=1e-13
    )
    assert likelihood_of(Multinomial(), words)([0.0, 0.5, 0.5]) == -np.inf
    fixed = likelihood_of(Multinomial(vocabulary=("z", *labels[:2])), words)
    assert fixed([0.2, 0.3, 0.5]) == pytest.approx(float(W @ counts[:, :2] @ np.log([0.3, 0.5])), rel=1e-13)


@pytest.mark.parametrize(
    ("inside", "theta"),
    [
        (ParameterBox(((None, None), (2.0, None), (None, 5.0), (-1.0, 3.0))), [0.3, 2.5, -4.0, 0.0]),
        (Simplex(), [0.2, 0.5, 0.3]),
    ],
)
def test_free_coordinates_go_there_and_back_and_know_their_volume(inside: Any, theta: Any) -> None:
    theta = np.array(theta)
    u = inside.free(theta)
    np.testing.assert_allclose(inside.natural(u), theta, rtol=1e-14)
    h, d = 1e-6, len(u)
    columns = [(inside.natural(u + h * e) - inside.natural(u - h * e))[:d] / (2 * h) for e in np.eye(d)]
    assert inside.log_jacobian(u) == pytest.approx(np.linalg.slogdet(np.array(columns))[1], abs=1e-8)
    assert inside.holds(theta)
    assert not inside.holds(theta + 100.0)
    assert not inside.holds(theta[:1])


def test_what_is_refused() -> None:
    with pytest.raises(BadInput, match=r"likelihood_of: family must be one of Bernoulli, .*, got TruncatedCounts"):
        likelihood_of(TruncatedCounts(), None)
    with pytest.raises(
        BadInput, match=r"ParameterBox: bounds must be pairs whose first is below the second, got \(1.0, 0.0\)"
    ):
        ParameterBox(((1.0, 0.0),))
    with pytest.raises(BadInput, match=r"me: within must be a \(low, high\) pair for each of 2 parameters, got"):
        read_range("me", [(0, 1)], 2)
