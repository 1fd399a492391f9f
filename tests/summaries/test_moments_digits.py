"""Digits of `Moments` against exact rationals, where shared shifts, plain sums or compensated sums lose them all.

Bounds are in units of the rounding of one float64, 1.1e-16, where the summary keeps all digits, and of 2^-104 times the
squared distance in standard deviations where it says so.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from suffice.core.block import Array
from suffice.core.shares import Shares
from suffice.numerics import loop
from suffice.summaries.moments import Moments
from tests.summaries.rationals import moments as exactly
from tests.summaries.rationals import off, rational

ULP = 2.0**-53
Summarize = Callable[..., Moments]


@pytest.fixture(params=["twin", "loop"])
def of(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Summarize:
    """Summarize columns of one component, by the loop or by its twin."""
    monkeypatch.setattr(loop, "WORTH", 0 if request.param == "loop" else np.inf)

    def summarize(x: Array, shift: float | None = None, w: Array | None = None) -> Moments:
        R = Shares.hard(np.zeros(len(x), dtype=np.int32), 1, w)
        return Moments.of(x[:, None], R, None if shift is None else np.array([shift]))

    return summarize


def noise(n: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).normal(size=n)


def wrong(summary: Moments, x: Array, w: Array | None = None) -> float:
    """Relative error of the variance."""
    return off(summary.variance[0, 0], exactly(x, w)[1])


def test_case_a_offset(of: Summarize) -> None:
    x = 1e8 + noise(2000)
    assert wrong(of(x), x) <= 2 * ULP


def test_case_b_the_shift_is_an_outlier(of: Summarize) -> None:
    x = noise(2000)
    assert wrong(of(x, 1e8), x) <= 2e-14


@pytest.mark.parametrize("weighted", [False, True])
def test_case_c_a_class_1e8_sd_from_the_shift(of: Summarize, weighted: bool) -> None:
    x = 1e8 + noise(5000)
    w = np.random.default_rng(1).random(5000) if weighted else None
    assert wrong(of(x, 0.0, w), x, w) <= 2e-14


def test_case_c_of_many_rows_of_one_weight(of: Summarize) -> None:
    """Errors that all point the same way: weights of 0.1 are never exact, and cells repeat."""
    x = 1e8 + np.tile([0.0, 1.0, 0.5, 0.25], 5000)
    w = np.full(len(x), 0.1)
    assert wrong(of(x, 1.0 / 3.0, w), x, w) <= 1e-13


def test_case_d_forget_an_outlier(of: Summarize) -> None:
    x = noise(2000)
    assert wrong(of(np.append(x, 1e8)) - of(np.array([1e8])), x) <= 2 * ULP


def test_case_d_with_shards_of_different_shifts(of: Summarize) -> None:
    x = noise(2000)
    shards = [of(np.append(x[:500], 1e8)), of(1e8 + np.zeros(3)), of(x[500:])]
    left = Moments.sum(shards) - of(np.full(4, 1e8))
    assert wrong(left, x) <= 2e-14


def test_case_e_forget_nearly_all(of: Summarize) -> None:
    x = 100.0 + noise(30_100)
    assert wrong(of(x) - of(x[100:]), x[:100]) <= 4 * ULP


def test_case_f_64_shards_of_64_shifts(of: Summarize) -> None:
    x = 1e8 + noise(6400)
    shards = [of(part, float(part[0]) + i) for i, part in enumerate(np.split(x, 64))]
    whole = Moments.sum(shards)
    assert wrong(whole, x) <= 2 * ULP
    assert wrong(Moments.sum(shards[::-1]), x) <= 2 * ULP
    assert wrong(whole - Moments.sum(shards[:60]), x[-400:]) <= 1e-14


def test_case_g_mean_over_sd_of_1e12(of: Summarize) -> None:
    x = 1e12 + noise(2000)
    assert wrong(of(x), x) <= 2 * ULP


def test_an_outlier_of_1e14_sd_costs_what_is_said(of: Summarize) -> None:
    """2^-104 (1e14)^2 / 1000 rows, some of it by chance; a row of 1e16 would leave three digits."""
    x = noise(1000)
    assert wrong(of(np.append(x, 1e14)) - of(np.array([1e14])), x) <= 2.0**-100 * 1e28 / 1000


def test_the_mean_is_read_to_all_digits_of_a_pair(of: Summarize) -> None:
    x = 1e8 + noise(3000)
    mean = rational(of(x).mean, 0, 0)
    true = exactly(x)[0]
    assert abs(mean - true) <= 2.0**-100 * 1e8
    assert abs(Fraction(float(of(x).mean.value[0, 0])) - true) > 2.0**-60 * 1e8  # what one float64 cannot hold


def test_weights_are_decayed_exactly(of: Summarize) -> None:
    x, w = 1e8 + noise(500), np.random.default_rng(2).random(500)
    faded = of(x, 0.0, w).scale(0.3)
    assert wrong(faded, x, w) <= 2e-14
    total = sum((float(v) for v in w), 0.0)
    assert faded.weight.value[0, 0] == pytest.approx(0.3 * total, rel=1e-15)


@pytest.mark.parametrize("n", [1, 2, 17, 1000, 70_000])
def test_equal_cells_have_no_variance_wherever_the_shift_is(of: Summarize, n: int) -> None:
    for cell, shift in ((0.1, 0.7), (1e8 + 0.1, 1.0 / 3.0), (-1e-7, 1e9)):
        for w in (None, np.full(n, 0.1), np.random.default_rng(n).random(n)):
            summary = of(np.full(n, cell), shift, w)
            assert summary.variance[0, 0] == 0.0
            assert (summary + of(np.full(3, cell), 5.0)).variance[0, 0] == 0.0


def test_a_spread_of_1e13_shifts_is_still_seen(of: Summarize) -> None:
    """A variance is taken for rounding only below 2^-96 of the mean square about the shift."""
    x = np.tile([0.0, 1.0], 50)
    assert wrong(of(x, 1e13), x) <= 1e-3


@pytest.mark.parametrize("scale", [1e-100, 1e-6, 1e6, 1e100])
def test_units_change_nothing(of: Summarize, scale: float) -> None:
    x = (1.0 + 1e-6 * noise(500)) * scale
    assert wrong(of(x), x) <= 4 * ULP


def test_shared_rows_keep_the_digits_too() -> None:
    """Case C by matrix products, beside a component at the shift."""
    rng = np.random.default_rng(3)
    n = 10_000
    share = rng.random((n, 2))
    share[: n // 2, 1] = 0.0
    share[n // 2 :, 0] = 0.0
    x = np.where(np.arange(n) < n // 2, 0.0, 1e8) + noise(n)
    summary = Moments.of(x[:, None], Shares.soft(share))
    for k in (0, 1):
        mine = share[:, k] > 0
        assert off(summary.variance[k, 0], exactly(x[mine], share[mine, k])[1]) <= 1e-13
