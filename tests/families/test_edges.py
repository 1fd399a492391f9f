"""Edges of learning: no rows, one row, constant columns, everything missing, impossible labels, no pseudo-counts.

Warnings are errors in these tests, and nan is never an answer.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from suffice.core.block import Coded
from suffice.core.errors import BadInput
from suffice.families.counts.binomial import Binomial
from suffice.families.counts.categorical import Bernoulli, Categorical
from suffice.families.counts.geometric import Geometric
from suffice.families.counts.integer_codes import IntegerCodes
from suffice.families.counts.poisson import Poisson
from suffice.families.counts.pseudo_counts import Beta, Dirichlet, MEstimate
from suffice.families.counts.rate_priors import Gamma
from suffice.families.family import Reading
from suffice.families.normals.normal import DiagonalNormal
from suffice.families.normals.variance_priors import NormalInverseGamma, VarianceFloor
from suffice.families.product import Group, Product
from suffice.summaries.moments import Moments
from tests.families.parts import column, hard, labels, learn

NAN = np.nan
STRENGTHS = [(1.0, 0.0), (0.0, 0.0), (2.0, 1.0)]
NUMERIC = [
    *(DiagonalNormal(NormalInverseGamma(*s, reading=r)) for s, r in product(STRENGTHS, Reading)),
    DiagonalNormal(VarianceFloor()), DiagonalNormal(VarianceFloor(0.0)),
    *(Poisson(prior, r) for prior, r in product([Gamma(), Gamma(0.0, 0.0), Gamma(2.0, 1.0)], Reading)),
    *(Binomial(9, prior, r) for prior, r in product([Beta(), Beta(0.0, 0.0), Beta(0.5, 0.0)], Reading)),
    *(Geometric(prior, r) for prior, r in product([Beta(), Beta(0.0, 0.0), Beta(0.5, 0.0)], Reading)),
]  # fmt: skip
TABLES = {
    "a component without rows": (column(1, 2, 3), [0, 0, 2], None),
    "a component that never saw the column": (column(1, 2, NAN), [0, 0, 1], None),
    "no rows": (np.zeros((0, 1)), [], None),
    "one row": (column(4), [1], None),
    "all missing": (column(NAN, NAN, NAN), [0, 1, 2], None),
    "constant": (column(1, 1, 1, 1), [0, 0, 1, 2], None),
    "constant in a component": (column(1, 1, 5, 7), [0, 0, 1, 1], None),
    "nobody's": (column(1, 2), [-1, -1], None),
    "weightless": (column(1, 2, 9), [0, 1, 2], [0.0, 0.0, 0.0]),
    "weights that are no sums of powers of two": (column(3, 3, 3, 5), [0, 0, 1, 1], [0.1, 0.7, 0.3, 0.1]),
    "heavy and light": (column(1, 2, 3), [0, 0, 1], [1e12, 1e-12, 1.0]),
}


@pytest.mark.parametrize("family", NUMERIC, ids=repr)
@pytest.mark.parametrize(("X", "codes", "w"), TABLES.values(), ids=TABLES)
def test_numbers(family: Any, X: Any, codes: list[int], w: list[float] | None) -> None:
    d = learn(family, X, hard(codes, 3, w))
    query = column(1, 2, 5, NAN, -1, 0, 1e6, np.inf, -np.inf, 9, 10)
    density = d.log_density(query)
    assert density.shape == (11, 3)
    assert not np.isnan(density).any()
    assert not np.isposinf(density).any()
    np.testing.assert_array_equal(density[3], np.zeros(3))
    for k in range(3):
        np.testing.assert_allclose(d.cells(query, k).sum(axis=1), density[:, k], rtol=1e-14, atol=1e-14)
    assert d.sample(np.array([0, 1, 2]), np.random.default_rng(0)).shape == (3, 1)
    assert not np.isnan(d.power(np.zeros(1)).log_density(query)).any()


@pytest.mark.parametrize("family", [f for f in NUMERIC if f.prior != Beta(0.5, 0.0)], ids=repr)  # which excludes "no"
def test_a_component_that_nothing_is_known_of_has_no_say(family: Any) -> None:
    """It takes the distribution of all rows, or the prior's; never one that excludes what the others allow."""
    d = learn(family, column(1, 2, 3, 2), hard([0, 0, 1, 1], 3))
    assert np.isfinite(d.log_density(column(1, 2, 3))[:, 2]).all()


