"""Selection: summaries add, peers agree, missing cells, leaks, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.feature_selection import chi2, mutual_info_classif

from suffice import Chain, GaussianNB, Ridge, SelectKBest, SelectPercentile, load
from suffice.core.errors import BadInput
from suffice.evaluation import cross_validate
from suffice.features import (
    ColumnScores,
    CrossValidated,
    LeastSquaresFolds,
    adjusted,
    all_subsets,
    annealing,
    correlation_based,
    drop_redundant,
    floating,
    forward,
    genetic,
    regression_relief_f,
    relief,
    relief_f,
    stability,
)

RNG = np.random.default_rng(0)
X, Y = load_iris(return_X_y=True)


def test_scores_add_and_are_taken_away() -> None:
    whole, first, rest = ColumnScores.of(X, Y), ColumnScores.of(X[:70], Y[:70]), ColumnScores.of(X[70:], Y[70:])
    for score in ("f_classif", "chi2", "chi_square", "information_gain", "gain_ratio", "mutual_information"):
        expected = whole.read(score, 5).scores
        np.testing.assert_allclose((first + rest).read(score, 5).scores, expected, rtol=1e-10)
        np.testing.assert_allclose((whole - first).read(score, 5).scores, rest.read(score, 5).scores, rtol=1e-9)


def test_weights_are_copies_and_offsets_do_no_harm() -> None:
    w = RNG.integers(0, 3, 150).astype(float)
    copies = np.repeat(np.arange(150), w.astype(int))
    for score in ("f_classif", "chi_square"):
        weighed, copied = ColumnScores.of(X, Y, w).read(score), ColumnScores.of(X[copies], Y[copies]).read(score)
        np.testing.assert_allclose(weighed.scores, copied.scores, rtol=1e-10)
    far = np.round(X * 16) / 16
    near = ColumnScores.of(far, Y).read("f_classif").scores
    np.testing.assert_allclose(ColumnScores.of(far + 1e8, Y).read("f_classif").scores, near, rtol=1e-9)


def test_a_constant_column_and_missing_cells() -> None:
    holes = X.copy()
    holes[::3, 0] = np.nan
    holes[:, 1] = 7.0
    found = ColumnScores.of(holes, Y)
    whole = np.flatnonzero(np.arange(150) % 3)
    np.testing.assert_allclose(
        found.read("f_classif").scores[0], ColumnScores.of(X[whole], Y[whole]).read("f_classif").scores[0], rtol=1e-10
    )
    assert np.isnan(found.read("f_classif").scores[1])
    assert found.read("information_gain").scores[1] == 0.0


def test_peers() -> None:
    counts = RNG.poisson(3.0, (80, 6))
    y = RNG.integers(0, 3, 80)
    kept = ColumnScores.of(counts, y)
    statistic, p = chi2(counts, y)
    np.testing.assert_allclose(kept.read("chi2").scores, statistic, rtol=1e-10)
    np.testing.assert_allclose(kept.read("chi2").p_values, p, rtol=1e-10)  # type: ignore[arg-type]
    theirs = mutual_info_classif(counts, y, discrete_features=True)
    np.testing.assert_allclose(kept.read("mutual_information").scores, theirs, rtol=1e-9, atol=1e-12)


def test_many_tests() -> None:
    from scipy.stats import false_discovery_control

    p = RNG.random(30) ** 3
    np.testing.assert_allclose(adjusted(p), false_discovery_control(p), rtol=1e-12)


def test_relief_with_symbols_and_missing_cells() -> None:
    noise = RNG.normal(size=(120, 2))
    y = RNG.integers(0, 3, 120)
    table = np.column_stack([noise, y + 0.3 * RNG.normal(size=120), y])
    table[::7, 2] = np.nan
    table[::5, 3] = np.nan
    weights = relief_f(table, y, k=5, symbols=[3])
    assert weights[[2, 3]].min() > weights[[0, 1]].max() + 0.1
    some = relief_f(table, y, k=5, symbols=[3], anchors=60, random_state=1)
    assert some[[2, 3]].min() > some[[0, 1]].max()
    assert relief(table, y, symbols=[3])[3] > 0


def test_near_rows_by_the_loop_are_those_of_its_twin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers, symbols, missing cells, a constant column, equal rows, a class of one row."""
    table = RNG.normal(size=(150, 9))
    table[:, 6:8] = RNG.integers(0, 3, (150, 2))
    table[::4, 1] = table[::5, 7] = np.nan
    table[:, 8] = 1.0
    table[100:120] = table[:20]
    y = RNG.integers(0, 3, 150)
    y[7] = 3
    searches: tuple[Any, ...] = (relief, relief_f, regression_relief_f)
    for search in searches:
        expected = search(table, y, symbols=[6, 7])
        with monkeypatch.context() as patch:
            patch.setattr("suffice.features.selection.mixed_neighbours.pays", lambda cells: True)
            np.testing.assert_allclose(search(table, y, symbols=[6, 7]), expected, rtol=1e-12, atol=1e-14)


