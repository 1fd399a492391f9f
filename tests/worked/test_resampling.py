"""Worked numbers of held-out rows, replicas, bias and variance, and comparing classifiers."""

from __future__ import annotations

from itertools import product
from math import e, inf, sqrt

import numpy as np
import pytest
from scipy import stats
from sklearn.neighbors import KNeighborsClassifier

from suffice import PolynomialRegression
from suffice.evaluation import (
    Bootstrap,
    ErrorCount,
    PairedErrors,
    RegressionScores,
    ZeroOneParts,
    bias_variance,
    bootstrap_rows,
    complexity_curve,
    distinct_share,
    hold_out_errors,
    part_mean_deviation,
    random_parts,
    smallest_normal,
    smallest_of,
)


def test_180_rows_in_three_parts() -> None:
    """C.W01, C.M03.01: of 180 rows 90 are split off, and of these 45; shares say the same."""
    for sizes in [(90, 45, 45), (1 / 2, 1 / 4, 1 / 4)]:
        parts = random_parts(180, sizes)
        assert [len(part) for part in parts] == [90, 45, 45]
        assert sorted(np.concatenate(parts).tolist()) == list(range(180))


def test_35_training_and_15_test_points() -> None:
    """C.W02, C.M03.13: fifty points, fifteen held out, a polynomial of degree 5 and its mean squared errors."""
    rng = np.random.default_rng(1)
    x = rng.uniform(-1, 1, 50)
    y = np.sin(3 * x) + 0.1 * rng.normal(size=50)
    parts = random_parts(50, (35, 15), 2)
    assert [len(part) for part in parts] == [35, 15]
    found = hold_out_errors(PolynomialRegression(degree=5), x[:, None], y, cv=[parts])
    line = np.polyfit(x[parts[0]], y[parts[0]], 5)
    said = np.polyval(line, x)
    errors = [((said[part] - y[part]) ** 2).mean() for part in parts]
    assert (found.training[0], found.test[0]) == pytest.approx(tuple(errors), rel=1e-6)
    assert RegressionScores.of(y[parts[1]], said[parts[1]]).mean_squared_error.value == pytest.approx(errors[1])
    assert found.gap == pytest.approx(errors[1] - errors[0], rel=1e-5)


def test_the_smallest_of_ten_is_too_low() -> None:
    """C.R01, C.M03.06: the smallest of ten normal errors is 1.5388 standard deviations below their mean."""
    assert smallest_normal(10) == pytest.approx(-1.5388, abs=5e-5)
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, 60)
    y = np.sin(3 * x) + 0.2 * rng.normal(size=60)
    cv = [random_parts(60, (40, 20), seed) for seed in range(200)]
    errors = hold_out_errors(PolynomialRegression(degree=3), x[:, None], y, cv=cv).test
    shown = smallest_of(errors, 10)
    assert -1.6 < shown.bias / shown.spread < -0.9  # these errors are skewed
    assert shown.smallest_spread < shown.spread
    groups = errors.reshape(20, 10).min(axis=1)
    assert groups.mean() == pytest.approx(shown.smallest_mean, abs=4 * shown.smallest_spread / sqrt(20))


def test_share_of_distinct_rows_in_a_replica() -> None:
    """C.R15, C.M11.08, P.M180: 0.6513, 0.6358, 0.6340 and, for n without end, 0.6321, rather than two thirds."""
    assert [round(distinct_share(n), 4) for n in (10, 50, 100, inf)] == [0.6513, 0.6358, 0.634, 0.6321]
    distinct = [len(set(bootstrap_rows(50, seed).tolist())) / 50 for seed in range(400)]
    assert np.mean(distinct) == pytest.approx(distinct_share(50), abs=4 * np.std(distinct) / 20)
    assert len(bootstrap_rows(50, 0)) == 50


def test_rows_missing_from_100_draws() -> None:
    """P.W105: of 100 rows a share of 0.3660 is expected to be missing from a replica, in the limit 0.3679."""
    assert 1 - distinct_share(100) == pytest.approx(0.3660, abs=5e-5)
    assert 1 - distinct_share(inf) == pytest.approx(1 / e, rel=1e-14)
    missing = [(counts == 0).mean() for counts in Bootstrap(400, 1).counts(100)]
    assert min(missing) > 0.2
    assert np.mean(missing) == pytest.approx(0.3660, abs=4 * np.std(missing) / 20)


