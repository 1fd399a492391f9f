"""Histograms: NumPy's heights, bins that all shards share, quantile bins, virtual rows, empty and constant columns."""

from __future__ import annotations

from functools import reduce
from operator import add

import numpy as np
import pytest

from suffice.core.block import Array
from suffice.core.errors import BadInput
from suffice.families.windows.histogram import EqualFrequency, EqualWidth, Histogram, Histograms
from suffice.families.windows.ranked import FARTHEST, FixedWidth, Ranked
from suffice.persistence import from_bytes, to_bytes
from tests.families.parts import column, hard, learn

PLAIN = [Histogram(FixedWidth(0.3, 0.1), 0.0), Histogram(EqualWidth(7), 0.0), Histogram(EqualFrequency(7), 0.0)]
CUTS = [FixedWidth(0.3, 0.1), EqualWidth(7), EqualFrequency(7)]


def values(n: int = 200, seed: int = 0) -> Array:
    return np.random.default_rng(seed).normal(size=n)


def bins_and_tails(found: Histograms, k: int = 0) -> tuple[float, float]:
    """Heights times widths of the bins, and the integral over both tails, by pieces of a quarter of the range."""
    edges = np.asarray(found.scale.cells(found.edges[0]))
    middle = ((edges[1:] + edges[:-1]) / 2)[:, None]
    step = 0.25 * (edges[-1] - edges[0])
    away = step * np.arange(1, 161)  # exp(-40) of a tail is left
    inner = np.exp(found.log_cells(middle, k)[:, 0]) @ np.diff(edges)
    ends = np.concatenate([edges[-1] + away, edges[0] - away])[:, None]
    heights = np.exp(found.log_cells(ends, k)[:, 0])
    return float(inner), float(heights.sum() * 4.0 * step * np.expm1(0.25))  # what a falling piece holds, by its end


def test_equal_width_is_the_histogram_of_numpy() -> None:
    x = values()
    heights, edges = np.histogram(x, 12, density=True)
    found = learn(Histogram(EqualWidth(12), 0.0), x[:, None], hard(np.zeros(200)))
    middle = ((edges[1:] + edges[:-1]) / 2)[:, None]
    with np.errstate(divide="ignore"):
        expected = np.log(heights)
    assert found.cells(middle, 0)[:, 0] == pytest.approx(expected, abs=1e-12)
    assert found.edges[0] == pytest.approx(edges, abs=1e-15)
    ends = np.exp(found.log_density(edges[[0, -1]][:, None]))[:, 0]
    assert ends == pytest.approx([heights[0], heights[-1]], rel=1e-12)  # the last bin holds its upper edge


def test_fixed_width_counts_from_its_origin() -> None:
    found = learn(Histogram(FixedWidth(2.0, 1.0), 0.0), column(1.0, 2.9, 3.0, -0.5, 7.2), hard([0] * 5))
    assert np.exp(found.log_density(column(1.0, 2.999, 3.5, -1.0, 8.0))).ravel() == pytest.approx(
        [0.2, 0.2, 0.1, 0.1, 0.1]
    )
    assert found.log_density(column(5.5, 99.0)).tolist() == [[-np.inf], [-np.inf]]
    assert found.log_evidence(column(5.5, 99.0)).tolist() == [[0.0], [0.0]]  # impossible under every component


def test_empty_bins_and_outliers_are_not_the_most_probable() -> None:
    """Ten bins of which some are empty add to 1, not to more, and nothing lies outside where no virtual row does."""
    x = np.append(np.linspace(0.0, 1.0, 40), [8.0, 9.0, 10.0])[:, None]
    found = learn(Histogram(strength=0.0), x, hard([0] * 43))
    middle = np.arange(0.5, 10.0)[:, None]
    assert np.exp(found.log_density(middle)).sum() == pytest.approx(1.0, rel=1e-12)
    assert found.log_density(column(-3.0, 1e6, 5.5)).tolist() == [[-np.inf]] * 3
    filled = learn(Histogram(), x, hard([0] * 43))
    inside, edge, outlier = filled.log_density(column(5.5, 10.0 + 1e-9, 1e6))[:, 0]
    assert outlier < edge < inside
    assert edge == pytest.approx(np.log(1 / 12 / 44 / 10.0), abs=1e-9)  # a tail's share over the range


@pytest.mark.parametrize("cuts", [EqualWidth(7), EqualFrequency(7)], ids=repr)
@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_tails_follow_the_unit(cuts: EqualWidth, unit: float) -> None:
    x, far = values()[:, None], column(-9.0, 12.0)
    mine, theirs = (learn(Histogram(cuts), u * x, hard(np.arange(200) % 2)).log_density(u * far) for u in (1.0, unit))
    assert theirs + np.log(unit) == pytest.approx(mine, rel=1e-12)


