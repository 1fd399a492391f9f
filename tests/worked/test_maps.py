"""Numbers of the sources about turning scores into probabilities: logistic curves, the ROC hull, sums that agree."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.metrics import roc_curve

from suffice.decision import IsotonicMap, LogisticMap, rank_scores, score_moments, signed_distance
from suffice.evaluation import calibration_identities

FOUR = np.array([[1.0, 2.0], [-1.0, 2.0], [-1.0, -2.0], [3.0, 1.0]])
CLASS = np.array([0, 0, 1, 1])


def basic_linear(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, float]:
    """Weights and threshold of the classifier half-way between the class means."""
    up, down = X[y == 1].mean(axis=0), X[y == 0].mean(axis=0)
    return up - down, float((up - down) @ (up + down) / 2)


def curve(gamma: float, d0: float, bias: float = 0.0) -> LogisticMap:
    return LogisticMap(np.array([gamma]), np.array([d0]), np.array([bias]))


def test_four_points() -> None:
    """G.N35d, G.G055, G.G056, G.G061: distances, pooled variance over n, gamma, d0 = 0."""
    w, t = basic_linear(FOUR, CLASS)
    d = signed_distance(FOUR, w, t)
    np.testing.assert_allclose(d, [-0.974901, -1.717682, 1.996225, 0.696358], atol=5e-7)
    map = LogisticMap.of_means(d, CLASS)
    moments = score_moments(d, CLASS)
    assert moments.scatter.value.sum() / 4 == pytest.approx(0.280172, abs=5e-7)
    assert map.gamma[0] == pytest.approx(9.610448, abs=5e-6)
    assert map.d0[0] == pytest.approx(0.0, abs=1e-15)
    assert map.bias[0] == pytest.approx(0.0, abs=1e-15)


def test_standard_logistic() -> None:
    """G.N36, G.G058: unit variance and means of plus and minus one half make the ratio of densities e^d."""
    d = np.linspace(-3, 3, 13)
    ratio = norm.pdf(d, 0.5) / norm.pdf(d, -0.5)
    np.testing.assert_allclose(ratio, np.exp(d), rtol=1e-13)
    np.testing.assert_allclose(curve(1.0, 0.0)(d), ratio / (1 + ratio), rtol=1e-13)


def test_general_logistic_calibration() -> None:
    """G.N37, G.G060: means 2.3 and -0.7 and variance 1.9 give gamma 1.578947 and d0 0.8, the ratio of the densities."""
    spread = np.sqrt(1.9)
    scores = np.array([2.3 - spread, 2.3 + spread, -0.7 - spread, -0.7 + spread])
    map = LogisticMap.of_means(scores, [1, 1, 0, 0])
    assert map.gamma[0] == pytest.approx(3 / 1.9, rel=1e-14)
    assert map.gamma[0] == pytest.approx(1.578947, abs=5e-7)
    assert map.d0[0] == pytest.approx(0.8, rel=1e-14)
    d = np.linspace(-3, 3, 13)
    ratio = norm.pdf(d, 2.3, spread) / norm.pdf(d, -0.7, spread)
    np.testing.assert_allclose(map(d), ratio / (1 + ratio), rtol=1e-12)


def test_the_class_ratio_adds_its_logarithm() -> None:
    """G.N37b, G.G057: LR / (LR + 1 / clr) is the same curve with log clr added to the log-odds."""
    d, clr = np.linspace(-3, 3, 13), 2.5
    ratio = np.exp(3 / 1.9 * (d - 0.8))
    np.testing.assert_allclose(curve(3 / 1.9, 0.8, np.log(clr))(d), ratio / (ratio + 1 / clr), rtol=1e-13)
    map = LogisticMap.of_means([0.0, 1.0, 1.0, 2.0, 3.0, 4.0, 4.5], [0, 0, 1, 1, 1, 1, 1])
    assert map.bias[0] == pytest.approx(np.log(2.5), rel=1e-14)


def test_symmetric_classes() -> None:
    """G.G059: where the mean distances are opposite, d0 is 0 and only gamma is left."""
    map = LogisticMap.of_means([3.0, 1.0, -1.0, -3.0], [1, 1, 0, 0])
    assert (map.gamma[0], map.d0[0], map.bias[0]) == (4.0, 0.0, 0.0)


def test_basic_linear_classifier() -> None:
    """G.N38, G.G061: d+ - d- is the distance of the means and d0 = 0; the length of w does not matter."""
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], [30, 12])
    X = rng.multivariate_normal([0, 0], [[1, 0.6], [0.6, 1]], 42) + np.where(y[:, None] == 1, [1, 1], [-1, 0])
    w, t = basic_linear(X, y)
    d = signed_distance(X, w, t)
    map = LogisticMap.of_means(d, y, prior="uniform")
    moments = score_moments(d, y)
    means = moments.mean.value.ravel()
    assert means[1] - means[0] == pytest.approx(np.linalg.norm(w), rel=1e-13)
    assert map.d0[0] == pytest.approx(0.0, abs=1e-15)
    assert map.gamma[0] == pytest.approx(np.linalg.norm(w) / (moments.scatter.value.sum() / 42), rel=1e-12)
    long = LogisticMap.of_means(7.0 * d, y, prior="uniform")
    np.testing.assert_allclose(long(7.0 * d), map(d), rtol=1e-12)


def test_folded_weights() -> None:
    """G.G062: w' = gamma w and t' = gamma (t + d0); the direction stays."""
    w, t = np.array([0.6, -0.8]), 0.3
    map = curve(1.5, 0.25)
    folded, threshold = map.fold(w, t)
    np.testing.assert_allclose(folded, 1.5 * w, rtol=1e-15)
    assert threshold == pytest.approx(1.5 * (0.3 + 0.25), rel=1e-15)
    np.testing.assert_allclose(1 / (1 + np.exp(threshold - FOUR @ folded)), map(FOUR @ w - t), rtol=1e-13)


def test_the_curves_of_the_figure() -> None:
    """G.N39: p at d = 1 for gamma 1, 2 and 1/2; with d0 = 1 each is one half."""
    for gamma, p in ((1.0, 0.731059), (2.0, 0.880797), (0.5, 0.622459)):
        assert curve(gamma, 0.0)([1.0])[0] == pytest.approx(p, abs=5e-7)
        assert curve(gamma, 1.0)([1.0])[0] == 0.5


def hull_levels(scores: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Positive share of the segment of the ROC hull that each score lies on, by scikit-learn's curve."""
    right, up, threshold = roc_curve(y, scores, drop_intermediate=False)
    points = list(zip(right * (y == 0).sum(), up * (y == 1).sum(), threshold, strict=True))
    kept: list[tuple[float, float, float]] = []
    for x, z, s in points:
        while len(kept) >= 2 and (kept[-1][0] - kept[-2][0]) * (z - kept[-2][1]) >= (kept[-1][1] - kept[-2][1]) * (
            x - kept[-2][0]
        ):
            kept.pop()
        kept.append((x, z, s))
    levels = np.empty(len(scores))
    for (x0, z0, s0), (x1, z1, s1) in pairwise(kept):
        levels[(scores < s0) & (scores >= s1)] = (z1 - z0) / (z1 - z0 + x1 - x0)
    return levels