def test_the_choice_of_k_by_bias_and_variance() -> None:
    """C.M11.12, C.E08: nearest neighbours, k from 1 to 17, and the choice of k by the total."""
    rng = np.random.default_rng(4)
    X = rng.uniform(-1.5, 1.5, size=(300, 2))
    disc = ((X**2).sum(axis=1) < 0.8).astype(int)
    train, test = random_parts(300, (100, 200))
    y = np.where(np.isin(np.arange(300), train) & (rng.random(300) < 0.15), 1 - disc, disc)  # noise in training
    ks = range(1, 18, 4)
    found = [
        bias_variance(KNeighborsClassifier(k), X[train], y[train], X[test], y[test], replicas=Bootstrap(40, 0))
        for k in ks
    ]
    for k, parts in zip(ks, found, strict=True):
        assert isinstance(parts, ZeroOneParts)
        made = np.array(
            [
                KNeighborsClassifier(k).fit(X[train][rows], y[train][rows]).predict(X[test])
                for rows, _ in Bootstrap(40, 0).split(train)
            ]
        )
        main = np.round(made.mean(axis=0))  # rounding sends ties to 0, as the rule "first" does
        wrong, deviating = main != y[test], (made != main).mean(axis=0)
        assert parts.bias == pytest.approx(wrong.mean(), abs=1e-12)
        assert parts.net_variance == pytest.approx(
            (deviating[~wrong].sum() - deviating[wrong].sum()) / len(test), abs=1e-12
        )
        assert parts.error == pytest.approx((made != y[test]).mean(), abs=1e-12)
    total = [parts.error for parts in found]
    assert 0 < int(np.argmin(total)) < len(total) - 1  # the total chooses k: neither the most flexible nor the stiffest


def test_degrees_by_bias_and_variance() -> None:
    """C.M11.09: stiff polynomials err by bias, flexible ones by variance."""
    rng = np.random.default_rng(6)
    x, at = rng.uniform(-1, 1, (40, 1)), np.linspace(-0.95, 0.95, 50)[:, None]
    y, t = np.sin(4 * x[:, 0]) + 0.3 * rng.normal(size=40), np.sin(4 * at[:, 0])
    stiff, middling, flexible = (
        bias_variance(PolynomialRegression(degree=d), x, y, at, t, replicas=Bootstrap(40, 0)) for d in (1, 3, 9)
    )
    assert stiff.bias_squared > 5 * middling.bias_squared
    assert flexible.variance > 5 * middling.variance
    assert middling.squared_error < min(stiff.squared_error, flexible.squared_error)


def test_a_complexity_curve_of_degrees() -> None:
    """C.M03.04: 35 points to learn from and 15 to test with; degree 1 underfits, degree 12 overfits."""
    rng = np.random.default_rng(8)
    x = rng.uniform(-1, 1, 50)
    y = np.sin(5 * x) + 0.2 * rng.normal(size=50)
    cv = [random_parts(50, (35, 15), seed) for seed in range(8)]
    curve = complexity_curve(PolynomialRegression(), "degree", (1, 3, 5, 12), x[:, None], y, cv=cv)
    assert curve.best in (3, 5)
    assert curve.training[0] > 2 * curve.training[2]
    assert curve.gap[3] > 3 * curve.gap[1]


def half_width(errors: int, n: int) -> float:
    return round(ErrorCount(errors, n).half_width(), 1)


def test_the_normal_interval_of_a_number_of_errors() -> None:
    """C.W16, C.W18, C.W19, C.W24, C.M07.15: 10 +- 5.4 and 1 +- 1.9, with z = 1.96; N is not printed, but 43 or 44."""
    assert ErrorCount(50, 100).half_width() / 5 == pytest.approx(1.96, abs=5e-5)
    assert [n for n in range(11, 200) if half_width(10, n) == 5.4] == [40, 41, 42, 43, 44]
    assert [n for n in range(2, 200) if half_width(1, n) == 1.9] == list(range(10, 99))
    assert [n for n in range(11, 200) if (half_width(10, n), half_width(6, n)) == (5.4, 4.5)] == [43, 44]
    assert ErrorCount(1, 44).interval()[0] < 0.0  # where Wilson's begins above 0
    assert ErrorCount(1, 44).interval(method="wilson")[0] > 0.0
    assert not ErrorCount(1, 44).reliable


