"""LogisticMap: from class means in exact rationals, by maximum likelihood against the equations and scikit-learn."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.special import expit
from sklearn.calibration import _SigmoidCalibration
from sklearn.linear_model import LogisticRegression

from suffice.core.errors import BadInput
from suffice.decision import LogisticMap, rank_scores, score_moments, signed_distance
from suffice.persistence import from_bytes, to_bytes


def drawn(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    s = rng.normal(size=n)
    return s, (rng.random(n) < expit(2 * s - 1)).astype(int)


def test_class_means_in_exact_rationals() -> None:
    s, y = [Fraction(v, 8) for v in (1, 5, -3, 20, 9, 2, 7)], [0, 0, 0, 1, 1, 1, 1]
    ups, downs = ([v for v, c in zip(s, y, strict=True) if c == k] for k in (1, 0))
    up, down = sum(ups) / len(ups), sum(downs) / len(downs)
    variance = (sum((v - up) ** 2 for v in ups) + sum((v - down) ** 2 for v in downs)) / len(s)
    map = LogisticMap.of_means([float(v) for v in s], y)
    assert map.gamma[0] == pytest.approx(float((up - down) / variance), rel=1e-15)
    assert map.d0[0] == pytest.approx(float((up + down) / 2), rel=1e-15)
    assert map.bias[0] == pytest.approx(np.log(4 / 3), rel=1e-15)


def test_the_prior_is_learned_given_or_left_out() -> None:
    s, y = drawn(300)
    shares, even, given = (LogisticMap.of_means(s, y, prior=prior) for prior in (None, "uniform", [0.9, 0.1]))
    assert shares.bias[0] == pytest.approx(np.log(y.mean() / (1 - y.mean())), rel=1e-14)
    assert even.bias[0] == pytest.approx(0.0, abs=1e-15)
    assert given.bias[0] == pytest.approx(np.log(1 / 9), rel=1e-14)
    assert shares.gamma[0] == even.gamma[0] == given.gamma[0]


@pytest.mark.parametrize(("unit", "offset"), [(2.0**-20, 0.0), (2.0**20, 0.0), (1.0, 1e8), (0.125, -1e8)])
def test_the_unit_and_the_origin_of_the_scores_do_not_matter(unit: float, offset: float) -> None:
    s, y = drawn(400)
    s = (s * unit + offset - offset) / unit  # what float64 keeps of it
    for learn in (LogisticMap.of, LogisticMap.of_means):
        moved, still = learn(s * unit + offset, y), learn(s, y)
        np.testing.assert_allclose(moved(s * unit + offset), still(s), rtol=0, atol=1e-12)


def test_merged_shards_give_the_map_of_the_whole() -> None:
    s, y = drawn(500)
    w = np.arange(500) % 3 + 0.5
    first, *others = (slice(0, 77), slice(77, 78), slice(78, 500))
    moments, rankings = score_moments(s[first], y[first], w[first]), rank_scores(s[first], y[first], w[first])
    for part in others:
        moments += score_moments(s[part], y[part], w[part])
        rankings += rank_scores(s[part], y[part], w[part])
    means, likely = LogisticMap.estimate_means(moments), LogisticMap.estimate(rankings)
    np.testing.assert_allclose(means(s), LogisticMap.of_means(s, y, w)(s), rtol=1e-12, atol=0)
    np.testing.assert_allclose(likely(s), LogisticMap.of(s, y, w)(s), rtol=1e-12, atol=0)


@pytest.mark.parametrize("weighted", [False, True])
def test_maximum_likelihood_solves_its_equations(weighted: bool) -> None:
    s, y = drawn(300)
    w = np.random.default_rng(1).exponential(size=300) if weighted else np.ones(300)
    ups, downs = w[y == 1].sum(), w[y == 0].sum()
    target = np.where(y == 1, (ups + 1) / (ups + 2), 1 / (downs + 2))
    rest = w * (LogisticMap.of(s, y, w if weighted else None)(s) - target)
    assert abs(rest.sum()) < 1e-11
    assert abs((rest * s).sum()) < 1e-11


def test_equal_to_platt_in_scikit_learn_as_far_as_that_converges() -> None:
    s, y = drawn(2000)
    peer = _SigmoidCalibration().fit(s, y)
    np.testing.assert_allclose(LogisticMap.of(s, y)(s), peer.predict(s), rtol=0, atol=1e-6)


def test_without_smoothing_it_is_logistic_regression() -> None:
    s, y = drawn(500)
    peer = LogisticRegression(C=np.inf, tol=1e-14, max_iter=10_000, solver="newton-cholesky").fit(s[:, None], y)
    map = LogisticMap.of(s, y, smooth=False)
    np.testing.assert_allclose(map(s), peer.predict_proba(s[:, None])[:, 1], rtol=1e-9, atol=0)
    assert map(s).sum() == pytest.approx(y.sum(), rel=1e-13)


def test_separated_classes_stay_finite_with_smoothing() -> None:
    map = LogisticMap.of([-1.0, -2.0, 5.0, 9.0], [0, 0, 1, 1])
    assert np.isfinite(map.gamma).all()
    assert (map([-9.0, 20.0]) > 0.0).all()
    assert (map([-9.0, 20.0]) < 1.0).all()


def test_equal_scores_say_nothing() -> None:
    for map in (LogisticMap.of([1e8] * 4, [0, 1, 1, 1], smooth=False), LogisticMap.of_means([7.0] * 4, [0, 1, 1, 1])):
        assert map.gamma[0] == 0.0
        np.testing.assert_allclose(map([-np.inf, 1e8, np.inf]), [0.75] * 3, rtol=1e-15)
        assert np.isnan(map([np.nan]))[0]


def test_one_class_alone_has_a_smoothed_share() -> None:
    assert LogisticMap.of([1.0, 2.0, 4.0], [1, 1, 1])([3.0])[0] == pytest.approx(4 / 5, rel=1e-12)


def test_far_tails_keep_their_digits_and_never_overflow() -> None:
    map = LogisticMap(np.array([1.0]), np.array([0.0]), np.array([0.0]))
    assert map([-700.0])[0] == pytest.approx(np.exp(-700.0), rel=1e-14)
    assert map([-1e9, 1e9, -np.inf, np.inf]).tolist() == [0.0, 1.0, 0.0, 1.0]


def test_several_classes_are_one_against_the_rest() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 200)
    scores = rng.normal(size=(200, 3)) + np.eye(3)[y]
    for learn in (LogisticMap.of, LogisticMap.of_means):
        alone = np.column_stack([learn(scores[:, k], y == k)(scores[:, k]) for k in range(3)])
        p = learn(scores, y)(scores)
        np.testing.assert_allclose(p, alone / alone.sum(axis=1, keepdims=True), rtol=1e-13)


def test_folded_weights_give_the_same_log_odds() -> None:
    rng = np.random.default_rng(0)
    X, w, t = rng.normal(size=(50, 3)), np.array([1.0, -2.0, 0.5]), 0.7
    y = (X @ w - t + rng.normal(size=50) > 0).astype(int)
    length = np.linalg.norm(w)
    for score, unit in ((X @ w - t, 1.0), (signed_distance(X, w, t), length)):
        map = LogisticMap.of(score, y)
        folded, threshold = map.fold(w / unit, t / unit)
        np.testing.assert_allclose(expit(X @ folded - threshold), map(score), rtol=1e-12)


def test_saved_and_loaded_it_maps_alike() -> None:
    s, y = drawn(50)
    map = LogisticMap.of(s, y)
    assert from_bytes(to_bytes(map))(s).tolist() == map(s).tolist()


def test_messages() -> None:
    with pytest.raises(BadInput, match="LogisticMap: scores must be finite, got NaN or infinity in row 1"):
        LogisticMap.of_means([0.0, np.inf], [0, 1])
    with pytest.raises(BadInput, match="LogisticMap: scores must be finite, got NaN or infinity in row 0"):
        LogisticMap.of([0.0, -np.inf], [0, 1])
    with pytest.raises(BadInput, match=r"labels must be of both classes, got one class only. Give rows of every class"):
        LogisticMap.of_means([0.0, 1.0], [1, 1])
    with pytest.raises(BadInput, match=r"labels must be of both classes, got one class only. Use smoothed targets"):
        LogisticMap.of([0.0, 1.0], [1, 1], smooth=False)
    with pytest.raises(BadInput, match=r"scores must be spread within a class, .* got equal ones in each class"):
        LogisticMap.of_means([0.0, 0.0, 1.0, 1.0], [0, 0, 1, 1])
    for y in ([0, 0, 1, 1], [1, 1, 0, 0]):
        with pytest.raises(BadInput, match=r"scores must be of classes that overlap, .* Use smoothed targets"):
            LogisticMap.of([0.0, 1.0, 1.0, 2.0], y, smooth=False)
    with pytest.raises(BadInput, match=r"LogisticMap: prior must be above 0 for every class, got 0.0"):
        LogisticMap.of_means([0.0, 1.0, 2.0, 3.0], [0, 1, 0, 1], prior=[1.0, 0.0])
    with pytest.raises(BadInput, match="LogisticMap: prior must be one probability per class"):
        LogisticMap.of_means([0.0, 1.0, 2.0, 3.0], [0, 1, 0, 1], prior=[0.5, 0.25, 0.25])
    with pytest.raises(BadInput, match="the map must be of one column of scores to be folded, got one of 2 columns"):
        LogisticMap.of([[0.0, 1.0], [1.0, 0.0]], [0, 1]).fold([1.0], 0.0)


def test_messages_of_distances() -> None:
    with pytest.raises(BadInput, match="signed_distance: w must be finite weights, not all of them 0, got"):
        signed_distance([[1.0, 2.0]], [0.0, 0.0], 1.0)
    with pytest.raises(BadInput, match=r"signed_distance: X must be rows of 2 columns, got shape \(1, 3\)"):
        signed_distance([[1.0, 2.0, 3.0]], [1.0, 0.0], 1.0)
