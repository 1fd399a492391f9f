"""Parts of rows, errors on both sides of a split, complexity curves, choice by validation, the smallest of errors."""

from __future__ import annotations

from itertools import combinations
from math import comb, pi, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import log_loss, mean_absolute_error
from sklearn.model_selection import GroupKFold, KFold, ShuffleSplit, StratifiedKFold, validation_curve
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from suffice import GaussianNB, PolynomialRegression, Ridge
from suffice.evaluation import (
    RegressionScores,
    complexity_curve,
    cross_val_predict,
    cross_validate,
    hold_out_errors,
    out_of_bag_error,
    part_mean_deviation,
    random_parts,
    smallest_normal,
    smallest_of,
    train_validate_test,
)

rng = np.random.default_rng(21)
X = np.linspace(-2, 2, 80)[:, None]
T = np.sin(2 * X[:, 0]) + 0.3 * rng.normal(size=80)
Y = np.array(["a", "b", "c"])[np.clip((X[:, 0] + rng.normal(size=80)).round(), -1, 1).astype(int) + 1]


@given(st.integers(1, 200), st.lists(st.integers(1, 60), min_size=1, max_size=5), st.integers(0, 99))
def test_parts_are_disjoint_and_of_their_size(n: int, sizes: list[int], seed: int) -> None:
    if sum(sizes) > n:
        n += sum(sizes)
    parts = random_parts(n, sizes, seed)
    assert [len(part) for part in parts] == sizes
    rows = np.concatenate(parts)
    assert len(np.unique(rows)) == len(rows)
    assert ((rows >= 0) & (rows < n)).all()


@given(st.integers(20, 500))
def test_shares_use_all_rows(n: int) -> None:
    parts = random_parts(n, (1 / 2, 1 / 4, 1 / 4))
    assert sorted(np.concatenate(parts).tolist()) == list(range(n))
    assert all(abs(len(part) - share * n) <= 1 for part, share in zip(parts, (1 / 2, 1 / 4, 1 / 4), strict=True))
    assert len(np.concatenate(random_parts(n, (1 / 3, 1 / 3)))) == round(2 * n / 3)


def test_the_draw_depends_on_the_seed_and_every_row_is_as_likely() -> None:
    assert (random_parts(50, (25,), 0)[0] != random_parts(50, (25,), 1)[0]).any()
    held = np.bincount(np.concatenate([random_parts(10, (3,), seed)[0] for seed in range(3000)]), minlength=10)
    assert (np.abs(held / 3000 - 0.3) < 4.5 * sqrt(0.21 / 3000)).all()


@pytest.mark.parametrize(("n", "part"), [(5, 2), (6, 3), (7, 1), (4, 4)])
def test_the_mean_of_a_part_by_enumeration(n: int, part: int) -> None:
    """C.W25: the exact standard deviation over all parts of a size."""
    x = rng.normal(size=n) + 1e3
    gaps = [x[list(rows)].mean() - x.mean() for rows in combinations(range(n), part)]
    expected = sqrt(np.mean(np.square(gaps))) / x.std(ddof=1)
    assert part_mean_deviation(part, n) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("weights", [None, rng.integers(1, 4, 80).astype(float)], ids=["alike", "weighted"])
def test_errors_are_those_of_refits(weights: Any) -> None:
    """C.M03.02, C.M03.03, C.M03.13: mean squared errors on both sides, their gap, and the spread over splits."""
    cv = ShuffleSplit(6, test_size=0.3, random_state=3)
    found = hold_out_errors(PolynomialRegression(degree=3), X, T, cv=cv, sample_weight=weights)
    for s, (train, test) in enumerate(cv.split(X)):
        w = np.ones(80) if weights is None else weights
        line = np.polyfit(X[train, 0], T[train], 3, w=np.sqrt(w[train]))
        lost = (np.polyval(line, X[:, 0]) - T) ** 2
        assert found.training[s] == pytest.approx(np.average(lost[train], weights=w[train]), rel=1e-8)
        assert found.test[s] == pytest.approx(np.average(lost[test], weights=w[test]), rel=1e-8)
    assert found.error == pytest.approx(found.test.mean())
    assert found.gap == pytest.approx(found.test.mean() - found.training.mean())
    assert found.spread == pytest.approx(found.test.std(ddof=1))
    assert found.standard_error == pytest.approx(found.spread * sqrt(1 / 6 + 24 / 56))


