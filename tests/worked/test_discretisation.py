"""Thresholds and discretisation: the worked numbers of the sources, each naming its row."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from suffice import CategoricalNB, Chain, Discretizer, KBinsDiscretizer, Threshold
from suffice.features import bin_chi_square, split_gain
from suffice.features.discretise.agglomerative_merging import merge_classes
from suffice.features.discretise.class_blocks import runs_of_one_class, sweep_scores
from suffice.features.discretise.class_shares import entropy, expected_counts
from suffice.features.discretise.recursive_partitioning import STOPS, description_cost, recursive_partitioning
from suffice.features.discretise.strategies import critical_value

VALUES = np.array([-5.0, -3.1, -2.7, 0.0, 7.0, 7.1, 8.5, 9.0, 9.0, 13.7, 15.1, 20.1])
CLASSES = np.array(list("-+---++-+---"))
X = VALUES[:, None]
DISTINCT = np.unique(VALUES)
COUNTS = np.array([[(CLASSES[v == VALUES] == c).sum() for c in "+-"] for v in DISTINCT], dtype=float)


def gains(bins: Any) -> list[float]:
    return [float(bin_chi_square(a, b)) for a, b in pairwise(bins)]


def test_the_first_split() -> None:
    """P.W64, P.M124, P.M125, P.M132: between 9.0 and 13.7, with a gain of 0.1750."""
    scores = sweep_scores(COUNTS)
    at = int(scores.argmax())
    assert COUNTS[: at + 1].sum(axis=0).tolist() == [4, 5]
    assert scores[at] == pytest.approx(0.1750, abs=5e-5)
    found = Threshold("information_gain").fit(X, CLASSES)
    assert found.threshold_[0] == pytest.approx(11.35)
    assert found.score_[0] == pytest.approx(scores[at])
    assert float(split_gain([2, 4], [1, 2])) == pytest.approx(0.0, abs=1e-15)


def test_the_second_split() -> None:
    """P.W65: of the first nine, between 7.0 and 7.1."""
    found = Threshold("information_gain").fit(X[:9], CLASSES[:9])
    assert found.threshold_[0] == pytest.approx(7.05)
    assert found.score_[0] == pytest.approx(0.2294, abs=5e-5)


def test_the_runner_up() -> None:
    """P.W66: after e10, inside a run; of the ends of runs it is after e1, as the source says in another order."""
    scores = np.sort(np.round(sweep_scores(COUNTS), 4))[::-1]
    assert scores[:4].tolist() == [0.1750, 0.1092, 0.0514, 0.0514]
    start = runs_of_one_class(COUNTS)
    ends = sweep_scores(np.add.reduceat(COUNTS, start, axis=0))
    assert np.argsort(-ends)[:2].tolist() == [4, 0]


def test_partitioning_until_shares_are_constant() -> None:
    """P.W67, P.M133: every straight segment of the ranking, whatever the objective."""
    for objective in ("information_gain", "gini", "root_gini", "chi_square"):
        cut = Discretizer("recpart", objective=objective, stop="constant").fit(X, CLASSES).cuts_[0]
        np.testing.assert_allclose(cut, [-4.05, -2.9, 7.05, 8.75, 11.35], rtol=1e-14)


def test_the_description_length_stops_at_once() -> None:
    """P.W68, P.M134: the gain 0.1750 is below the bar of 0.5344, so that one bin is left."""
    assert description_cost(np.array([4.0, 5.0]), np.array([0.0, 3.0])) == pytest.approx(0.5344, abs=5e-5)
    assert Discretizer("mdl").fit(X, CLASSES).n_bins_.tolist() == [1]
    assert recursive_partitioning(COUNTS, stop=STOPS["mdl"]) == []


def test_the_split_of_the_euro_countries_is_worth_its_description() -> None:
    """P.W62: 20 of 23 against 53 of 208; the mean and the median gain less."""
    at = {"partition": (20, 53), "mean": (19, 49), "median": (21, 94)}
    gain = {name: float(split_gain([p, n], [23 - p, 208 - n])) for name, (p, n) in at.items()}
    assert gain["partition"] == pytest.approx(0.1071, abs=5e-5)
    assert gain["mean"] == pytest.approx(0.0987, abs=5e-5)
    assert gain["median"] == pytest.approx(0.0631, abs=5e-5)
    assert description_cost(np.array([20.0, 53.0]), np.array([3.0, 155.0])) == pytest.approx(0.0506, abs=5e-5)


def test_a_median_split_takes_the_median_along() -> None:
    """P.W57, P.M122, P.M123: true is f(x) >= t, which selects 116 of 231 different values; 115 is what > selects."""
    values = np.random.default_rng(0).permutation(231.0 + np.arange(231))[:, None]
    assert Threshold("median").fit_transform(values).sum() == 116
    assert (values > np.median(values)).sum() == 115
    assert Threshold("mean").fit(values).threshold_[0] == pytest.approx(values.mean())


def test_deciles_belong_to_equal_frequency() -> None:
    """P.W63, P.M129, P.M130, P.M128: the source says equal width; two such bins cut at 16.5, not at 6."""
    x = np.array([[1.0], [2.0], [4.0], [8.0], [16.0], [32.0]])
    assert Discretizer("equal_width", n_bins=2).fit(x).cuts_[0].tolist() == [16.5]
    assert Discretizer("equal_frequency", n_bins=2).fit(x).cuts_[0].tolist() == [6.0]
    assert KBinsDiscretizer(2, encode="ordinal").fit(x).bin_edges_[0].tolist() == [1.0, 6.0, 32.0]
    rows = np.random.default_rng(0).normal(size=(1000, 1))
    tenths = Discretizer("equal_frequency", n_bins=10).fit_transform(rows)
    assert np.bincount(tenths.ravel().astype(int)).tolist() == [100] * 10
    sixths = Discretizer("deviations", n_bins=6).fit(rows).cuts_[0]
    np.testing.assert_allclose(sixths, rows.mean() + rows.std() * np.arange(-2, 3), rtol=1e-12)


def test_the_expected_counts_of_two_bins() -> None:
    """P.W69, P.W70, P.M136: 0.4 and 0.6 above 1.6 and 2.4; chi-square 1.875."""
    np.testing.assert_allclose(expected_counts([1, 1], [0, 3]), [[0.4, 0.6], [1.6, 2.4]], rtol=1e-14)
    assert float(bin_chi_square([1, 1], [0, 3])) == 1.875


def test_the_chi_squares_of_every_step() -> None:
    """P.W71, P.W72, P.W73, P.M135: pure neighbours of two classes give their total, of one class 0."""
    first = np.add.reduceat(COUNTS, [0, 1, 2, 5, 7, 8], axis=0)
    assert first.tolist() == [[0, 1], [1, 0], [0, 3], [2, 0], [1, 1], [0, 3]]
    np.testing.assert_allclose(gains(first), [2, 4, 5, 4 / 3, 1.875], rtol=1e-14)
    np.testing.assert_allclose(gains([(0, 1), (1, 0), (0, 3), (3, 1), (0, 3)]), [2, 4, 3.9375, 3.9375], rtol=1e-14)
    np.testing.assert_allclose(gains([(1, 1), (0, 3), (3, 1), (0, 3)]), [1.875, 3.9375, 3.9375], rtol=1e-14)
    assert gains([(0, 3), (0, 1)]) == [0.0]


def test_merging_until_neighbours_differ() -> None:
    """P.W74, P.M137: at p = 0.10 three bins are left, as 2.7225 is above 2.7055 (with a correction it were not)."""
    assert critical_value(0.10, 2) == pytest.approx(2.71, abs=5e-3)
    found = Discretizer("chimerge", p=0.10).fit(X, CLASSES)
    np.testing.assert_allclose(found.cuts_[0], [7.05, 11.35], rtol=1e-14)
    left = [(1, 4), (3, 1), (0, 3)]
    np.testing.assert_allclose(gains(left), [2.7225, 3.9375], rtol=1e-12)
    assert np.add.reduceat(COUNTS, merge_classes(COUNTS, critical_value(0.10, 2)), axis=0).tolist() == [
        [1, 4],
        [3, 1],
        [0, 3],
    ]


def test_a_smaller_level_merges_all() -> None:
    """P.W75: at p = 0.05 the bar is 3.84; 2.7225 merges, then 2.0."""
    assert critical_value(0.05, 2) == pytest.approx(3.84, abs=5e-3)
    assert gains([(4, 5), (0, 3)]) == [pytest.approx(2.0)]
    assert Discretizer("chimerge", p=0.05).fit(X, CLASSES).n_bins_.tolist() == [1]


def test_a_change_of_scale_leaves_the_split() -> None:
    """P.W108: ln(x + 6) moves the threshold, and no row to the other side."""
    plain = Threshold("information_gain").fit(X, CLASSES)
    bent = Threshold("information_gain").fit(np.log(X + 6), CLASSES)
    assert bent.score_[0] == plain.score_[0]
    assert np.array_equal(bent.transform(np.log(X + 6)), plain.transform(X))
    assert np.exp(bent.threshold_[0]) - 6 != pytest.approx(plain.threshold_[0])


def test_discretise_then_categorical() -> None:
    """P.M058: naive Bayes on bins gives the class shares of the bins."""
    chain = Chain(Discretizer("chimerge", p=0.10), CategoricalNB(alpha=1e-10)).fit(X, CLASSES)
    first = chain.predict_proba([[0.0]])[0, chain.classes_.tolist().index("+")]
    assert first == pytest.approx(1 / 5)


def test_clusters_of_one_column() -> None:
    """P.M131: exact means and medians, and merging, find groups that lie apart."""
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(m, 0.1, 20) for m in (0.0, 3.0, 9.0)])[:, None]
    for strategy in ("kmeans", "kmedians", "ward"):
        cuts = Discretizer(strategy, n_bins=3).fit(x).cuts_[0]
        assert [float(c) for c in np.round(cuts)] == [pytest.approx(1.5, abs=0.6), pytest.approx(6.0, abs=0.6)]


def test_six_standard_deviations_hold_nearly_all() -> None:
    """P.W76: 0.9973 of a normal feature lie within three deviations."""
    assert norm.cdf(3) - norm.cdf(-3) == pytest.approx(0.99730, abs=5e-6)
    assert float(entropy([1.0, 1.0])) == 1.0