def test_relief_f_of_a_peer() -> None:
    """The weights that skrebate 0.8.4 tells with n_neighbors=5 of the last two classes of iris."""
    theirs = [0.05813333333333334, 0.016666666666666673, 0.1383589743589744, 0.2066666666666667]
    np.testing.assert_allclose(relief_f(X[50:], Y[50:], k=5), theirs, rtol=1e-12)


def test_relief_of_numbers() -> None:
    rows = RNG.random((200, 4))
    t = 3.0 * rows[:, 1] + rows[:, 2]
    weights = regression_relief_f(rows, t, k=10)
    assert int(weights.argmax()) == 1
    assert weights[2] > max(weights[0], weights[3])
    assert regression_relief_f(rows, np.ones(200)).tolist() == [0.0] * 4


def test_floating_never_does_worse_than_forward_of_its_size() -> None:
    score = LeastSquaresFolds(*load_diabetes(return_X_y=True))
    assert floating(score).score >= forward(score).score
    assert all_subsets(score).score >= floating(score).score


def test_least_squares_of_folds_from_chunks_of_rows_far_off() -> None:
    """More rows than a chunk, in folds as they lie and drawn, columns at an offset, one constant."""
    from sklearn.linear_model import LinearRegression
    from sklearn.model_selection import KFold, cross_val_score

    rows = np.column_stack([RNG.normal(size=(9000, 2)) + 1e6, np.full(9000, 0.1)])
    t = rows[:, 0] - 1e6 + RNG.normal(size=9000)
    for cv in (2, KFold(3, shuffle=True, random_state=0)):
        score = LeastSquaresFolds(rows, t, cv=cv)
        for some in ((), (0,), (0, 1), (0, 1, 2)):
            used = rows[:, list(some)] if some else np.zeros((9000, 1))
            theirs = cross_val_score(LinearRegression(), used, t, cv=cv, scoring="neg_mean_squared_error").mean()
            assert score.score(some) == pytest.approx(theirs, rel=1e-8)


def test_hall() -> None:
    doubled = np.column_stack([X, X[:, 2] + 1e-3 * RNG.normal(size=150), RNG.normal(size=150)])
    kept = correlation_based(doubled, Y).tolist()
    assert 5 not in kept
    assert not {2, 4} <= set(kept)  # one of two that say the same


def test_selection_outside_of_folds_leaks() -> None:
    """Columns of noise chosen by all rows seem to tell the class; chosen within folds they do not."""
    noise, y = np.random.default_rng(1).normal(size=(60, 1000)), np.arange(60) % 2
    top = np.argsort(-ColumnScores.of(noise, y).read("f_classif").scores)[:10]
    leak = CrossValidated(GaussianNB(), noise, y, cv=5).score(tuple(sorted(top.tolist())))
    honest = []
    for fold in range(5):
        held = np.arange(60) // 2 % 5 == fold
        scores = ColumnScores.of(noise[~held], y[~held]).read("f_classif").scores
        inside = np.argsort(-scores)[:10]
        honest.append(GaussianNB().fit(noise[~held][:, inside], y[~held]).score(noise[held][:, inside], y[held]))
    assert leak > 0.7 > 0.6 > np.mean(honest)
    chained = cross_validate(Chain(SelectKBest(k=10), GaussianNB()), noise, y, cv=5)  # the default path
    assert chained.mean("accuracy") < 0.6


