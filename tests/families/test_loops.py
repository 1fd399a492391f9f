"""Every loop of the families against its NumPy twin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array, csr_matrix

from suffice.core.block import Array, Coded, Words
from suffice.core.double_double import Pair
from suffice.families.counts.bag import Bags
from suffice.families.counts.categorical import Categories
from suffice.families.counts.encoding import Encoding
from suffice.families.normals.normal import Normals
from suffice.numerics import loop

SIZES = [0, 1, 63, 64, 65, 1000]


def both(distribution: Any, part: Any) -> tuple[Array, Array]:
    """By the loop, and by its twin."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "WORTH", 0)
        fast = distribution.log_density(part)
        patch.setattr(loop, "WORTH", np.inf)
        return fast, distribution.log_density(part)


def assert_same(fast: Array, slow: Array) -> None:
    assert fast.shape == slow.shape
    assert fast.dtype == slow.dtype == np.float64
    np.testing.assert_allclose(fast, slow, rtol=1e-13, atol=1e-13)


def normals(K: int, d: int) -> Normals:
    rng = np.random.default_rng(K * 100 + d)
    variance = rng.random((K, d)) * rng.integers(0, 2, d)  # some columns tell nothing
    return Normals(Pair(rng.normal(1e8, 1.0, (K, d)), rng.normal(size=(K, d)) * 1e-9), variance, rng.random(d) * 2)


VIEWS = {
    "rows side by side": np.ascontiguousarray,
    "columns side by side": np.asfortranarray,
    "every second row": lambda X: np.repeat(X, 2, axis=0)[::2],
    "every second column": lambda X: np.repeat(X, 2, axis=1)[:, ::2],
    "float32": lambda X: X.astype(np.float32),
}


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize(("K", "d"), [(1, 1), (2, 3), (9, 17)])
def test_normals(n: int, K: int, d: int) -> None:
    rng = np.random.default_rng(n)
    X = rng.normal(1e8, 3.0, (n, d))
    X[rng.random((n, d)) < 0.1] = np.nan
    X[rng.random((n, d)) < 0.05] = np.inf
    X[rng.random((n, d)) < 0.05] = -np.inf
    fast, slow = both(normals(K, d), X)
    assert_same(fast, slow)
    assert not np.isnan(fast).any()


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_normals_of_any_array(view: Any) -> None:
    X = np.random.default_rng(0).normal(1e8, 3.0, (100, 4))
    assert_same(*both(normals(3, 4), view(X)))


def test_cells_too_far_to_be_squared() -> None:
    fast, slow = both(normals(2, 2), np.array([[1e200, 1.0], [-1e308, 1.0]]))
    np.testing.assert_array_equal(np.isneginf(fast), np.isneginf(slow))
    assert not np.isnan(fast).any()


LABELS = (("red", "green", "blue"), range(4), (True, False), ())


def categories(K: int) -> Categories:
    rng = np.random.default_rng(K)
    V = sum(len(v) + 1 for v in LABELS)
    logs = np.log(rng.random((K, V)))
    logs[rng.random((K, V)) < 0.2] = -np.inf
    logs[:, 1] = -np.inf  # impossible under every component
    return Categories(LABELS, logs)


def symbols(n: int, labels: Any, seed: int = 0) -> Coded:
    rng = np.random.default_rng(seed)
    columns = [rng.integers(-1, max(len(v), 0), n) if len(v) else np.full(n, -1) for v in labels]
    return Coded(np.stack(columns, axis=1).astype(np.int32), labels)


OTHERS = {
    "the same labels": LABELS,
    "another order": (("blue", "red", "green"), range(4), (False, True), ()),
    "unknown labels": (("pink", "blue"), range(7), ("maybe", True), ("new", "too")),
    "fewer labels": ((), range(2), (True,), ()),
}


@pytest.mark.parametrize("labels", OTHERS.values(), ids=OTHERS)
@pytest.mark.parametrize("n", [0, 1, 300])
@pytest.mark.parametrize("K", [1, 3, 8, 9])
def test_categories(labels: Any, n: int, K: int) -> None:
    d, part = categories(K), symbols(n, labels)
    fast, slow = both(d, part)
    assert_same(fast, slow)
    for k in range(K):
        np.testing.assert_allclose(d.cells(part, k).sum(axis=1), slow[:, k], rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("columns", [slice(None), slice(1, 2)], ids=["symbols", "ranges only"])
def test_categories_of_any_codes(dtype: type, order: Any, columns: slice) -> None:
    d, part = categories(3), symbols(200, LABELS)
    if columns != slice(None):
        d, part = Categories((range(4),), d.column(1)), Coded(part.codes[:, columns], (range(6),))
    other = Coded(np.array(part.codes, dtype=dtype, order=order), part.labels)
    fast, slow = both(d, other)
    assert_same(fast, slow)
    np.testing.assert_array_equal(slow, both(d, part)[1])


def bags(K: int, V: int, levels: int = 0) -> Bags:
    rng = np.random.default_rng(K + V)
    C = V * max(levels - 1, 1)
    gain, unknown = np.log(rng.random((K, C))), np.log(rng.random(K))
    if levels:
        bars = np.concatenate([rng.integers(0, 2, (K, C)) * (rng.random(C) < 0.1), np.zeros((K, V))], axis=1)
        return Bags(range(V), np.log(rng.random((K, V))), gain, np.zeros(K), Encoding(levels), bars=bars)
    gain[rng.random((K, C)) < 0.05] = -np.inf
    return Bags(range(V), np.zeros((K, V)), gain, unknown, Encoding(), np.ones(K), 1.0)


def _wide(X: Any) -> Any:
    X = csr_array(X)
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    return X


KEPT = {
    "array": np.asarray,
    "csr_array": csr_array,
    "csr_matrix": csr_matrix,
    "wide indices": _wide,
    "float32": lambda X: csr_array(X.astype(np.float32)),
    "whole numbers": lambda X: csr_array(X.astype(np.int64)),
}


@pytest.mark.parametrize("keep", KEPT.values(), ids=KEPT)
@pytest.mark.parametrize("levels", [0, 2, 4])
@pytest.mark.parametrize("n", [0, 1, 400])
def test_bags(keep: Any, levels: int, n: int) -> None:
    rng = np.random.default_rng(n)
    counts = rng.poisson(0.5, (n, 12)).astype(float)
    d, part = bags(5, 12, levels), Words(keep(counts), range(12))
    fast, slow = both(d, part)
    assert_same(fast, slow)
    for k in range(5):
        np.testing.assert_allclose(d.cells(part, k).sum(axis=1), slow[:, k], rtol=1e-12, atol=1e-12)


def test_bags_with_stored_zeros() -> None:
    stored = csr_array(np.full((3, 12), 5.0))
    stored.data[::2] = 0.0
    assert_same(*both(bags(2, 12), Words(stored, range(12))))
    plain = bags(2, 12).log_density(Words(csr_array(stored.toarray()), range(12)))
    np.testing.assert_array_equal(plain, bags(2, 12).log_density(Words(stored, range(12))))