def test_cells_on_an_edge_fall_where_they_fell_in_training() -> None:
    """0.3 / 0.1 is 2.9999999999999996: the bin follows the division, in training and in prediction."""
    x = np.arange(50) * 0.1
    family = Histogram(FixedWidth(0.1), 0.0)
    found = learn(family, x[:, None], hard([0] * 50))
    assert np.isfinite(found.log_density(x[:, None])).all()
    assert np.isfinite(found.log_cells(x[:, None], 0)).all()


@pytest.mark.parametrize("strength", [0.0, 1.0, 20.0])
@pytest.mark.parametrize("cuts", CUTS, ids=repr)
@pytest.mark.parametrize("offset", [0.0, 1e8])
def test_histograms_integrate_to_one(cuts: FixedWidth, strength: float, offset: float) -> None:
    x, codes = offset + values()[:, None], np.arange(200) % 3
    found = learn(Histogram(cuts, strength), x, hard(codes, 4))
    for k in range(4):
        inner, tails = bins_and_tails(found, k)
        assert inner + tails == pytest.approx(1.0, abs=1e-6 if offset else 1e-12)
        assert (tails > 0.0) == (strength > 0.0)


def test_equal_frequency_bins_are_equally_heavy() -> None:
    found = learn(Histogram(EqualFrequency(8), 0.0), values()[:, None], hard([0] * 200))
    assert np.exp(found.log_shares[0][0]) == pytest.approx([24 / 200, *[25 / 200] * 6, 26 / 200])


def test_equal_frequency_of_many_ties() -> None:
    found = learn(Histogram(EqualFrequency(4), 0.0), column(0, 0, 0, 0, 0, 0, 1, 2), hard([0] * 8))
    assert found.edges[0].tolist() == [0.0, 2.0]
    found = learn(Histogram(EqualFrequency(8), 0.0), column(0, 0, 0, 0, 0, 0, 1, 2), hard([0] * 8))
    assert found.edges[0].tolist() == [0.0, 1.0, 2.0]
    assert np.exp(found.log_shares[0][0]) == pytest.approx([0.75, 0.25])


@pytest.mark.parametrize("family", PLAIN, ids=repr)
def test_merged_shards_are_the_whole(family: Histogram) -> None:
    x, codes = values()[:, None], np.random.default_rng(1).integers(0, 3, 200)
    pieces = np.split(np.random.default_rng(2).permutation(200), [3, 3, 90])
    parts = [family.summarize(x[at], hard(codes[at], 3)) for at in pieces]
    merged = family.estimate(reduce(add, parts))
    whole = family.estimate(family.summarize(x, hard(codes, 3)))
    np.testing.assert_array_equal(merged.log_density(x), whole.log_density(x))
    forgotten = family.estimate(reduce(add, parts) - parts[3])
    before = family.estimate(reduce(add, parts[:3]))
    np.testing.assert_array_equal(forgotten.log_density(x), before.log_density(x))


def test_a_fixed_width_summary_is_as_long_as_there_are_bins() -> None:
    kept = Histogram(FixedWidth(1.0)).summarize(values(5000)[:, None], hard([0] * 5000))
    assert len(kept.values[0]) < 12
    assert len(Histogram().summarize(values(5000)[:, None], hard([0] * 5000)).values[0]) == 5000


def test_virtual_rows_fill_empty_bins() -> None:
    """C.M07.06: a bin that is empty in one class only would decide alone; one virtual row takes that away."""
    x, R = column(0.5, 1.5, 2.5, 2.6), hard([0, 0, 1, 1])
    bare = learn(Histogram(FixedWidth(1.0), 0.0), x, R).log_density(column(0.5))
    assert bare[0, 0] == pytest.approx(np.log(0.5))
    assert bare[0, 1] == -np.inf
    filled = np.exp(learn(Histogram(FixedWidth(1.0), 1.0), x, R).log_density(column(0.5, 2.5)))
    assert filled == pytest.approx(np.array([[6 / 15, 1 / 15], [1 / 15, 11 / 15]]), rel=1e-12)


def test_stretches_of_empty_bins_are_not_written_out() -> None:
    found = learn(Histogram(FixedWidth(1.0), 1.0), column(0.5, 1e12 + 0.5), hard([0, 0]))
    assert len(found.edges[0]) == 4
    assert np.exp(found.log_density(column(0.5)))[0, 0] == pytest.approx(1 / 3, rel=1e-9)
    assert np.exp(found.log_density(column(5e11)))[0, 0] == pytest.approx(1e-12 / 3, rel=1e-9)