def test_a_constant_column_tells_nothing() -> None:
    d = learn(DiagonalNormal(), np.array([[7.0, 1.0], [7.0, 2.0], [7.0, 9.0]]), hard([0, 0, 1]))
    alone = learn(DiagonalNormal(), column(1, 2, 9), hard([0, 0, 1]))
    for cell in (7.0, 8.0, np.nan):
        np.testing.assert_array_equal(d.log_density(np.array([[cell, 3.0]])), alone.log_density(column(3.0)))


def test_counts_of_zero_at_any_shift() -> None:
    """Rounding must not turn a sum of zeros into a negative number of events."""
    X = column(*[3.0] * 70, *[0.0] * 10)
    codes = [0] * 70 + [1] * 10
    for w in (0.1, 0.3, 0.7, 1 / 3):
        d = learn(Poisson(Gamma(0.0, 0.0)), X, hard(codes, 2, [w] * 80))
        assert d.rate[1, 0] == 0.0
        d = learn(Binomial(3, Beta(0.0, 0.0)), X, hard(codes, 2, [w] * 80))
        assert d.theta.ravel().tolist() == [1.0, 0.0]


@pytest.mark.parametrize(("family", "cells", "message"), [
    (Poisson(), (-3, 1), r"Poisson: counts must be at least 0, got -2\.0\. Choose another family"),
    (Binomial(2), (2, 3), "Binomial: counts must be between 0 and 2, got .* Raise trials"),
    (Binomial(2), (-2, 1), "Binomial: counts must be between 0 and 2"),
    (Geometric(), (0, 1), "Geometric: waiting times must be at least 1, got .* Count the success itself too"),
])  # fmt: skip
def test_columns_of_the_wrong_kind(family: Any, cells: tuple[float, ...], message: str) -> None:
    """Moments that were kept for another family show it by their means; rows show it cell by cell."""
    R = hard([0] * len(cells))
    with pytest.raises(BadInput, match=message):
        family.estimate(Moments.of(column(*cells), R))
    with pytest.raises(BadInput, match="must be whole numbers"):
        learn(family, column(*cells), R)


SYMBOLIC = [
    *(Categorical(prior) for prior in (Dirichlet(), Dirichlet(0.0), MEstimate(2.0))),
    *(Categorical(Dirichlet(a), ("a", "b", "c"), r) for a, r in product([1.0, 2.0], Reading)),
    Categorical(MEstimate(3.0, {"a": 0.5})), Categorical(MEstimate(3.0, {"a": 1.0, "b": 0.0}), ("a", "b", "c")),
    Categorical(Dirichlet({"a": 1.0})),
]  # fmt: skip
CELLS = {
    "a component without rows": (["a", "b", "a"], [0, 0, 2], None),
    "a component that never saw the column": (["a", "b", None], [0, 0, 1], None),
    "no rows": ([], [], None),
    "one row": (["a"], [1], None),
    "all missing": ([None, None], [0, 1], None),
    "one label": (["a", "a", "a"], [0, 1, 2], None),
    "labels that one component has": (["a", "b", "c"], [0, 1, 2], None),
    "weightless": (["a", "b"], [0, 1], [0.0, 0.0]),
}


@pytest.mark.parametrize("family", SYMBOLIC, ids=repr)
@pytest.mark.parametrize(("cells", "codes", "w"), CELLS.values(), ids=CELLS)
def test_symbols(family: Any, cells: list[Any], codes: list[int], w: list[float] | None) -> None:
    d = learn(family, labels(cells), hard(codes, 3, w))
    query = labels(["a", "b", "c", "never seen", None], ["never seen", "b", "a", "c"])
    density = d.log_density(query)
    assert not np.isnan(density).any()
    np.testing.assert_array_equal(density[4], np.zeros(3))
    drawn = d.sample(np.repeat([0, 1, 2], 20), np.random.default_rng(0))
    seen = d.log_density(drawn)[np.arange(60), np.repeat([0, 1, 2], 20)]
    assert np.isfinite(seen).all()
    assert (drawn.codes >= 0).all() == (
        len(d.labels[0]) > 0 and bool((d.column(0)[:, :-1] > -np.inf).any(axis=1).all())
    )
    for k in range(3):
        np.testing.assert_array_equal(d.cells(query, k).sum(axis=1), density[:, k])