def test_plateaus_of_the_hull() -> None:
    """G.N38c, G.G063, G.E20, P.M072: pooling adjacent violators is the ROC hull, constant on each segment."""
    rng = np.random.default_rng(0)
    scores = np.concatenate([rng.normal(1, 1, 60), rng.normal(-0.2, 1, 40)])
    y = np.repeat([1, 0], [60, 40])
    map = IsotonicMap.of(scores, y)
    np.testing.assert_allclose(map(scores), hull_levels(scores, y), rtol=0, atol=1e-12)
    inside = np.concatenate([np.linspace(a, b, 9) for a, b in zip(map.low[0], map.high[0], strict=True)])
    assert map(inside).tolist() == np.repeat(map.levels(), 9).tolist()
    assert len(map.levels()) < 20


def test_three_calibrations_of_one_feature() -> None:
    """P.W35, P.M069, P.M071, P.M072: 20 positives among 40 rows; drawn anew, because the points were not printed."""
    rng = np.random.default_rng(5)
    x, y = np.concatenate([rng.normal(1, 1, 20), rng.normal(-1, 1, 20)]), np.repeat([1, 0], 20)
    maps = {
        "regression": LogisticMap.of(x, y, smooth=False),
        "means": LogisticMap.of_means(x, y),
        "hull": IsotonicMap.estimate(rank_scores(x[:7], y[:7]) + rank_scores(x[7:], y[7:])),
    }
    error = {name: np.mean((y - map(x)) ** 2) for name, map in maps.items()}
    assert {name: round(value, 3) for name, value in error.items()} == {
        "regression": 0.048,
        "means": 0.050,
        "hull": 0.033,
    }
    sums = {name: calibration_identities(y, map(x), x[:, None]) for name, map in maps.items()}
    assert sums["regression"].predicted[0] == pytest.approx(20.0, abs=1e-12)
    assert sums["hull"].predicted[0] == pytest.approx(20.0, abs=1e-12)
    assert sums["means"].predicted[0] == pytest.approx(19.05, abs=0.005)
    rest = {name: side.by_column for name, side in sums.items()}
    assert all(side is not None for side in rest.values())
    np.testing.assert_allclose(rest["regression"], [[0.0]], atol=1e-12)
    np.testing.assert_allclose(rest["means"], [[0.41]], atol=0.005)
    np.testing.assert_allclose(rest["hull"], [[-0.21]], atol=0.005)
    assert sums["means"].positives[0] == 20  # of the 40 rows, which the source calls 20