def test_other_losses_and_estimators() -> None:
    found = hold_out_errors(GaussianNB(), X, Y, cv=KFold(4, shuffle=True, random_state=0), loss="log_loss")
    train, test = next(KFold(4, shuffle=True, random_state=0).split(X))
    p = GaussianNB().fit(X[train], Y[train]).predict_proba(X[test])
    assert found.test[0] == pytest.approx(log_loss(Y[test], p, labels=["a", "b", "c"]), rel=1e-12)
    theirs = hold_out_errors(KNeighborsRegressor(3), X, T, cv=KFold(5), loss="absolute_error")
    model = KNeighborsRegressor(3).fit(X[16:], T[16:])
    assert theirs.test[0] == pytest.approx(mean_absolute_error(T[:16], model.predict(X[:16])), rel=1e-12)
    assert hold_out_errors(KNeighborsClassifier(1), X, Y).training.max() == 0.0


def test_a_test_error_is_unbiased_and_a_training_error_is_not() -> None:
    """C.M03.02: the mean over many hold-outs is the error on endless new rows; that of training rows is below it."""
    errors, true = [], []
    for seed in range(150):
        r = np.random.default_rng(seed)
        x = r.uniform(-2, 2, size=(40, 1))
        y = np.sin(2 * x[:, 0]) + 0.3 * r.normal(size=40)
        found = hold_out_errors(PolynomialRegression(degree=3), x, y, cv=[(np.arange(30), np.arange(30, 40))])
        errors.append((found.training[0], found.test[0]))
        new = r.uniform(-2, 2, 2000)
        line = np.polyfit(x[:30, 0], y[:30], 3)
        true.append(((np.polyval(line, new) - np.sin(2 * new)) ** 2).mean() + 0.09)
    training, test = np.array(errors).T
    gap = test - np.array(true)
    assert abs(gap.mean()) < 4 * gap.std(ddof=1) / sqrt(150)
    assert training.mean() < np.mean(true) - 0.01


def test_the_complexity_curve_is_scikit_learns_validation_curve() -> None:
    """C.M03.04: training and test error against the degree; and for neighbours, where more is stiffer."""
    ks, cv = [1, 3, 9, 27], StratifiedKFold(4)
    found = complexity_curve(KNeighborsClassifier(), "n_neighbors", ks, X, Y, cv=cv)
    training, test = validation_curve(
        KNeighborsClassifier(), X, Y, param_name="n_neighbors", param_range=ks, cv=cv, scoring="accuracy"
    )
    np.testing.assert_allclose(found.training, 1 - training.mean(axis=1), atol=1e-12)
    np.testing.assert_allclose(found.test, 1 - test.mean(axis=1), atol=1e-12)
    np.testing.assert_allclose(found.gap, found.test - found.training, atol=1e-15)
    assert found.best == ks[int(np.argmin(found.test))]
    assert found.training[0] == 0.0


def test_degrees_underfit_on_the_left_and_overfit_on_the_right() -> None:
    """C.M03.04: the training error falls with the degree, the test error falls and rises again."""
    x = rng.uniform(-2, 2, size=(30, 1))
    y = np.sin(2 * x[:, 0]) + 0.3 * rng.normal(size=30)
    curve = complexity_curve(PolynomialRegression(), "degree", range(1, 13), x, y)
    assert (np.diff(curve.training) < 1e-9).all()
    assert curve.test[0] > 2 * curve.test.min()
    assert curve.test[-1] > 2 * curve.test.min()
    assert 2 < curve.best < 8
    assert str(curve).splitlines()[0].split() == ["degree", "training", "test", "gap"]


