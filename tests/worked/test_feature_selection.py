"""The sources' numbers about selecting features."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pytest
from scipy.stats import chi2_contingency
from sklearn.datasets import load_diabetes, load_iris
from sklearn.feature_selection import f_classif

from suffice import GaussianNB, Lasso, LogisticRegression
from suffice.features import (
    ColumnScores,
    CrossValidated,
    LeastSquaresFolds,
    all_subsets,
    annealing,
    backward,
    chi_square,
    drop_redundant,
    forward,
    genetic,
    information_gain,
    relief,
    relief_f,
    value_departures,
)

IRIS, SPECIES = load_iris(return_X_y=True)
XOR = np.array([[1, 1], [0, 0], [1, 0], [0, 1]])
RNG = np.random.default_rng(0)


def test_the_blind_spot_of_filters() -> None:
    """P.W87, P.M164, P.M165: each column alone has no gain, together they are perfect: Relief and wrappers see that."""
    X = np.column_stack([np.tile(XOR, (25, 1)), RNG.integers(0, 2, (100, 3))])
    y = (X[:, 0] == X[:, 1]).astype(int)
    kept = ColumnScores.of(X, y)
    assert kept.read("information_gain").scores[:2].tolist() == [0.0, 0.0]
    assert kept.read("chi_square").scores[:2].tolist() == [0.0, 0.0]
    for found in (relief_f(X, y, k=10, symbols=range(5)), relief(X, y, symbols=range(5))):
        assert set(np.argsort(-found)[:2].tolist()) == {0, 1}

    class Majority:  # the best class of each cell, in leave-nothing-out
        columns = 5

        def score(self, subset: tuple[int, ...]) -> float:
            cells = X[:, list(subset)] @ (2 ** np.arange(len(subset))) if subset else np.zeros(100)
            table = [np.bincount(y[cells == cell]).max() for cell in np.unique(cells)]
            return float(sum(table)) / 100 - 0.001 * len(subset)

    assert all_subsets(Majority()).columns == (0, 1)
    assert backward(Majority()).columns == (0, 1)


def test_relief_by_hand() -> None:
    """P.M165: the squared distance from the nearest miss, less that from the nearest hit, over all anchors."""
    X, y = np.array([[0.0, 0.0], [0.25, 1.0], [1.0, 0.5], [0.75, 0.0]]), [0, 0, 1, 1]
    far = np.abs(X[:, None] - X[None])
    total = np.zeros(2)
    for i in range(4):
        gaps = far[i].sum(axis=1)
        same = [j for j in range(4) if j != i and y[j] == y[i]]
        other = [j for j in range(4) if y[j] != y[i]]
        hit, miss = min(same, key=lambda j: gaps[j]), min(other, key=lambda j: gaps[j])
        total += far[i, miss] ** 2 - far[i, hit] ** 2
    np.testing.assert_allclose(relief(X, y), total / 4, rtol=1e-12)


def test_the_anova_of_iris() -> None:
    """C.R33, C.M15.09: petal length and width are best; the copy that comes with scikit-learn."""
    found = ColumnScores.of(IRIS, SPECIES).read("f_classif")
    assert np.round(found.scores, 4).tolist() == [119.2645, 49.1600, 1180.1612, 960.0071]
    assert found.p_values is not None
    assert [f"{p:.2e}" for p in found.p_values] == ["1.67e-31", "4.49e-17", "2.86e-91", "4.17e-85"]
    np.testing.assert_allclose(found.scores, f_classif(IRIS, SPECIES)[0], rtol=1e-9)


def test_chi_square_of_values_by_classes() -> None:
    """C.M15.08: sum (O - E)^2 / E with (K - 1)(C - 1) degrees of freedom; low scores are dropped."""
    X, y = RNG.integers(0, 4, (200, 3)), RNG.integers(0, 3, 200)
    X[:, 1] = y
    kept = ColumnScores.of(X, y)
    for j, table in enumerate(kept.tables()):
        told, theirs = chi_square(table), chi2_contingency(table, correction=False)
        assert (told.statistic, told.freedom) == (pytest.approx(theirs.statistic), theirs.dof)
        assert told.p_value == pytest.approx(theirs.pvalue)
        assert kept.read("chi_square").scores[j] == told.statistic
    assert int(kept.read("chi_square").scores.argmax()) == 1


def test_redundant_columns() -> None:
    """C.M15.10: of strongly correlated columns one stays; no labels are needed."""
    x = RNG.normal(size=(50, 3))
    X = np.column_stack([x, 2.0 * x[:, 0] + 1e8, -x[:, 1] + 0.01 * RNG.normal(size=50)])
    assert drop_redundant(X).tolist() == [0, 1, 2]
    assert drop_redundant(X, scores=[0, 0, 0, 1, 1]).tolist() == [2, 3, 4]
    assert drop_redundant(IRIS, 0.9).tolist() == [0, 1, 2]  # petal width repeats petal length


def test_all_subsets_and_greedy_searches_are_two_methods() -> None:
    """C.E36, C.M15.11 - C.M15.13, P.M167, P.M168: every subset is scored, or few of them, which may miss the best."""

    class Pair:
        columns = 4
        worth: ClassVar = {(0, 1): 1.0, (2,): 0.6, (2, 3): 0.8, (0, 2): 0.61, (1, 2): 0.61}

        def score(self, subset: tuple[int, ...]) -> float:
            return self.worth.get(subset, 0.0)

    every, greedy = all_subsets(Pair()), forward(Pair())
    assert (every.columns, every.score, every.evaluations) == ((0, 1), 1.0, 15)
    assert (greedy.columns, greedy.score) == ((2, 3), 0.8)
    assert greedy.evaluations < every.evaluations
    assert [subset for subset, _ in greedy.path] == [(), (2,), (2, 3)]
    full = backward(Pair(), size=2)
    assert [len(subset) for subset, _ in full.path] == [4, 3, 2]


def test_subsets_of_least_squares_from_one_pass() -> None:
    """C.M15.11 - C.M15.13: scores from products of folds are those of refitting, and the searches agree on them."""
    X, y = load_diabetes(return_X_y=True)
    fast = LeastSquaresFolds(X, y, cv=5)
    from sklearn.linear_model import LinearRegression
    from sklearn.model_selection import cross_val_score

    for subset in ((0,), (2, 8), (1, 2, 3, 8)):
        told = cross_val_score(LinearRegression(), X[:, list(subset)], y, cv=5, scoring="neg_mean_squared_error")
        assert fast.score(subset) == pytest.approx(told.mean(), rel=1e-9)
    best = all_subsets(fast)
    assert forward(fast).score <= best.score
    assert {2, 8} <= set(best.columns)


def test_searches_that_draw() -> None:
    """C.M15.14: the best of 4,095 subsets of 12 columns in 9 of 10 seeds, with a tenth of the evaluations."""
    X = RNG.normal(size=(120, 12))
    y = X[:, 1] - 2.0 * X[:, 4] + 0.5 * X[:, 7] + X[:, 9] + RNG.normal(size=120)
    score = LeastSquaresFolds(X, y, cv=5)
    best = all_subsets(score)
    searches: tuple[Any, ...] = (genetic, annealing)
    for search in searches:
        found = [search(score, evaluations=best.evaluations // 10, random_state=seed) for seed in range(10)]
        assert all(one.evaluations <= best.evaluations // 10 for one in found)
        assert sum(one.columns == best.columns for one in found) >= 9


def test_wrappers_around_any_estimator() -> None:
    """P.M167: forward until nothing helps, by folds of the learner itself."""
    found = forward(CrossValidated(GaussianNB(), IRIS, SPECIES, cv=5))
    assert set(found.columns) & {2, 3}
    assert found.score >= CrossValidated(GaussianNB(), IRIS, SPECIES, cv=5).score((0, 1))


def test_weights_of_naive_bayes() -> None:
    """C.M15.16, C.E44: the class given the value is compared with the class prior; its mean is the gain."""
    table = np.array([[6.0, 1.0, 3.0], [2.0, 7.0, 1.0]])
    share, prior = table.sum(axis=0) / 20, table.sum(axis=1) / 20
    by_hand = [
        sum(p * np.log2(p / q) for p, q in zip(column / column.sum(), prior, strict=True) if p > 0)
        for column in table.T
    ]
    np.testing.assert_allclose(value_departures(table), by_hand, rtol=1e-12)
    assert share @ value_departures(table) == pytest.approx(information_gain(table), rel=1e-12)
    assert value_departures(np.array([[2.0, 2.0], [1.0, 1.0]])).tolist() == [0.0, 0.0]  # the prior itself: no weight


def test_a_penalty_on_sizes_zeroes_some() -> None:
    """C.M15.17: with an L1 penalty some weights are 0, in least squares and in logistic regression."""
    X, y = load_diabetes(return_X_y=True)
    assert 0 < (Lasso(alpha=1.0).fit(X, y).coef_ == 0).sum() < 10
    sparse = LogisticRegression(C=0.1, l1_ratio=1.0).fit(IRIS, SPECIES == 2)
    assert 0 < (sparse.coef_ == 0).sum() < 4