def test_probabilities_sum_to_one() -> None:
    for family in SYMBOLIC:
        theta = np.exp(learn(family, labels(["a", "b", "b"]), hard([0, 0, 1], 3)).column(0))
        np.testing.assert_allclose(theta.sum(axis=1), 1.0, rtol=1e-15)


def test_a_label_impossible_under_every_component_tells_nothing() -> None:
    d = learn(Categorical(Dirichlet(0.0), ("a", "b", "z")), labels(["a", "b", "b"], "ab"), hard([0, 0, 1]))
    assert np.isneginf(d.column(0)[:, 2]).all()  # what was estimated is not covered up
    assert d.log_evidence(labels(["z"]))[0].tolist() == [0.0, 0.0]
    assert d.log_density(labels(["z"]))[0].tolist() == [-np.inf, -np.inf]
    assert np.isneginf(d.log_density(labels(["a"]))[0, 1])
    assert "z" not in {
        d.labels[0][code] for code in d.sample(np.zeros(200, dtype=int), np.random.default_rng(0)).codes[:, 0]
    }


def test_what_no_pseudo_count_covers_is_drawn_as_missing() -> None:
    d = learn(Categorical(MEstimate(1.0, {"x": 1.0})), labels([None], "ab"), hard([0]))
    assert d.sample(np.zeros(3, dtype=int), np.random.default_rng(0)).codes.ravel().tolist() == [-1, -1, -1]


def test_samples_of_symbols_follow_the_probabilities() -> None:
    part = labels(["a"] * 6 + ["b"] * 3 + ["c"])
    d = learn(Categorical(Dirichlet(0.0)), part, hard([0] * 10, 2))
    n = 50_000
    drawn = d.sample(np.tile([0, 1], n), np.random.default_rng(0)).codes[:, 0]
    for k in (0, 1):
        seen = np.bincount(drawn[k::2], minlength=3) / n
        chances = np.array([0.6, 0.3, 0.1])
        assert (np.abs(seen - chances) <= 5 * np.sqrt(chances * (1 - chances) / n)).all()


def test_powers_of_symbols() -> None:
    part = Coded(np.array([[0, 0], [1, 0], [1, 1]], dtype=np.int32), (("a", "b"), ("c", "d")))
    d = learn(Categorical(), part, hard([0, 0, 1]))
    powered = d.power(np.array([0.0, 1.0])).power(np.array([1.0, 0.5]))
    for k in (0, 1):
        cells = d.cells(part, k)
        np.testing.assert_allclose(powered.cells(part, k), cells * [0.0, 0.5], rtol=1e-15)
    np.testing.assert_array_equal(powered.log_theta, d.log_theta)  # the probabilities are what they were


def test_a_declared_vocabulary() -> None:
    with pytest.raises(BadInput, match=r"Categorical: every label must be one of \['a', 'b'\], got 'z'\. Declare it"):
        learn(Categorical(vocabulary=("a", "b")), labels(["a", "z"]), hard([0, 0]))
    with pytest.raises(BadInput, match=r"Bernoulli: every label must be one of \[False, True\], got 'yes'"):
        learn(Bernoulli(), labels(["yes"]), hard([0]))
    d = learn(Bernoulli(), labels([1, 0, 1]), hard([0, 0, 0]))
    np.testing.assert_allclose(np.exp(d.column(0))[0], [2 / 5, 3 / 5, 0.0], rtol=1e-15)


def test_a_mode_that_does_not_exist() -> None:
    with pytest.raises(BadInput, match=r"every count plus its pseudo-count is at least 1 for the mode, got 0\.5"):
        learn(Categorical(Dirichlet(0.5), ("a", "b"), Reading.MODE), labels(["a"]), hard([0]))


