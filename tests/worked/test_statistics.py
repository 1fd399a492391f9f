"""Statistics by kind: the worked numbers of the sources, each naming its row."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from suffice import describe, statistics
from suffice.core.errors import BadInput

RNG = np.random.default_rng(0)


def test_the_speed_of_a_swimmer_is_a_harmonic_mean() -> None:
    """P.W49, P.M093, P.M090: 100 and 100 in times 50 and 100."""
    speeds = statistics([100 / 50, 100 / 100], "ratio")
    assert speeds.harmonic_mean == pytest.approx(2 * 100 / (50 + 100), rel=1e-15)
    assert speeds.mean == 1.5


def test_octaves_have_a_geometric_mean() -> None:
    """P.W51, P.M094: f and 4f have their centre at 2f."""
    assert statistics([110.0, 440.0], "ratio").geometric_mean == pytest.approx(220.0, rel=1e-15)


def test_the_midrange_on_a_logarithmic_scale_is_geometric() -> None:
    """P.W52, P.M100: the source calls it harmonic, which would be 1.6 f; the centre of the logs is 2 f."""
    tones = statistics([110.0, 200.0, 440.0], "ratio")
    assert tones.log_midrange == pytest.approx(220.0, rel=1e-15)
    assert tones.log_midrange == pytest.approx(np.exp(statistics(np.log([110.0, 200.0, 440.0])).midrange), rel=1e-14)
    assert tones.log_range == 4.0


SAMPLES = {
    "normal": RNG.normal(size=101),
    "heavy": RNG.standard_t(1.5, size=200),
    "one far": np.array([0.0] * 9 + [100.0]),
    "exponential": RNG.exponential(size=50),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_mean_and_median_are_at_most_a_deviation_apart(name: str) -> None:
    """P.W53, P.M098: and at most 1 / k^2 lie beyond k deviations."""
    told = statistics(SAMPLES[name])
    bounds = told.bounds
    assert bounds.gap <= bounds.sd * (1 + 1e-12)
    assert bounds.gap == pytest.approx(abs(SAMPLES[name].mean() - np.median(SAMPLES[name])), rel=1e-12)
    for k in (1.0, 1.5, 2.0, 3.0):
        far = np.abs(SAMPLES[name] - SAMPLES[name].mean()) > k * SAMPLES[name].std()
        assert told.beyond(k) == pytest.approx(far.mean())
        assert told.beyond(k) <= bounds.chebyshev(k) == min(1.0, 1 / k**2)


def test_the_80th_percentile_of_100_is_the_81st_value() -> None:
    """P.W54, P.M101: p per cent of the values lie below it."""
    told = statistics(RNG.permutation(np.arange(1.0, 101.0)))
    assert told.percentile(80) == 81.0
    assert told.percentile(50) == 51.0
    assert (told.lower_median, told.median, told.upper_median) == (50.0, 50.5, 51.0)
    assert [told.quantile(q) for q in (0.25, 0.75)] == np.quantile(np.arange(1.0, 101.0), [0.25, 0.75]).tolist()


def test_the_interquartile_range() -> None:
    """P.W55, P.M102: quartiles 900 and 14750 are 13850 apart."""
    told = statistics([0.0, 900.0, 3600.0, 14750.0, 60000.0])
    assert (told.quantile(0.25), told.quantile(0.75), told.interquartile_range) == (900.0, 14750.0, 13850.0)
    assert told.quantile(0.9) - told.quantile(0.1) == pytest.approx(np.ptp(np.quantile(told.values, [0.1, 0.9])))


def test_the_share_below_the_mean() -> None:
    """P.W56: 19 + 49 of 231 at or above the mean leave 0.7056 below."""
    incomes = statistics([0.0, 1.0], sample_weight=[231 - 68, 68])  # as many on either side of the mean
    below = incomes.weights[incomes.values < incomes.mean].sum() / incomes.weights.sum()
    assert below == pytest.approx(0.7056, abs=5e-5)


def test_mean_well_above_the_median() -> None:
    """P.W58: 11284 and 3600 with a deviation of 16189 respect the bound, at a ratio of 0.475."""
    bounds = statistics([0.0, 3600.0, 3600.0, 37936.0]).bounds  # three points with that mean and median
    assert (bounds.gap, bounds.gap <= bounds.sd) == (11284 - 3600, True)
    assert bounds.gap / 16189 == pytest.approx(0.475, abs=5e-4)


def test_no_sample_has_the_printed_skewness_and_kurtosis() -> None:
    """P.W59: excess kurtosis is at least skewness^2 - 2, met by two points only; the printed 2.53 is impossible."""
    for sample in SAMPLES.values():
        told = statistics(sample)
        assert told.kurtosis >= told.skewness**2 + 1 - 1e-9
    p = 0.5 * (1 - 2.12 / np.sqrt(4 + 2.12**2))  # two points with that skewness
    heavy = statistics([0.0, 1.0], sample_weight=[1 - p, p])
    assert heavy.skewness == pytest.approx(2.12)
    assert heavy.excess == pytest.approx(2.12**2 - 2) == 2.4944
    z = (np.array([900, 3600]) - 11284) / 16189  # a quarter lies at or below the first, as much up to the second
    forced = 0.25 * ((z**2 - 2.12 * z - 1) ** 2).sum()  # excess = s^2 - 2 + E[(z^2 - s z - 1)^2]
    assert 2.12**2 - 2 + forced == pytest.approx(2.655, abs=2e-3)


def test_moments() -> None:
    """P.W60, P.M105, P.M106, P.M107, P.M097: divisor n, as in scipy's biased estimates."""
    told = statistics([1, 2, 3, 4, 10])
    assert told.central_moment(1) == 0.0
    assert told.central_moment(2) == told.variance == 10.0
    assert told.sd == np.sqrt(10.0)
    assert told.skewness == pytest.approx(1.1384, abs=5e-5)
    assert told.kurtosis == pytest.approx(2.7880, abs=5e-5)
    x = RNG.normal(size=500) + 1e8
    far = statistics(x)
    centred = x - 1e8  # exact
    assert far.skewness == pytest.approx(stats.skew(centred), rel=1e-9)
    assert far.excess == pytest.approx(stats.kurtosis(centred), rel=1e-9)
    grid = stats.norm.ppf((np.arange(20_000) + 0.5) / 20_000)
    assert statistics(grid).kurtosis == pytest.approx(3.0, abs=0.01)


