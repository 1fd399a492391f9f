"""Reliability and identities: scikit-learn's curve, Wilson's bands, shards that add, sums that must agree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.calibration import calibration_curve
from sklearn.linear_model import LogisticRegression

from suffice.core.errors import BadInput
from suffice.decision import IsotonicMap, rank_scores
from suffice.evaluation import Reliability, calibration_identities
from suffice.evaluation.scores.estimate import share


def drawn(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    p = rng.random(n)
    return (rng.random(n) < p).astype(int), p


@pytest.mark.parametrize(("cut", "strategy"), [("equal_width", "uniform"), ("equal_frequency", "quantile")])
def test_the_curve_of_scikit_learn(cut: str, strategy: str) -> None:
    y, p = drawn(2000)
    observed, predicted = calibration_curve(y, p, n_bins=10, strategy=strategy)
    table = Reliability.of(y, p, bins=10, cut=cut)
    if cut == "equal_width":
        np.testing.assert_allclose(table.observed, observed, rtol=1e-13)
        np.testing.assert_allclose(table.predicted, predicted, rtol=1e-13)
    assert table.weight.sum() == 2000
    assert (table.weight == 200).all() == (cut == "equal_frequency")


def test_bands_and_errors_by_hand() -> None:
    y, p = [0, 1, 1, 1, 0], [0.05, 0.15, 0.95, 0.85, 0.8]
    table = Reliability.of(y, p, bins=2)
    assert table.limits.tolist() == [0.0, 0.5, 1.0]
    np.testing.assert_allclose(table.predicted, [0.1, 2.6 / 3], rtol=1e-15)
    np.testing.assert_allclose(table.observed, [0.5, 2 / 3], rtol=1e-15)
    bands = [share(1.0, 2.0), share(2.0, 3.0)]
    assert table.low.tolist() == [band.low for band in bands]
    assert table.high.tolist() == [band.high for band in bands]
    assert table.expected_error == pytest.approx((2 * 0.4 + 3 * 0.2) / 5, rel=1e-14)
    assert table.largest_error == pytest.approx(0.4, rel=1e-14)
    np.testing.assert_allclose(table.surplus, [-0.8, 0.6], rtol=1e-14)
    assert table.outside.tolist() == [bool(bands[0].low > 0.1), False]


def test_empty_bins_have_no_line_and_no_share() -> None:
    table = Reliability.of([0, 1], [0.0, 1.0], bins=4)
    assert np.isnan(table.observed[1:3]).all()
    assert (table.low[1], table.high[1]) == (0.0, 1.0)
    assert len(str(table).splitlines()) == 3
    assert table.expected_error == table.largest_error == 0.0
    assert not table.outside.any()


def test_true_probabilities_lie_in_their_bands_and_bold_ones_do_not() -> None:
    y, p = drawn(20_000)
    true, bold = Reliability.of(y, p), Reliability.of(y, p**3 / (p**3 + (1 - p) ** 3))
    assert true.outside.sum() <= 2
    assert bold.outside.sum() >= 6
    assert true.expected_error < 0.02 < 0.1 < bold.expected_error


def test_shards_add() -> None:
    y, p = drawn(500)
    w = np.arange(500) % 3 + 0.0
    parts = rank_scores(p[:200], y[:200], w[:200]) + rank_scores(p[200:], y[200:], w[200:])
    for cut in ("equal_width", "equal_frequency"):
        merged, whole = Reliability.estimate(parts, cut=cut), Reliability.of(y, p, sample_weight=w, cut=cut)
        for a, b in zip(merged, whole, strict=True):
            np.testing.assert_array_equal(a, b)


def test_weight_w_is_w_copies() -> None:
    y, p = drawn(80)
    w = np.arange(80) % 3
    for a, b in zip(Reliability.of(y, p, sample_weight=w), Reliability.of(y.repeat(w), p.repeat(w)), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-14)


def test_several_classes_by_label_and_by_the_most_probable() -> None:
    proba = np.array([[0.7, 0.2, 0.1], [0.1, 0.6, 0.3], [0.2, 0.3, 0.5]])
    y, classes = ["a", "c", "z"], ["a", "b", "c"]
    top = Reliability.of(y, proba, classes, bins=1)
    assert top.predicted[0] == pytest.approx(0.6, rel=1e-15)
    assert top.observed[0] == pytest.approx(1 / 3, rel=1e-15)
    c = Reliability.of(y, proba, classes, label="c", bins=1)
    assert c.predicted[0] == pytest.approx(0.3, rel=1e-15)
    assert c.observed[0] == pytest.approx(1 / 3, rel=1e-15)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"y_true": [0, 1], "proba": [0.5, 1.5]}, "Reliability: proba must be from 0 to 1, got 1.5"),
        ({"y_true": [0, 1], "proba": [-0.5, 0.5]}, "Reliability: proba must be from 0 to 1, got -0.5"),
        ({"y_true": [0, 1], "proba": [0.5, 0.5], "bins": 0}, "Reliability: bins must be a whole number of at least 1"),
        ({"y_true": [0, 1], "proba": [0.5, 0.5], "cut": "quantile"}, "Reliability: cut must be one of "),
        ({"y_true": [0, 1], "proba": [[0.5, 0.5]] * 2}, "Reliability: classes must be given where probabilities of"),
        ({"y_true": [0, 1], "proba": [0.5, 0.5], "label": 1}, "Reliability: classes must be given where probabilities"),
        (
            {"y_true": [0, 1], "proba": [[0.5, 0.5]] * 2, "classes": [0, 1], "label": 2},
            r"Reliability: label must be one of the classes \[0, 1\], got 2",
        ),
        (
            {"y_true": [0, 1], "proba": [[0.5, 0.6]] * 2, "classes": [0, 1]},
            "Reliability: proba must be probabilities of at least 0 that sum to 1 in every row",
        ),
        (
            {"y_true": [0, 1], "proba": [0.5, 0.5], "sample_weight": [1]},
            "Reliability: sample_weight must be one column",
        ),
    ],
)
def test_bad_input_gets_one_sentence(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        Reliability.of(**given)


def test_identities_of_logistic_regression_and_of_the_hull() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = (rng.random(300) < 1 / (1 + np.exp(-X[:, 0] - 0.5))).astype(int)
    w = rng.integers(1, 4, 300).astype(np.float64)
    model = LogisticRegression(C=np.inf, tol=1e-14, max_iter=1000, solver="newton-cholesky").fit(X, y, w)
    sums = calibration_identities(y, model.predict_proba(X)[:, 1], X, w)
    assert sums.positives[0] == w[y == 1].sum()
    assert abs(sums.surplus[0]) < 1e-9
    assert sums.by_column is not None
    assert np.abs(sums.by_column).max() < 1e-9
    hull = calibration_identities(y, IsotonicMap.of(X[:, 0], y, w)(X[:, 0]), X[:, :1], w)
    assert abs(hull.surplus[0]) < 1e-10
    assert hull.by_column is not None
    assert abs(hull.by_column[0, 0]) > 1e-3


def test_identities_of_several_classes_and_in_standard_deviations() -> None:
    sums = calibration_identities(["a", "b", "b"], [[0.5, 0.5], [0.2, 0.8], [0.3, 0.7]], classes=["a", "b"])
    np.testing.assert_allclose(sums.predicted, [1.0, 2.0], rtol=1e-15)
    assert sums.positives.tolist() == [1.0, 2.0]
    assert sums.by_column is None
    y, p = drawn(10_000)
    assert abs(calibration_identities(y, p).z[0]) < 3
    assert calibration_identities(y, np.sqrt(p)).z[0] > 10
    assert calibration_identities([0, 1], [0.0, 1.0]).z.tolist() == [0.0]
    assert calibration_identities([1, 1], [0.0, 1.0]).z.tolist() == [-np.inf]


def test_messages_of_identities() -> None:
    with pytest.raises(BadInput, match=r"calibration_identities: proba must be from 0 to 1, got 1.5"):
        calibration_identities([0], [1.5])
    with pytest.raises(BadInput, match=r"calibration_identities: X must be a table of 2 rows, got shape \(1, 1\)"):
        calibration_identities([0, 1], [0.5, 0.5], X=[[1.0]])
    with pytest.raises(BadInput, match=r"calibration_identities: X must be numbers, got .* Leave it out"):
        calibration_identities([0, 1], [0.5, 0.5], X=[["a"], ["b"]])
    with pytest.raises(BadInput, match=r"calibration_identities: labels must be 0 or 1, False or True"):
        calibration_identities([0, 2], [0.5, 0.5])