def test_integer_codes_count_gaps_and_ignore_what_is_beyond() -> None:
    part = Coded(np.array([[0], [3], [3]], dtype=np.int32), (range(4),))
    family = IntegerCodes()
    d = learn(family, part, hard([0, 0, 1]))
    np.testing.assert_allclose(np.exp(d.column(0))[0], [2 / 6, 1 / 6, 1 / 6, 2 / 6, 0.0], rtol=1e-15)
    beyond = Coded(np.array([[7]], dtype=np.int32), (range(8),))
    assert d.log_evidence(beyond)[0].tolist() == [0.0, 0.0]
    assert d.log_density(beyond)[0].tolist() == [-np.inf, -np.inf]
    assert family.sizes(family.summarize(part, hard([0, 0, 1]))).tolist() == [4]
    more = IntegerCodes(least=(6,))
    assert more.sizes(more.summarize(part, hard([0, 0, 1]))).tolist() == [6]
    assert IntegerCodes(Dirichlet(0.0)).estimate(family.summarize(part, hard([0, 0, 1]))).log_density(part).shape == (
        3,
        2,
    )


def test_a_product_reads_its_columns_from_one_summary() -> None:
    X = np.array([[1.0, 2.0, 0.5], [0.0, 3.0, 1.5], [4.0, 1.0, NAN]])
    part = labels(["a", "b", "a"])
    R = hard([0, 0, 1])
    product = Product((Group(0, DiagonalNormal(), (2,)), Group(0, Poisson(), (1, 0)), Group(1, Categorical())))
    d = learn(product, (X, part), R)
    alone = [
        learn(DiagonalNormal(), X[:, [2]], R).log_density(X[:, [2]]),
        learn(Poisson(), X[:, [1, 0]], R).log_density(X[:, [1, 0]]),
        learn(Categorical(), part, R).log_density(part),
    ]
    np.testing.assert_allclose(d.log_density((X, part)), sum(alone), rtol=1e-14)
    cells = d.cells((X, part), 1)
    assert [c.shape for c in cells] == [(3, 1), (3, 2), (3, 1)]
    np.testing.assert_allclose(sum(c.sum(axis=1) for c in cells), d.log_density((X, part))[:, 1], rtol=1e-14)
    powered = d.power([np.array([0.0]), np.array([1.0, 1.0]), np.array([2.0])])
    np.testing.assert_allclose(powered.log_density((X, part)), alone[1] + 2 * alone[2], rtol=1e-14)
    drawn = d.sample(np.array([0, 1, 1]), np.random.default_rng(0))
    assert [getattr(x, "codes", x).shape for x in drawn] == [(3, 1), (3, 2), (3, 1)]


@pytest.mark.parametrize(("make", "message"), [
    (lambda: Dirichlet(-1.0), "Dirichlet: alpha must be finite and at least 0, got -1.0"),
    (lambda: Dirichlet({"a": np.inf}), "Dirichlet: alpha must be finite and at least 0"),
    (lambda: MEstimate(-2.0), "MEstimate: m must be finite and at least 0, got -2.0"),
    (lambda: MEstimate(1.0, {"a": 0.7, "b": 0.7}), "MEstimate: base must be shares of at least 0 that sum to"),
    (lambda: MEstimate(1.0, {"a": -0.1}), "MEstimate: base must be shares"),
    (lambda: Beta(1.0, -1.0), "Beta: no must be finite and at least 0, got -1.0"),
    (lambda: Beta(np.nan), "Beta: yes must be finite"),
    (lambda: Gamma(-1.0), "Gamma: shape must be finite and at least 0"),
    (lambda: Gamma(1.0, np.inf), "Gamma: rate must be finite and at least 0"),
    (lambda: Binomial(0), "Binomial: trials must be a whole number of at least 1, got 0"),
    (lambda: Binomial(2.5), "Binomial: trials must be a whole number"),
    (lambda: Binomial(np.inf), "Binomial: trials must be a whole number"),
    (lambda: NormalInverseGamma(-1.0), "NormalInverseGamma: strength must be finite and at least 0"),
    (lambda: NormalInverseGamma(1.0, np.nan), "NormalInverseGamma: mean_strength must be finite and at least 0"),
    (lambda: NormalInverseGamma(mean=np.inf), "NormalInverseGamma: mean must be finite, got inf"),
    (lambda: NormalInverseGamma(variance=0.0), "NormalInverseGamma: variance must be finite and above 0, got 0.0"),
])  # fmt: skip
def test_what_is_no_prior(make: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        make()