def test_a_chain_chooses_and_learns() -> None:
    chain = Chain(SelectKBest(k=2), GaussianNB()).fit(X, Y)
    np.testing.assert_allclose(chain.predict_proba(X), GaussianNB().fit(X[:, 2:], Y).predict_proba(X[:, 2:]), rtol=1e-9)
    assert chain.passes_ == 2
    with pytest.raises(BadInput, match="labels of classes for the score"):
        Chain(SelectKBest(k=2), Ridge()).fit(X, Y.astype(float))
    with pytest.raises(BadInput, match="numbers for this score"):
        Chain(SelectKBest("correlation", k=2), GaussianNB()).fit(X, Y)
    assert Chain(SelectKBest("correlation", k=2), Ridge()).fit(X, Y.astype(float)).score(X, Y) > 0.8


def test_stability() -> None:
    noisy = np.column_stack([X[:, 2], RNG.normal(size=(150, 4))])
    found = stability(SelectKBest(k=2), noisy, Y, cv=5)
    assert found[0] == 1.0
    assert found.sum() == pytest.approx(2.0)
    with pytest.raises(BadInput, match="one with get_support"):
        stability(GaussianNB(), X, Y)


GOOD = LeastSquaresFolds(X, Y)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: ColumnScores.of(X, Y[:9]), "one label a row"),
        (lambda: ColumnScores.of(X[0], Y), "one label a row"),
        (lambda: ColumnScores.of(X, Y, [1.0]), "one label a row"),
        (lambda: ColumnScores.of(X, Y).read("t"), "score must be one of"),
        (lambda: ColumnScores.of(X, Y).read("chi_square", 1), "bins must be at least 2"),
        (lambda: ColumnScores.of(-X, Y).read("chi2"), "counts of at least 0"),
        (lambda: drop_redundant(X, 1.5), "threshold must be between 0 and 1"),
        (lambda: drop_redundant(X, scores=[1.0]), "scores must be one a column"),
        (lambda: drop_redundant(X[:1]), "at least 2 rows"),
        (lambda: relief(X, Y[:3]), "one label a row"),
        (lambda: relief(X[:1], Y[:1]), "at least 2 rows"),
        (lambda: relief(np.full((3, 1), np.nan), [0, 1, 0]), "all missing"),
        (lambda: relief(X, Y, anchors=151), "anchors must be a whole number from 1"),
        (lambda: relief_f(X, Y, k=0), "k must be a whole number of at least 1"),
        (lambda: regression_relief_f(X, Y[:4]), "one finite number a row"),
        (lambda: LeastSquaresFolds(X, [np.nan] * 150), "finite numbers"),
        (lambda: CrossValidated(GaussianNB(), X, Y[:3]), "one target a row"),
        (lambda: all_subsets(LeastSquaresFolds(np.eye(25), np.arange(25.0))), "at most 20"),
        (lambda: genetic(GOOD, evaluations=0), "at least 1 evaluation"),
        (lambda: annealing(GOOD, cooling=1.0), "a cooling between 0 and 1"),
    ],
)
def test_refusals(call: Any, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        call()


def test_scores_of_numbers() -> None:
    from sklearn.feature_selection import f_regression

    rows, t = load_diabetes(return_X_y=True)
    best = SelectKBest(f_regression, k=3).fit(rows[:200], t[:200]).partial_fit(rows[200:], t[200:])
    statistic, p = f_regression(rows, t)
    np.testing.assert_allclose(best.scores_, statistic, rtol=1e-10)
    np.testing.assert_allclose(best.pvalues_, p, rtol=1e-9)
    assert best.get_support(indices=True).tolist() == np.sort(np.argsort(statistic)[-3:]).tolist()
    r = [abs(np.corrcoef(column, t)[0, 1]) for column in rows.T]
    np.testing.assert_allclose(SelectKBest("correlation", k=3).fit(rows, t).scores_, r, rtol=1e-10)
    best.forget(rows[200:], t[200:])
    np.testing.assert_allclose(best.scores_, f_regression(rows[:200], t[:200])[0], rtol=1e-9)


@pytest.mark.parametrize("score", ["f_classif", "gain_ratio", "correlation"])
def test_a_loaded_selector_learns_on_and_forgets(score: str, tmp_path: Any) -> None:
    model = SelectKBest(score, k=2).fit(X[::2], Y[::2].astype(float))
    model.save(tmp_path / "m")
    loaded = load(tmp_path / "m")
    for one in (model, loaded):
        one.partial_fit(X[1::2], Y[1::2].astype(float))
    np.testing.assert_array_equal(loaded.scores_, model.scores_)
    assert loaded.get_support(indices=True).tolist() == model.get_support(indices=True).tolist()
    np.testing.assert_allclose(
        loaded.forget(X[1::2], Y[1::2].astype(float)).scores_,
        SelectKBest(score, k=2).fit(X[::2], Y[::2].astype(float)).scores_,
        rtol=1e-9,
    )


def test_another_score_is_read_from_the_same_summary() -> None:
    model = SelectKBest("information_gain", k=2).fit(X, Y)
    model.set_params(score_func="gain_ratio", k=1, bins=4)
    np.testing.assert_allclose(model.scores_, ColumnScores.of(X, Y).read("gain_ratio", 4).scores, rtol=1e-12)
    assert model.transform(X).shape == (150, 1)


def test_inverse_and_names() -> None:
    import pandas as pd

    frame = pd.DataFrame(X, columns=list("abcd"))
    model = SelectPercentile(percentile=50).fit(frame, Y)
    assert model.get_feature_names_out().tolist() == ["c", "d"]
    back = model.inverse_transform(model.transform(frame))
    np.testing.assert_array_equal(back, X * [0, 0, 1, 1])


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: SelectKBest(k=2).fit(X), "a label for each row"),
        (lambda: SelectKBest("magic").fit(X, Y), "score_func"),
        (lambda: SelectKBest(lambda a, b: a, k=1).fit(X, Y), "score_func must be one of"),
        (lambda: SelectKBest("correlation", k=1).fit(X, np.column_stack([Y, Y])), "1d array"),
        (lambda: SelectKBest("correlation", k=1).fit(np.where(X > 5, np.nan, X), Y), "every cell must be present"),
        (lambda: SelectKBest(k=1).fit(X * np.inf, Y), "infinity"),
        (lambda: SelectPercentile(percentile=101).fit(X, Y), "percentile"),
        (lambda: SelectKBest(bins=1).fit(X, Y), "bins"),
        (lambda: SelectKBest("chi2", k=1).fit(-X, Y), "counts of at least 0"),
    ],
)
def test_selectors_refuse(call: Any, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        call()


@pytest.mark.parametrize("score", ["f_classif", "chi2", "information_gain"])
def test_infinite_cells_of_large_tables_are_met_by_the_pass(score: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.tile(np.round(X), (3, 1))
    labels = np.tile(Y, 3)
    monkeypatch.setattr("suffice.estimators.boundary.doors.WORTH", 100)
    model = SelectKBest(score, k=2).fit(rows, labels)
    before = model.scores_.copy()
    for cell, at in ((np.inf, 0), (-np.inf, 449)):
        holed = rows.copy()
        holed[at, 1] = cell
        with pytest.raises(BadInput, match=r"must be finite.*got -?inf"):
            model.partial_fit(holed, labels)
    np.testing.assert_array_equal(model.scores_, before)