def test_training_validation_and_test() -> None:
    """C.M03.05, C.M03.07: each candidate fitted on the first part, chosen by the second, tested once on the third."""
    found = train_validate_test(PolynomialRegression(), {"degree": range(1, 9)}, X, T, random_state=4)
    train, validate, test = found.parts
    assert [len(part) for part in found.parts] == [40, 20, 20]
    lines = [np.polyfit(X[train, 0], T[train], degree) for degree in range(1, 9)]
    errors = [((np.polyval(line, X[validate, 0]) - T[validate]) ** 2).mean() for line in lines]
    np.testing.assert_allclose(found.validation, errors, rtol=1e-6)
    assert found.parameters["degree"] == 1 + int(np.argmin(errors))
    np.testing.assert_allclose(found.estimator.predict(X), np.polyval(lines[found.best], X[:, 0]), rtol=1e-6)
    scores = RegressionScores.of(T[test], found.estimator.predict(X[test]))
    assert found.error == pytest.approx(scores.mean_squared_error, rel=1e-12)
    assert f"test {found.error}" in str(found)


def test_given_parts_and_classifiers_of_other_libraries() -> None:
    parts = [np.arange(0, 80, 2), np.arange(1, 80, 4), np.arange(3, 80, 4)]
    found = train_validate_test(KNeighborsClassifier(), {"n_neighbors": [1, 5, 25]}, X, Y, parts=parts)
    wrong = [
        (KNeighborsClassifier(k).fit(X[parts[0]], Y[parts[0]]).predict(X[parts[1]]) != Y[parts[1]]).mean()
        for k in (1, 5, 25)
    ]
    np.testing.assert_allclose(found.validation, wrong, atol=1e-12)
    assert found.error.n == 20


def test_the_test_rows_do_not_choose() -> None:
    """Whatever happens to the rows of the last part, the choice is the same."""
    first = train_validate_test(Ridge(), {"alpha": [0.1, 1.0, 100.0]}, X, T)
    spoilt = T.copy()
    spoilt[first.parts[2]] += 1e3
    again = train_validate_test(Ridge(), {"alpha": [0.1, 1.0, 100.0]}, X, spoilt)
    assert again.best == first.best
    np.testing.assert_array_equal(again.validation, first.validation)
    assert again.error.value > 1e5


@pytest.mark.parametrize(("N", "k"), [(6, 1), (6, 2), (7, 4), (5, 5)])
def test_the_smallest_of_a_group_by_enumeration(N: int, k: int) -> None:
    """C.M03.06: over all groups that can be formed."""
    errors = rng.normal(size=N).round(1) + 3
    smallest = [min(group) for group in combinations(errors, k)]
    found = smallest_of(errors, k)
    assert found.chance.sum() == pytest.approx(1.0, abs=1e-12)
    assert len(smallest) == comb(N, k)
    assert found.smallest_mean == pytest.approx(np.mean(smallest), rel=1e-12)
    assert found.smallest_spread == pytest.approx(np.std(smallest), abs=1e-9)
    assert (found.mean, found.spread) == pytest.approx((errors.mean(), errors.std()), rel=1e-12)
    assert found.bias <= 1e-15


def test_the_smallest_of_normal_errors() -> None:
    assert smallest_normal(1) == pytest.approx(0.0, abs=1e-12)
    assert smallest_normal(2) == pytest.approx(-1 / sqrt(pi), rel=1e-9)
    assert smallest_normal(3) == pytest.approx(-1.5 / sqrt(pi), rel=1e-9)
    assert smallest_normal(100_000) == pytest.approx(-4.38, abs=0.02)
    drawn = smallest_of(np.random.default_rng(0).normal(size=20_000), 10)
    assert drawn.bias / drawn.spread == pytest.approx(smallest_normal(10), abs=0.03)


GROUPS = np.repeat(np.arange(8), 20)
CITY = 3.0 * GROUPS
G_X = np.column_stack([CITY + 0.1 * rng.normal(size=160), rng.normal(size=160)])
G_Y = np.array([0, 1, 1, 0, 1, 0, 0, 1])[GROUPS]
G_T = 2.0 * G_X[:, 0] - 3.0 * G_X[:, 1] + np.random.default_rng(5).normal(size=160)


