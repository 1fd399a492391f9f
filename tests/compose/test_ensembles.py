"""Forests, bagging, boosting, voting, stacking: against scikit-learn's, out of bag, combined, saved."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn import ensemble as theirs
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.exceptions import NotFittedError

import suffice
from suffice import (
    AdaBoostClassifier,
    BaggingClassifier,
    BaggingRegressor,
    Decide,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    GaussianNB,
    LinearRegression,
    RandomForestClassifier,
    RandomForestRegressor,
    StackingClassifier,
    StackingRegressor,
    VotingClassifier,
    VotingRegressor,
)
from suffice.compose import combine, exponential_loss
from suffice.sources import Roles, open_rows
from suffice.trees.growth.drawing import poisson_weights

X, Y = load_wine(return_X_y=True)
MEMBERS = [("bayes", GaussianNB()), ("tree", DecisionTreeClassifier(max_depth=3))]
LINES = [("line", LinearRegression()), ("tree", DecisionTreeRegressor(max_depth=3))]


def test_bagging_a_majority_of_replicas() -> None:
    """Fifty machines of a wide kernel on replicas vote; members without probabilities vote by their labels."""
    svc = suffice.SVC(gamma=2.0, C=1e4)
    Z, y = load_iris(return_X_y=True)
    model = BaggingClassifier(svc, n_estimators=7, random_state=0).fit(Z[:, :2], y)
    said = np.array([one.predict(Z[:, :2]) for one in model.estimators_])
    votes = np.array([np.bincount(column, minlength=3) for column in said.T])
    np.testing.assert_array_equal(model.predict(Z[:, :2]), votes.argmax(axis=1))


def test_bagging_averages_and_brags() -> None:
    Z, y = load_diabetes(return_X_y=True)
    Z, y = Z[:120], y[:120]
    for how, way in (("mean", np.mean), ("median", np.median)):
        model = BaggingRegressor(n_estimators=5, aggregate=how, random_state=0, max_features=0.5).fit(Z, y)
        said = [
            one.predict(Z[:, some]) for one, some in zip(model.estimators_, model.estimators_features_, strict=True)
        ]
        np.testing.assert_allclose(model.predict(Z), way(said, axis=0), rtol=1e-12)
    assert BaggingClassifier(n_estimators=40, oob_score=True, random_state=0).fit(X, Y).oob_score_ > 0.85


def test_forests_are_as_good_as_scikit_learns() -> None:
    ours = RandomForestClassifier(40, random_state=0, oob_score=True).fit(X, Y)
    other = theirs.RandomForestClassifier(40, random_state=0, oob_score=True).fit(X, Y)
    assert abs(ours.oob_score_ - other.oob_score_) < 3 * np.sqrt(0.03 / len(X))
    assert np.corrcoef(ours.feature_importances_, other.feature_importances_)[0, 1] > 0.9
    Z, y = load_diabetes(return_X_y=True)
    numbers = RandomForestRegressor(20, random_state=0, oob_score=True, max_depth=6).fit(Z, y)
    assert abs(numbers.oob_score_ - 0.4) < 0.1
    assert numbers.oob_prediction_.shape == y.shape


def test_a_forest_averages_its_trees() -> None:
    model = RandomForestClassifier(4, random_state=0).fit(X, Y)
    mean = np.mean([one.predict_proba(X) for one in model.estimators_], axis=0)
    np.testing.assert_allclose(model.predict_proba(X), mean, rtol=1e-12)
    assert model.apply(X).shape == (len(X), 4)
    assert model.decision_path(X)[0].shape == (len(X), model.nodes_.count)
    assert model.by_tree(X).shape == (4, len(X))


def test_columns_drawn_once_a_tree() -> None:
    """As the source prints it: a tree sees d columns, drawn once; scikit-learn draws at every node."""
    once = RandomForestClassifier(6, random_state=0, draw="tree", max_features=3).fit(X, Y)
    used = [{int(c) for c in one.nodes_.column if c >= 0} for one in once.estimators_]
    assert all(len(columns) <= 3 for columns in used)
    assert len(set.union(*used)) > 3
    node = RandomForestClassifier(6, random_state=0, max_features=3).fit(X, Y)
    assert max(len({int(c) for c in one.nodes_.column if c >= 0}) for one in node.estimators_) > 3


def test_poisson_draws_depend_on_seed_tree_and_row_alone() -> None:
    many = poisson_weights(3, 1, np.arange(100_000))
    np.testing.assert_allclose([many.mean(), many.var()], 1.0, atol=0.02)
    np.testing.assert_array_equal(poisson_weights(3, 1, np.arange(50, 60)), many[50:60])
    assert not np.array_equal(poisson_weights(3, 2, np.arange(100)), many[:100])
    model = RandomForestClassifier(5, bootstrap="poisson", random_state=0, oob_score=False).fit(X, Y)
    assert model.score(X, Y) > 0.95


def test_a_forest_from_files_is_that_of_memory() -> None:
    """With the same Poisson draws, where bins hold single values: node for node."""
    columns = {f"c{j}": X[:120, j].tolist() for j in range(4)}
    columns["kind"] = Y[:120].tolist()
    chunks = [{name: cells[i : i + 40] for name, cells in columns.items()} for i in (0, 40, 80)]
    options: dict[str, Any] = {"n_trees": 4, "seed": 3, "max_depth": 5}
    there = suffice.Forest(**options).fit(open_rows(chunks, Roles(target="kind")))
    whole = pd.concat([pd.DataFrame(chunk) for chunk in chunks])
    here = suffice.Forest(**options).fit(whole.drop(columns="kind"), whole["kind"])
    for field in fields(here.nodes_):
        np.testing.assert_allclose(getattr(there.nodes_, field.name), getattr(here.nodes_, field.name), rtol=1e-9)
    assert there.fitted_.state.passes <= 7  # all trees grow together


def test_weights_are_copies_without_bootstrap() -> None:
    w = np.random.default_rng(0).integers(0, 3, len(X))
    options: dict[str, Any] = {"bootstrap": False, "random_state": 0, "max_features": None}
    weighed = RandomForestClassifier(3, **options).fit(X, Y, sample_weight=w)
    copied = RandomForestClassifier(3, **options).fit(np.repeat(X, w, axis=0), np.repeat(Y, w))
    np.testing.assert_allclose(weighed.predict_proba(X), copied.predict_proba(X), atol=1e-12)


def test_combined_forests_answer_as_both_do() -> None:
    a = RandomForestClassifier(3, random_state=0, oob_score=False).fit(X[Y < 2], Y[Y < 2])
    b = RandomForestClassifier(6, random_state=1).fit(X[Y > 0], Y[Y > 0])
    both = combine(a, b)
    p = np.zeros((len(X), 3))
    p[:, :2] += a.predict_proba(X) / 3
    p[:, 1:] += b.predict_proba(X) * 2 / 3
    np.testing.assert_allclose(both.predict_proba(X), p, atol=1e-12)
    assert both.classes_.tolist() == [0, 1, 2]
    with pytest.raises(TypeError, match="forests of one kind"):
        combine(a, DecisionTreeClassifier().fit(X, Y))
    with pytest.raises(ValueError, match="at least two"):
        combine(a)


@pytest.mark.parametrize("load", [load_iris, load_breast_cancer])
def test_boosted_trees_are_those_of_scikit_learn(load: Any) -> None:
    Z, y = load(return_X_y=True)
    ours = AdaBoostClassifier(n_estimators=8).fit(Z, y)
    other = theirs.AdaBoostClassifier(n_estimators=8, random_state=0).fit(Z, y)
    np.testing.assert_allclose(ours.estimator_weights_, other.estimator_weights_, rtol=1e-9)
    np.testing.assert_allclose(ours.predict_proba(Z), other.predict_proba(Z), rtol=1e-9)
    np.testing.assert_allclose(ours.decision_function(Z), other.decision_function(Z), rtol=1e-9)
    for mine, its in zip(ours.staged_predict(Z), other.staged_predict(Z), strict=True):
        np.testing.assert_array_equal(mine, its)


def test_ways_to_boost() -> None:
    Z, y = load_breast_cancer(return_X_y=True)
    whole, half = (AdaBoostClassifier(n_estimators=6, algorithm=a).fit(Z, y) for a in ("discrete", "half"))
    np.testing.assert_allclose(whole.estimator_weights_, 2 * half.estimator_weights_, rtol=1e-9)
    np.testing.assert_array_equal(whole.predict(Z), half.predict(Z))
    real = AdaBoostClassifier(n_estimators=6, algorithm="real").fit(Z, y)
    drawn = AdaBoostClassifier(n_estimators=6, resample=True, random_state=0).fit(Z, y)
    bayes = AdaBoostClassifier(GaussianNB(), n_estimators=3).fit(Z, y)
    for model in (whole, real, drawn, bayes):
        assert model.score(Z, y) > 0.9
    margins = whole.margins(Z, y)
    assert ((margins > 0) == (whole.predict(Z) == y)).all()
    assert np.abs(margins).max() <= 1 + 1e-12
    losses = [exponential_loss(s, np.where(y == 1, 1, -1)) for s in whole.staged_decision_function(Z)]
    assert losses[-1] < 1.0


def test_a_member_without_weights_needs_drawn_rows() -> None:
    class NoWeights(DecisionTreeClassifier):
        def fit(self, X: Any, y: Any) -> Any:
            return super().fit(X, y)

    with pytest.raises(ValueError, match="sample_weight"):
        AdaBoostClassifier(NoWeights(max_depth=1), n_estimators=2).fit(X, Y)
    assert AdaBoostClassifier(NoWeights(max_depth=2), n_estimators=2, resample=True, random_state=0).fit(X, Y)


MODELS = {
    "bagging": BaggingClassifier(n_estimators=3, random_state=0, max_features=0.5),
    "boosting": AdaBoostClassifier(n_estimators=3),
    "forest": RandomForestClassifier(3, random_state=0),
    "hard": VotingClassifier(MEMBERS),
    "soft": VotingClassifier(MEMBERS, voting="soft", weights=[1, 2]),
    "stack": StackingClassifier(MEMBERS, cv=2),
    "through": StackingClassifier(MEMBERS, cv=2, passthrough=True),
}
NUMBERS = {
    "bagging": BaggingRegressor(n_estimators=3, random_state=0, aggregate="median"),
    "forest": RandomForestRegressor(3, random_state=0),
    "voting": VotingRegressor(LINES),
    "stack": StackingRegressor(LINES, cv=2),
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", MODELS)
def test_classifiers_are_saved(name: str, tmp_path: Path) -> None:
    labels = np.array(["no", "yes", "perhaps"])[Y]
    model = MODELS[name].fit(X, labels)
    model.save(tmp_path / "m")
    loaded = suffice.load(tmp_path / "m")
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    np.testing.assert_array_equal(loaded.estimator().predict(X), model.predict(X))
    if hasattr(model, "predict_proba"):
        np.testing.assert_allclose(loaded.predict_proba(X), model.predict_proba(X), rtol=1e-12, atol=1e-15)
        assert set(Decide(model, reject=0.05).fit(X, labels).predict(X).tolist()) <= {"no", "yes", "perhaps", None}


@pytest.mark.parametrize("name", NUMBERS)
def test_regressors_are_saved(name: str, tmp_path: Path) -> None:
    y = X[:, 0] * 2 + Y
    model = NUMBERS[name].fit(X[:, 1:], y)
    model.save(tmp_path / "m")
    np.testing.assert_allclose(suffice.load(tmp_path / "m").predict(X[:, 1:]), model.predict(X[:, 1:]), rtol=1e-12)


def test_members_of_others_are_not_saved(tmp_path: Path) -> None:
    from sklearn.tree import DecisionTreeClassifier as Theirs

    with pytest.raises(ValueError, match="one of ours to be saved"):
        BaggingClassifier(Theirs(), n_estimators=2).fit(X, Y).save(tmp_path / "m")


def test_forests_go_on_and_are_collections_of_trees() -> None:
    """With a seed, trees that are added are those of a forest grown at once; what cannot be gone on with is refused."""
    for cls, y in ((RandomForestClassifier, Y), (RandomForestRegressor, Y + X[:, 0])):
        model = cls(3, random_state=7, warm_start=True, oob_score=False).fit(X[::4], y[::4])
        model.set_params(n_estimators=6).fit(X[::4], y[::4])
        whole = cls(6, random_state=7).fit(X[::4], y[::4])
        np.testing.assert_array_equal(model.apply(X), whole.apply(X))
        assert len(model) == 6
        assert [one.random_state for one in model] == [one.random_state for one in whole]
        rows = model.estimators_samples_[5]
        again = type(model[5])(random_state=model[5].random_state, max_features=model.max_features)
        assert again.fit(X[::4][rows], y[::4][rows]).tree_.node_count == model[5].tree_.node_count
        with pytest.raises(suffice.core.errors.BadInput, match="n_estimators must be at least 6"):
            model.set_params(n_estimators=2).fit(X[::4], y[::4])
        with pytest.warns(UserWarning, match="does not fit new trees"):
            model.set_params(n_estimators=6).fit(X[::4], y[::4])
        assert bool(cls())
        with pytest.raises(AttributeError, match="rows of each tree"):
            combine(model, whole).estimators_samples_
    with pytest.raises(suffice.core.errors.BadInput, match="same classes"):
        RandomForestClassifier(2, warm_start=True).fit(X, Y).set_params(n_estimators=3).fit(X, Y % 2)


def test_the_walk_of_eight_rows_is_that_of_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    from suffice.compose.ensembles import forest_walk

    Z = np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.nan, X)[:101]
    model = RandomForestClassifier(5, random_state=0).fit(Z, Y[:101])._state()[0].model
    slow = forest_walk.mean_over_trees(model.nodes, Z, model.node_shares)
    monkeypatch.setattr(forest_walk, "pays", lambda cells: True)
    monkeypatch.setattr(forest_walk, "THREADED", 1)
    for rows in (Z, Z[:9], Z[:1]):
        quick = forest_walk.mean_over_trees(model.nodes, rows, model.node_shares)
        np.testing.assert_array_equal(quick, slow[: len(rows)])


def test_counts_have_means_above_zero() -> None:
    rng = np.random.default_rng(1)
    Z = rng.normal(size=(80, 3)).astype(np.float32).astype(float)
    y = rng.poisson(np.exp(Z[:, 0])).astype(float)
    same = {"criterion": "poisson", "max_depth": 3, "min_samples_leaf": 5, "random_state": 0}
    other = theirs.RandomForestRegressor(1, bootstrap=False, **same).fit(Z, y)
    ours = DecisionTreeRegressor(**same).fit(Z, y)
    np.testing.assert_allclose(ours.predict(Z), other.predict(Z), rtol=1e-12)
    assert DecisionTreeRegressor(criterion="poisson").fit(Z, y).predict(Z).min() > 0
    for bad_y, told in ((-y, "at least 0"), (0.0 * y, "above 0 in some row")):
        with pytest.raises(suffice.core.errors.BadInput, match=told):
            RandomForestRegressor(2, criterion="poisson").fit(Z, bad_y)


def test_bagging_refuses_mappings_in_one_sentence() -> None:
    given = {"a": [1.0, 2.0, 3.0], "b": list("xyx")}
    for cls in (BaggingClassifier, BaggingRegressor):
        with pytest.raises(suffice.core.errors.BadInput, match=r"must be an array, .*Make a data frame"):
            cls(n_estimators=2).fit(given, [0, 1, 0])
        model = cls(n_estimators=2, random_state=0).fit(X, Y)
        with pytest.raises(suffice.core.errors.BadInput, match=r"must be an array, .*Make a data frame"):
            model.predict(given)


def test_large_trees_in_threads_are_those_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    from suffice.trees.growth import growing_loop
    from suffice.trees.growth.bins import BinnedCells
    from suffice.trees.growth.growing import Growth
    from suffice.trees.growth.targets import ClassSums

    monkeypatch.setattr(growing_loop, "THREADED", 1)
    cells, target = BinnedCells.of(X, np.zeros(X.shape[1], dtype=int)), ClassSums(Y, 3, np.ones(len(X)))
    one, two = (growing_loop.grow_by_loop(cells, target, Growth(), threads) for threads in (1, 2))
    for field in fields(one):
        np.testing.assert_array_equal(getattr(one, field.name), getattr(two, field.name), err_msg=field.name)


def test_members_that_should_have_been_fitted_are_told_as_such() -> None:
    """As scikit-learn's class of error, not as bad rows."""
    members = [("tree", DecisionTreeClassifier())]
    with pytest.raises(NotFittedError, match="DecisionTreeClassifier instance is not fitted"):
        suffice.StackingClassifier(members, cv="prefit").fit(X, Y)
