"""TemperatureMap: the temperature of greatest likelihood, and scores at the edges."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import expit, log_softmax
from sklearn.calibration import _TemperatureScaling

from suffice.core.errors import BadInput
from suffice.decision import TemperatureMap
from suffice.persistence import from_bytes, to_bytes


def drawn(n: int, K: int, boldness: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    logits = rng.normal(size=(n, K))
    y = np.array([rng.choice(K, p=np.exp(row)) for row in log_softmax(logits, axis=1)])
    return log_softmax(logits * boldness, axis=1), y


@pytest.mark.parametrize(("K", "boldness"), [(2, 5.0), (3, 0.2), (4, 40.0)])
def test_the_likelihood_is_greatest(K: int, boldness: float) -> None:
    scores, y = drawn(400, K, boldness)
    w = np.random.default_rng(1).exponential(size=400)

    def loss(beta: float) -> float:
        return float(-(w * log_softmax(beta * scores, axis=1)[np.arange(400), y]).sum())

    map = TemperatureMap.of(scores, y, w)
    best = minimize_scalar(loss, bounds=(1e-3, 1e3), options={"xatol": 1e-12})
    assert 1 / map.temperature == pytest.approx(best.x, rel=1e-6)
    p = map(scores)
    gap = w @ ((p * scores).sum(axis=1) - scores[np.arange(400), y])
    assert abs(gap) < 1e-10 * boldness * w.sum()


def test_equal_to_scikit_learn_as_far_as_that_converges() -> None:
    scores, y = drawn(600, 3, 6.0)
    peer = _TemperatureScaling().fit(scores - 1.0, y)  # no probabilities, so that it takes them as they are
    np.testing.assert_allclose(TemperatureMap.of(scores, y)(scores), peer.predict(scores - 1.0), rtol=0, atol=1e-6)


def test_log_odds_are_two_classes() -> None:
    scores, y = drawn(300, 2, 3.0)
    odds = scores[:, 1] - scores[:, 0]
    one, two = TemperatureMap.of(odds, y), TemperatureMap.of(scores, y)
    assert one.temperature == pytest.approx(two.temperature, rel=1e-13)
    np.testing.assert_allclose(one(odds), two(scores)[:, 1], rtol=1e-12)
    np.testing.assert_allclose(one(odds), expit(odds / one.temperature), rtol=1e-12)
    assert one.proba(odds).shape == (300, 2)


def test_the_order_of_the_classes_stays() -> None:
    scores, y = drawn(200, 5, 20.0)
    assert (TemperatureMap.of(scores, y)(scores).argmax(axis=1) == scores.argmax(axis=1)).all()


def test_a_number_added_to_a_row_does_not_matter() -> None:
    scores, y = drawn(200, 3, 2.0)
    moved = scores + np.arange(200)[:, None]
    np.testing.assert_allclose(TemperatureMap.of(moved, y)(moved), TemperatureMap.of(scores, y)(scores), rtol=1e-11)


def test_always_right_is_as_cold_and_always_wrong_as_hot_as_can_be() -> None:
    scores = np.log([[0.9, 0.1], [0.1, 0.9]])
    assert TemperatureMap.of(scores, [0, 1])(scores).max(axis=1).tolist() == [1.0, 1.0]
    assert TemperatureMap.of(scores, [1, 0]).temperature == pytest.approx(1e4, rel=1e-9)
    assert TemperatureMap.of(np.zeros((3, 2)), [0, 1, 1]).temperature == 1.0


def test_impossible_classes_leave_the_likelihood_finite() -> None:
    with np.errstate(divide="ignore"):
        scores = np.log([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.5, 0.5]])
    map = TemperatureMap.of(scores, [0, 1, 1, 0])
    assert map.floor == pytest.approx(np.log(1e-12))
    p = map(scores)
    assert (p[:3] > 0.0).all()
    assert p[0, 1] == pytest.approx(1 / 3, rel=1e-9)  # one of the three that were sure was wrong
    assert TemperatureMap.of([[0.0, -900.0], [-900.0, 0.0]], [0, 1]).floor == -900.0


def test_infinite_log_odds() -> None:
    map = TemperatureMap.of([np.inf, -np.inf, np.inf, 0.1], [1, 0, 0, 1])
    p = map([np.inf, -np.inf])
    assert p[0] == pytest.approx(1 - p[1], rel=1e-12)
    assert 0.5 < p[0] < 1.0


def test_missing_scores_have_no_probability() -> None:
    p = TemperatureMap(2.0, width=3)([[0.0, np.nan, 1.0], [0.0, 0.0, 0.0]])
    assert np.isnan(p[0]).all()
    np.testing.assert_allclose(p[1], 1 / 3, rtol=1e-15)


def test_saved_and_loaded_it_maps_alike() -> None:
    scores, y = drawn(50, 3, 2.0)
    map = TemperatureMap.of(scores, y)
    assert from_bytes(to_bytes(map)) == map


def test_messages() -> None:
    for T in (0.0, -1.0, np.inf, np.nan, True, "hot"):
        with pytest.raises(BadInput, match="TemperatureMap: temperature must be a finite number above 0, got"):
            TemperatureMap(T)  # type: ignore[arg-type]
    rule = r"TemperatureMap: scores must be log-probabilities, in every row some above -inf and none NaN or \+inf, got"
    for row in ([-np.inf, -np.inf], [np.nan, 0.0], [np.inf, 0.0]):
        with pytest.raises(BadInput, match=rule + ".* Correct row 1"):
            TemperatureMap.of([[0.0, -1.0], row], [0, 1])