def test_pearsons_rule_of_thumb() -> None:
    """P.W107, P.M096: near for a gamma and for an exponential distribution."""
    for law, mode, median, rule in (
        (stats.gamma(4), 3.0, 3.6721, 3.6667),
        (stats.expon(), 0.0, 0.6931, 0.6667),
    ):
        x = law.ppf((np.arange(4_000) + 0.5) / 4_000)
        told = statistics(np.append(x, [mode] * 2))
        assert told.mode == (mode,)
        assert told.median == pytest.approx(median, abs=2e-3)
        assert told.bounds.pearson_median == pytest.approx(rule, abs=2e-3)


def test_range_and_midrange() -> None:
    """P.M099."""
    told = statistics([3.0, -1.0, 7.0])
    assert (told.range, told.midrange) == (8.0, 3.0)


def test_the_median_of_an_even_number() -> None:
    """P.M091: half-way with a scale; without one, the lower and the upper."""
    assert statistics([1.0, 2.0, 4.0, 9.0]).median == 3.0
    pain = statistics(["none", "mild", "mild", "severe", "severe", "severe"], ["none", "mild", "severe"])
    assert (pain.lower_median, pain.upper_median, pain.median) == ("mild", "severe", "mild")


def test_modes() -> None:
    """P.M092, P.M104: several; of real values the fullest bin."""
    assert statistics(["b", "a", "b", "a", "c"]).mode == ("a", "b")
    incomes = statistics(np.r_[np.linspace(0, 1999, 90), np.linspace(2000, 60000, 141)])
    assert incomes.modal_bin(2000.0) == (0.0, 2000.0)


def test_a_house_number_has_no_mean() -> None:
    """P.M109: integers may be names."""
    with pytest.raises(BadInput, match="the mean must be of a column with an order and a scale, got column 'house'"):
        describe({"house": [1, 3, 5]}, {"house": "identifier"})["house"].mean