def test_cells_beyond_the_farthest_bin_share_it() -> None:
    assert FixedWidth(1e-9).places(np.array([1e300, -1e300])).tolist() == [FARTHEST + 0.5, -FARTHEST + 0.5]


def test_constant_and_empty_columns() -> None:
    X = np.array([[7.0, np.nan], [7.0, np.nan], [7.0, np.nan]])
    for cuts in (EqualWidth(), EqualFrequency()):
        found = learn(Histogram(cuts), X, hard([0, 1, 1]))
        assert found.log_density(np.array([[7.0, 1.0], [8.0, 2.0]])).tolist() == [[0.0, 0.0], [0.0, 0.0]]
        assert np.array_equal(found.sample(np.array([0, 1]), np.random.default_rng(0))[:, 0], [7.0, 7.0])
    fixed = learn(Histogram(FixedWidth(2.0)), X, hard([0, 1, 1]))
    assert np.exp(fixed.log_density(np.array([[7.5, 1.0]]))) == pytest.approx(np.array([[4 / 6, 7 / 9]]) / 2.0)


def test_a_component_without_rows_takes_the_whole_column() -> None:
    x = values()[:, None]
    found = learn(Histogram(EqualWidth(5), 0.0), x, hard(np.arange(200) % 2, 3))
    pooled = learn(Histogram(EqualWidth(5), 0.0), x, hard([0] * 200))
    assert found.log_density(x)[:, 2] == pytest.approx(pooled.log_density(x)[:, 0], abs=1e-12)


def test_missing_and_infinite_cells_are_not_there() -> None:
    bare, holed = column(1.0, 2.0, 5.0), column(1.0, 2.0, 5.0, np.nan, np.inf, -np.inf)
    for family in PLAIN:
        a, b = learn(family, bare, hard([0] * 3)), learn(family, holed, hard([0] * 6))
        np.testing.assert_array_equal(a.log_density(bare), b.log_density(bare))
        assert a.log_density(column(np.nan, np.inf)).tolist() == [[0.0], [0.0]]


@pytest.mark.parametrize("family", [Histogram(c) for c in CUTS], ids=repr)
def test_draws_fill_the_bins_by_their_shares(family: Histogram) -> None:
    found = learn(family, values()[:, None], hard(np.arange(200) % 2))
    drawn = found.sample(np.ones(4000, dtype=int), np.random.default_rng(0))
    edges = found.scale.cells(found.edges[0])
    share = np.histogram(drawn[:, 0], edges)[0] / 4000
    assert np.abs(share - np.exp(found.log_shares[0][1])).max() < 0.03
    outside = np.array([(drawn < edges[0]).mean(), (drawn > edges[-1]).mean()])
    tail = np.exp(found.log_tails[1, 0])
    assert (np.abs(outside - tail) <= 5 * np.sqrt(tail / 4000)).all()


def test_histograms_are_saved() -> None:
    found = learn(Histogram(FixedWidth(0.5, 0.25)), values()[:, None], hard(np.arange(200) % 2))
    again = from_bytes(to_bytes(found))
    np.testing.assert_array_equal(again.log_density(values(9)[:, None]), found.log_density(values(9)[:, None]))
    assert again.power(np.array([0.0])).log_density(column(0.1)).tolist() == [[0.0, 0.0]]
    assert from_bytes(to_bytes(Histogram(EqualFrequency(3)))) == Histogram(EqualFrequency(3))
    assert Histogram(EqualFrequency(3)).keeps == Ranked()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: FixedWidth(0.0), r"FixedWidth: width must be finite and above 0, got 0\.0\. It is in the unit"),
        (lambda: FixedWidth(np.nan), "FixedWidth: width must be finite and above 0, got nan"),
        (lambda: FixedWidth(1.0, np.inf), "FixedWidth: origin must be finite, got inf. It is where a bin begins"),
        (lambda: EqualWidth(0), "EqualWidth: bins must be a whole number of at least 1, got 0"),
        (lambda: EqualFrequency(2.5), "EqualFrequency: bins must be a whole number of at least 1, got 2.5"),  # type: ignore[arg-type]
        (lambda: EqualWidth(True), "EqualWidth: bins must be a whole number of at least 1, got True"),
        (lambda: Histogram(10), r"Histogram: cuts must be FixedWidth\(width\), EqualWidth\(bins\) or .*, got 10"),  # type: ignore[arg-type]
        (lambda: Histogram(EqualWidth), r"Histogram: cuts must be FixedWidth\(width\), "),  # type: ignore[arg-type]
        (lambda: Histogram(strength=-1.0), "Histogram: strength must be finite and at least 0, got -1.0"),
    ],
)
def test_what_makes_no_histogram_is_refused(make: object, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        make()  # type: ignore[operator]