def test_six_errors() -> None:
    """C.W17, C.E25: 6 +- 3.5 would need 13 rows; where ten errors have 5.4, six have 4.5."""
    assert [n for n in range(7, 200) if half_width(6, n) == 3.5] == [13]
    assert [half_width(6, n) for n in (43, 44)] == [4.5, 4.5]


def test_only_the_best_and_the_worst_are_apart() -> None:
    """C.M07.16: of 10, 6 and 1 errors, only the intervals of 10 and 1 do not meet; so too with 4.5 for 3.5."""
    logistic, neighbours, bayes = (ErrorCount(errors, 44) for errors in (10, 6, 1))
    assert logistic.meets(neighbours)
    assert neighbours.meets(bayes)
    assert not logistic.meets(bayes)


@pytest.mark.parametrize(
    ("row", "only_first", "only_second", "printed", "p", "exact"),
    [
        ("C.W20", 8, 4, 0.8, 0.3865, 0.3877),
        ("C.W21", 6, 1, 2.3, 0.1306, 0.1250),
        ("C.W22", 9, 0, 7.1, 0.0077, 0.0039),
    ],
)
def test_mcnemar_of_three_classifiers(
    row: str, only_first: int, only_second: int, printed: float, p: float, exact: float
) -> None:
    """C.W20, C.W21, C.W22, C.W23, C.M07.17, C.E39: (|e01 - e10| - 1)^2 / (e01 + e10), significant from 3.84 on."""
    paired = PairedErrors.from_counts(only_first, only_second)
    found = paired.mcnemar()
    assert found.statistic == pytest.approx((abs(only_first - only_second) - 1) ** 2 / (only_first + only_second))
    assert np.floor(10 * found.statistic + 0.5) / 10 == printed
    assert (found.p, paired.exact().p) == pytest.approx((p, exact), abs=6e-5)
    assert found.at(0.95) == (found.statistic > 3.84)
    literal = abs(only_first - only_second) / (only_first + only_second)  # what the words around it say
    assert literal <= 1.0 < 3.84 == round(stats.chi2.ppf(0.95, 1), 2)


def test_the_printed_statistics_have_one_reading_each() -> None:
    """C.W20, C.W21, C.W22: with 10 against 6 errors and so on, only one pair of counts gives the printed value."""
    for (a, b), printed in {(10, 6): 0.8, (6, 1): 2.3, (10, 1): 7.1}.items():
        shared = [
            both
            for both in range(min(a, b) + 1)
            if np.floor(10 * PairedErrors.from_counts(a - both, b - both).mcnemar().statistic + 0.5) / 10 == printed
        ]
        assert len(shared) == 1


def test_the_mean_of_half_the_rows() -> None:
    """C.W25: 1000 of 2000 rows: 2.24 % of the standard deviation, half of the time within 1.51 %, 2 % only in 63 %."""
    deviation = part_mean_deviation(1000, 2000)
    assert deviation == pytest.approx(0.0224, abs=5e-5)
    assert stats.norm.ppf(0.75) * deviation == pytest.approx(0.0151, abs=5e-5)
    assert 2 * stats.norm.cdf(0.02 / deviation) - 1 == pytest.approx(0.629, abs=5e-4)
    x = np.random.default_rng(2).exponential(size=2000)
    rng = np.random.default_rng(3)
    gaps = np.array([x[random_parts(2000, (1000,), rng)[0]].mean() - x.mean() for _ in range(1000)]) / x.std(ddof=1)
    assert gaps.std() == pytest.approx(deviation, rel=0.08)
    assert (np.abs(gaps) < 0.02).mean() == pytest.approx(0.629, abs=0.06)


def test_every_prediction_of_three_models() -> None:
    """C.M11.11, C.R16: all answers of three models to a row of two classes: error = bias + net variance, row by row."""
    for answers in product([0, 1], repeat=3):
        parts = ZeroOneParts.of(np.array(answers)[:, None], [1])
        assert parts.error == pytest.approx(parts.bias + parts.unbiased_variance - parts.biased_variance, abs=1e-15)
        assert parts.error == pytest.approx(1 - np.mean(answers), abs=1e-15)
        assert parts.bias == float(sum(answers) < 2)
