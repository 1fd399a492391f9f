"""Feature calibration: the worked numbers of the sources, each naming its row."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import norm

from suffice import BasicLinearClassifier, Calibrate, NaiveBayes
from suffice.features import calibrated_density
from suffice.features.calibrate.column_maps import logistic_line, neutral, prior_corrected, raw, smoothed

RNG = np.random.default_rng(0)
WEIGHT = np.array([130, 127, 111, 106, 103, 96, 90, 86, 85, 82, 81, 80, 79, 77, 73, 68, 67, 64, 61, 56.0])
DIABETES = np.array(list("++++-++-+--+-+--+---"))
CALIBRATED = [0.83] * 4 + [0.60] * 3 + [0.50] * 2 + [0.43] * 5 + [0.40] * 3 + [0.20] * 3


def test_raw_shares() -> None:
    """P.W77, P.M144: 1 of 18 and 1 of 55; the source cuts 0.0556 to 0.055."""
    np.testing.assert_allclose(raw([1, 1], [18, 55], 1 / 48), [0.05556, 0.01818], atol=5e-6)


def test_prior_corrected_shares() -> None:
    """P.W78, P.M145: the likelihood ratio as a probability, with its neutral point at 1/2."""
    found = prior_corrected([1, 1], [18, 55], 1 / 48)
    np.testing.assert_allclose(found, [48 / (48 + 17), 48 / (48 + 54)], rtol=1e-14)
    np.testing.assert_allclose(found, [0.74, 0.47], atol=5e-3)
    ratio = (1 / 100) / (17 / 4800)  # P(value | +) / P(value | -), 100 positives of 4900 rows
    assert found[0] == pytest.approx(ratio / (1 + ratio))


def test_smoothed_shares_and_the_neutral_point() -> None:
    """P.W79, P.M146: as printed an unseen value goes to 1 / (1 + c), as no number there says; ours to 1/2."""
    m, n = [1, 1, 0], [18, 55, 0]
    np.testing.assert_allclose(smoothed(m, n, 1 / 48), [0.8421, 0.6358, 0.9796], atol=5e-5)
    assert smoothed(0, 0, 1.0) == 0.5
    ours = neutral(m, n, 1 / 48)
    assert ours[2] == pytest.approx(0.5, rel=1e-14)
    assert ours[1] < 0.5 < ours[0]  # no group changes sides
    y = np.array([1] * 2 + [0] * 96)
    for smoothing, unseen in (("smoothed", 1 / (1 + 2 / 96)), ("neutral", 0.5)):
        model = Calibrate(space="probability", smoothing=smoothing).fit({"g": ["a"] * 18 + ["b"] * 80}, y)
        assert model.transform({"g": ["never"]})[0, 0] == pytest.approx(unseen)


def test_logistic_calibration() -> None:
    """P.W80, P.M148: means 4 and 2 with deviation 1.5 have d' = 4/3; the likelihood ratio is exp(d' z)."""
    line = logistic_line((np.array([4.0]), np.ones(1)), (np.array([2.0]), np.ones(1)), 1.5)
    assert line.d_prime == pytest.approx(4 / 3)
    x = np.linspace(-3, 9, 25)
    ratio = norm.pdf(x, 4, 1.5) / norm.pdf(x, 2, 1.5)
    np.testing.assert_allclose(np.exp(line.numbers(x)), ratio, rtol=1e-10)
    np.testing.assert_allclose(logit(expit(line.numbers(x))), line.numbers(x), rtol=1e-10, atol=1e-12)
    back = line.centre + line.numbers(x) * line.sigma / line.d_prime
    np.testing.assert_allclose(back, x, rtol=1e-12)


def test_the_boundary_is_fixed() -> None:
    """P.W81, P.M149: with deviation 1 the sum of log odds is the basic linear classifier, without further training."""
    X = np.array([[2.0, 2.0], [4.0, 4.0]])
    model = Calibrate("logistic", sigma=1.0).fit(X, ["far", "near"])
    rows = RNG.normal(3.0, 2.0, (200, 2))
    np.testing.assert_allclose(
        model.log_odds(rows), 2 * (rows[:, 0] - 3) + 2 * (rows[:, 1] - 3), rtol=1e-12, atol=1e-12
    )
    assert np.array_equal(model.decide(rows), BasicLinearClassifier().fit(X, ["far", "near"]).predict(rows))
    assert np.array_equal(model.decide(rows) == "near", rows.sum(axis=1) > 6)


def test_probability_space_is_linear_for_two_features_only() -> None:
    """P.W82: F1 + F2 = 1 is the same line; the sum of three is 1.5813, not 1.5, where their log odds add to 0."""
    for F, total in (([1.3, -1.3], 1.0), ([1.0, 1.0, -2.0], 1.5813)):
        d = len(F)
        model = Calibrate("logistic", sigma=1.0, space="probability").fit(np.array([[-0.5] * d, [0.5] * d]), [0, 1])
        row = np.array([F])  # d' is 1 and the centre 0: log odds are the cells
        assert model.log_odds(row)[0] == pytest.approx(0.0, abs=1e-12)
        assert model.transform(row).sum() == pytest.approx(total, abs=5e-5)


def test_naive_bayes_is_a_hyperplane_in_log_odds() -> None:
    """P.M150: weights 1 and threshold 0 are naive Bayes with balanced classes; weights are powers of the ratios."""
    table = {"a": RNG.choice(["u", "v"], 200).tolist(), "b": RNG.choice(["x", "y", "z"], 200).tolist()}
    y = np.where((np.array(table["a"]) == "u") ^ (RNG.random(200) < 0.3), "ill", "well")
    model = Calibrate(smoothing="prior").fit(table, y)
    bayes = NaiveBayes(prior="uniform").fit(table, y)
    sums = model.log_odds(table)
    p = np.clip(bayes.predict_proba(table)[:, 1], 1e-12, 1)
    assert np.corrcoef(sums, logit(p))[0, 1] > 0.999
    assert np.array_equal(model.decide(table) == "well", sums > 0)
    ratios = np.exp(model.transform(table))
    np.testing.assert_allclose(
        np.exp(model.log_odds(table, [2.0, 0.5])), ratios[:, 0] ** 2 * ratios[:, 1] ** 0.5, rtol=1e-12
    )


def test_the_density_of_a_calibrated_feature() -> None:
    """P.W83, P.M151: it depends on d' alone; its peaks move to the ends as d' grows."""
    p = np.linspace(1e-4, 1 - 1e-4, 20_000)
    for d, (at, height) in {0.5: (0.536, 3.21), 1.0: (0.718, 1.79), 1.4: (0.936, 2.27), 1.8: (0.992, 5.75)}.items():
        f = calibrated_density(p, d)
        assert p[f.argmax()] == pytest.approx(at, abs=1e-3)
        assert f.max() == pytest.approx(height, abs=6e-3)
        np.testing.assert_allclose(calibrated_density(1 - p, d, positive=False), f, rtol=1e-8)
        fine = expit(np.linspace(-30, 30, 60_001))
        inside = (fine > 0) & (fine < 1)
        assert np.trapezoid(calibrated_density(fine[inside], d), fine[inside]) == pytest.approx(1.0, abs=1e-6)


def test_the_isotonic_map_of_all_20_rows() -> None:
    """P.W84, P.M152: 4 of 4, 2 of 3, 1 of 2, 2 of 5, 1 of 3 and 0 of 3 positives, one row added to each class."""
    y = (DIABETES == "+").astype(int)
    model = Calibrate(space="probability").fit(WEIGHT[:, None], y)
    assert model.transform(WEIGHT[:, None]).ravel().round(2).tolist() == CALIBRATED
    turned = Calibrate(space="probability").fit(-WEIGHT[:, None], y)
    assert turned.transform(-WEIGHT[:, None]).ravel().round(2).tolist() == CALIBRATED
    rows = model.evidence("x0").rows
    assert [(r.positive, r.positive + r.negative) for r in rows][::-1] == [
        (4, 4),
        (2, 3),
        (1, 2),
        (2, 5),
        (1, 3),
        (0, 3),
    ]
    np.testing.assert_allclose(
        Calibrate().fit(WEIGHT[:, None], y).transform(WEIGHT[:, None]),
        logit(model.transform(WEIGHT[:, None])),
        rtol=1e-12,
    )


def test_three_of_seven() -> None:
    """P.W85: weight 80 is on a step with 2 of 5, and (2 + 1) / (5 + 2) = 0.4286."""
    model = Calibrate(space="probability").fit(WEIGHT[:, None], (DIABETES == "+").astype(int))
    assert model.transform([[80.0]])[0, 0] == pytest.approx(3 / 7)


def test_spaces_follow_from_each_other() -> None:
    """P.M143, P.M147: log odds and probabilities; discretise, then calibrate the bins."""
    x = np.concatenate([RNG.normal(0, 1, 60), RNG.normal(3, 1, 60)])[:, None]
    y = np.repeat([0, 1], 60)
    for numbers in ("isotonic", "logistic", "bins"):
        F = Calibrate(numbers).fit(x, y).transform(x)
        p = Calibrate(numbers, space="probability").fit(x, y).transform(x)
        np.testing.assert_allclose(expit(F), p, rtol=1e-12)
    bins = Calibrate("bins", space="probability").fit(x, y)
    for row in bins.evidence("x0"):
        inside = (x.ravel() >= row.value[0]) & (x.ravel() < row.value[1])
        m, n = y[inside].sum(), inside.sum()
        assert bins.transform(x[inside][:1])[0, 0] == pytest.approx((m + 1) / (n + 2))


def test_a_fitted_model_is_a_feature() -> None:
    """P.M108: a calibrated column is a mapping from rows to a scale, and so is any model's answer."""
    x = RNG.normal(size=(80, 2))
    y = x[:, 0] + 0.5 * RNG.normal(size=80) > 0
    score = NaiveBayes().fit(x, y).predict_proba(x)[:, 1:]
    assert Calibrate().fit(score, y).transform(score).shape == (80, 1)
