"""exp(x) in vectors: as good as the library's, at the ends of its range too."""

from __future__ import annotations

import math

import numpy as np
import pytest

from suffice.numerics.exponential import LEAST, exponential, exponentials, sum_of_logs, two_to
from suffice.numerics.loop import loop


@loop
def many(x, out):  # type: ignore[no-untyped-def]
    for i in range(x.shape[0]):
        out[i] = exponential(x[i])


@loop
def powers(x, out):  # type: ignore[no-untyped-def]
    for i in range(x.shape[0]):
        out[i] = two_to(x[i])


def compiled(x: np.ndarray) -> np.ndarray:
    out = np.empty_like(x)
    many(x, out)
    return out


def test_it_is_the_exponential_to_rounding() -> None:
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.uniform(LEAST, 700.0, 100_000), rng.normal(size=10_000), [0.0, -0.0, LEAST, 700.0]])
    true = np.exp(x)
    assert np.abs(compiled(x) / true - 1.0).max() <= 2.0**-50
    assert compiled(np.zeros(1)).tolist() == [1.0]
    for value in (-700.0, -1.0, 0.3, 50.0):
        assert exponential(value) == pytest.approx(math.exp(value), rel=1e-15)


def test_far_below_nothing_and_what_is_not_a_number() -> None:
    found = compiled(np.array([-1e300, -np.inf, np.nan]))
    assert found[:2] == pytest.approx(math.exp(LEAST), rel=1e-15)
    assert np.isnan(found[2])


def test_powers_of_two() -> None:
    n = np.arange(-1022.0, 1024.0)
    out = np.empty_like(n)
    powers(n, out)
    assert np.array_equal(out, np.ldexp(1.0, n.astype(int)))
    assert [two_to(k) for k in n[:3].tolist()] == out[:3].tolist()


@loop
def rows_of(logs, floor, top, total):  # type: ignore[no-untyped-def]
    exponentials(logs, logs.shape[0], floor, top, total)


@loop
def logs_of(values, n):  # type: ignore[no-untyped-def]
    return sum_of_logs(values, n)


@pytest.mark.parametrize("floor", [False, True])
def test_exponentials_of_columns(floor: bool) -> None:
    logs = np.random.default_rng(1).normal(scale=50.0, size=(3, 8))
    top, total, found = np.zeros(8), np.zeros(8), logs.copy()
    rows_of(found, floor, top, total)
    every = np.vstack([logs, np.zeros(8)]) if floor else logs
    assert np.array_equal(top, every.max(axis=0))
    assert found == pytest.approx(np.exp(logs - top), rel=1e-14)
    assert total == pytest.approx(np.exp(every - top).sum(axis=0), rel=1e-14)


@pytest.mark.parametrize("n", [0, 1, 15, 16, 17, 64])
def test_logs_of_many(n: int) -> None:
    values = np.random.default_rng(2).uniform(1.0, 1e19, 64)
    assert logs_of(values, n) == pytest.approx(np.log(values[:n]).sum(), rel=1e-14)