def test_group_wise_splits_keep_groups_apart() -> None:
    """C.M07.20: the label belongs to the group. Mixed, one neighbour knows it; for new groups it knows nothing."""
    model = KNeighborsClassifier(1)
    mixed = hold_out_errors(model, G_X, G_Y, cv=StratifiedKFold(4, shuffle=True, random_state=0))
    apart = hold_out_errors(model, G_X, G_Y, cv=GroupKFold(4), groups=GROUPS)
    assert mixed.error < 0.05
    assert apart.error > 0.2
    for train, test in GroupKFold(4).split(G_X, G_Y, GROUPS):
        assert not set(GROUPS[train]) & set(GROUPS[test])


def test_splits_stratified_by_a_group_column() -> None:
    """C.M07.19: every group in every part, by scikit-learn's splitter told to stratify by the groups."""
    pairs = list(StratifiedKFold(4, shuffle=True, random_state=0).split(G_X, GROUPS))
    for train, test in pairs:
        assert np.bincount(GROUPS[test], minlength=8).tolist() == [5] * 8
        assert np.bincount(GROUPS[train], minlength=8).tolist() == [15] * 8
    assert hold_out_errors(KNeighborsClassifier(1), G_X, G_Y, cv=pairs).error < 0.05


def rescaled_lines(train: Any, of: Any) -> Any:
    """The predictions for G_X of a ridge fitted to the rows `train`, rescaled as the rows `of` say, by hand."""
    z = (G_X - G_X[of].mean(axis=0)) / G_X[of].std(axis=0)
    centre, level = z[train].mean(axis=0), G_T[train].mean()
    middle = z[train] - centre
    w = np.linalg.solve(middle.T @ middle + 50.0 * np.eye(2), middle.T @ (G_T[train] - level))
    return level + (z - centre) @ w


SPLITS = list(GroupKFold(4).split(G_X, G_T, GROUPS))
RESCALED = make_pipeline(StandardScaler(), Ridge(alpha=50.0))


def test_rescaling_belongs_to_the_fit() -> None:
    """C.M07.18: in a pipeline, means and deviations are those of the training rows of each split, not of all rows.

    A penalty feels every unit, so that the statistics of any other rows give other errors.
    """
    found = hold_out_errors(RESCALED, G_X, G_T, cv=GroupKFold(4), groups=GROUPS)
    for s, (train, test) in enumerate(SPLITS):
        own, leak = ((rescaled_lines(train, of) - G_T) ** 2 for of in (train, np.arange(160)))
        assert found.training[s] == pytest.approx(own[train].mean(), rel=1e-10)
        assert found.test[s] == pytest.approx(own[test].mean(), rel=1e-10)
        assert abs(leak[test].mean() / own[test].mean() - 1) > 1e-3
    curve = complexity_curve(RESCALED, "ridge__alpha", [50.0], G_X, G_T, cv=GroupKFold(4), groups=GROUPS)
    np.testing.assert_array_equal(curve.errors[0].test, found.test)


def test_rescaling_belongs_to_the_folds_and_parts() -> None:
    """C.M07.18: the same for predictions and scores by folds, for a choice by validation and for bootstrap replicas."""
    answers = cross_val_predict(RESCALED, G_X, G_T, cv=GroupKFold(4), groups=GROUPS)
    scores = cross_validate(RESCALED, G_X, G_T, cv=GroupKFold(4), groups=GROUPS).values("mean_squared_error")
    for s, (train, test) in enumerate(SPLITS):
        own = rescaled_lines(train, train)
        np.testing.assert_allclose(answers[test], own[test], rtol=1e-10)
        assert scores[s] == pytest.approx(((own - G_T)[test] ** 2).mean(), rel=1e-10)
    (train, test), (_, other) = SPLITS[0], SPLITS[1]
    learned = np.setdiff1d(train, other)
    chosen = train_validate_test(RESCALED, {"ridge__alpha": [50.0]}, G_X, G_T, parts=[learned, other, test])
    own = (rescaled_lines(learned, learned) - G_T) ** 2
    assert chosen.validation[0] == pytest.approx(own[other].mean(), rel=1e-10)
    assert chosen.error.value == pytest.approx(own[test].mean(), rel=1e-10)
    beside = out_of_bag_error(RESCALED, G_X, G_T, replicas=SPLITS[:1])
    assert beside.out_of_bag.value == pytest.approx(((rescaled_lines(train, train) - G_T)[test] ** 2).mean(), rel=1e-10)
