"""What the page of differences says below its first sections: each point of it that no test of a room shows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sklearn.linear_model as theirs
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning
from sklearn.manifold import TSNE as TheirTSNE
from sklearn.model_selection import KFold
from sklearn.preprocessing import OneHotEncoder as TheirOneHot
from sklearn.utils import all_estimators

import suffice
from suffice import CalibratedClassifier, GaussianNB
from suffice import OneVsRestClassifier as OneVsRest
from suffice.core.errors import BadInput
from suffice.evaluation import cross_validate
from suffice.testing.discovery import public_estimators

PAGE = (Path(__file__).parents[2] / "docs" / "differences.md").read_text(encoding="utf-8")
DISPATCHED = """
import json, warnings
import array_api_strict as xp, numpy as np
from sklearn import config_context
from suffice.testing.discovery import public_estimators
warnings.simplefilter("ignore")
X, y = np.abs(np.random.default_rng(0).normal(size=(30, 3))) + 0.1, np.arange(30) % 2
found = {}
for cls in public_estimators():
    try:
        seed = {"random_state": 0} if "random_state" in cls().get_params() else {}
        mine = cls(**seed).fit(X, y)
    except Exception:
        continue  # of other tables
    verb = next((verb for verb in ("predict", "transform") if hasattr(mine, verb)), None)
    with config_context(array_api_dispatch=True):
        try:
            other = cls(**seed).fit(xp.asarray(X), xp.asarray(y))
            same = True
            if verb:
                a, b = (getattr(model, verb)(rows) for model, rows in ((mine, X), (other, xp.asarray(X))))
                dense = [np.asarray(z.toarray() if hasattr(z, "toarray") else z, dtype=float) for z in (a, b)]
                same = bool(np.allclose(*dense, equal_nan=True))
            found[cls.__name__] = same
        except Exception as error:
            found[cls.__name__] = type(error).__name__
print(json.dumps(found))
"""


def test_arrays_of_other_libraries_are_read_by_every_estimator() -> None:
    done = subprocess.run(
        [sys.executable, "-c", DISPATCHED],
        env={**os.environ, "SCIPY_ARRAY_API": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert len(found) > 90
    odd = {name for name, same in found.items() if same is not True}
    assert not odd, {name: found[name] for name in odd}


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("RidgeCV", {"store_cv_results": True}),
        ("RidgeCV", {"store_cv_results": True, "alpha_per_target": True}),
        ("LassoCV", {"cv": KFold(3)}),
        ("ElasticNetCV", {"cv": KFold(3)}),
        ("ElasticNetCV", {"cv": KFold(3), "l1_ratio": [0.5, 0.9]}),
    ],
)
def test_penalty_searches_have_scikit_learns_shapes(name: str, options: dict[str, object]) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 4))
    y = X @ [1.0, 2.0, 0.0, 0.0] + 0.1 * rng.normal(size=30)
    targets = [y, np.column_stack([y, X[:, 0] - y])] if name == "RidgeCV" else [y]
    for target in targets:
        ours, other = (
            getattr(lib, name)(alphas=[0.1, 1.0, 10.0], **options).fit(X, target) for lib in (suffice, theirs)
        )
        for attribute in ("cv_results_", "alphas_", "alpha_", "mse_path_", "coef_", "best_score_", "l1_ratio_"):
            if hasattr(other, attribute):
                mine, their = getattr(ours, attribute), getattr(other, attribute)
                assert np.shape(mine) == np.shape(their)
                np.testing.assert_allclose(mine, their, rtol=1e-3, atol=1e-4)


def test_a_fold_of_no_weight_is_no_column_of_the_path() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 4))
    w = np.where(np.arange(30) < 10, 0.0, 1.0)
    model = suffice.LassoCV(alphas=[0.1, 1.0], cv=KFold(3)).fit(X, X[:, 0], sample_weight=w)
    assert model.mse_path_.shape == (2, 2)


@pytest.mark.parametrize("how", ["logistic", "isotonic", "smooth_isotonic"])
def test_a_class_that_a_fold_has_not_met_has_no_probability_there(how: str) -> None:
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b", "c"], [20, 20, 2])
    X = rng.normal(size=(42, 2)) + np.repeat([[0.0, 0.0], [3.0, 3.0], [8.0, -8.0]], [20, 20, 2], axis=0)
    model = CalibratedClassifier(GaussianNB(), map=how, cv=KFold(3), ensemble=True).fit(X, y)
    *_, last = model.calibrated_classifiers_
    assert last.estimator.classes_.tolist() == ["a", "b"]
    proba = last.predict_proba(X)
    assert (proba[:, 2] == 0.0).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1.0, rtol=1e-12)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0, rtol=1e-12)
    assert model.predict_proba(X)[:40, 2].max() < 0.34


def test_lasso_settles_where_sweeps_do_not() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 4)) + 1e3
    y = X @ rng.normal(size=4) + rng.normal(size=50)
    options: dict[str, Any] = {"alpha": 0.01, "fit_intercept": False, "max_iter": 100_000, "tol": 1e-10}
    with pytest.warns(ConvergenceWarning):
        assert theirs.Lasso(**options).fit(X, y).n_iter_ == 100_000
    assert suffice.Lasso(**options).fit(X, y).n_iter_ < 100


def test_a_missing_category_is_one_nan() -> None:
    column = np.array([["x"], [None], ["y"], [np.nan]], dtype=object)
    model = suffice.OneHotEncoder().fit(column)
    (found,) = model.categories_
    assert found[:2].tolist() == ["x", "y"]
    assert len(found) == 3
    assert np.isnan(found[2])
    assert model.get_feature_names_out().tolist() == ["x0_x", "x0_y", "x0_nan"]
    assert len(TheirOneHot().fit(column).categories_[0]) == 4
    rare = suffice.OneHotEncoder(min_frequency=2, drop=["b"], feature_name_combiner=lambda name, one: f"{name}:{one}")
    names = rare.fit([["a"], ["a"], ["b"], ["b"], ["c"]]).get_feature_names_out().tolist()
    assert names == ["x0:a", "x0:infrequent_sklearn"]


def test_a_fold_that_few_rows_left_empty_is_no_fold() -> None:
    X, y = np.arange(12.0).reshape(6, 2), [0, 0, 0, 1, 1, 1]
    with pytest.raises(BadInput, match="cv must be at most 3, the number of rows of class 0"):
        CalibratedClassifier(GaussianNB(), cv=5).fit(X, y)
    found = cross_validate(GaussianNB(), X, y, cv=5)
    rows = [int(one.confusion.table.sum()) for one in found.scores]
    assert len(rows) < 5
    assert sum(rows) == 6
    assert min(rows) > 0


def test_callbacks_are_taken_by_all_but_what_is_scikit_learns_underneath() -> None:
    without = {cls.__name__ for cls in public_estimators() if not hasattr(cls, "set_callbacks")}
    assert without == {
        *("BaggingClassifier", "BaggingRegressor", "VotingClassifier", "VotingRegressor"),
        *("StackingClassifier", "StackingRegressor", "OneVsRestClassifier", "OneVsOneClassifier"),
    }


@pytest.mark.parametrize("name", ["DecisionTreeClassifier", "RandomForestClassifier"])
def test_several_class_labels_a_row_are_for_trees_that_are_drop_ins(name: str) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = np.column_stack([np.arange(60) % 2, np.arange(60) % 3])
    model = getattr(suffice, name)(random_state=0).fit(X, y)
    assert model.predict(X).shape == (60, 2)
    assert [labels.tolist() for labels in model.classes_] == [[0, 1], [0, 1, 2]]


@pytest.mark.parametrize("make", [suffice.MLPClassifier, suffice.RidgeClassifier, lambda: OneVsRest(GaussianNB())])
@pytest.mark.filterwarnings("ignore")
def test_labels_of_0_and_1_are_for_more(make: Any) -> None:
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = (X[:, :2] > 0).astype(int)
    assert make().fit(X, y).predict(X).shape == (60, 2)
    with pytest.raises(ValueError, match=r"1d array|Multioutput"):
        make().fit(X, y + np.arange(60)[:, None] % 3)


@pytest.mark.parametrize("name", ["Tree", "Forest"])
def test_other_trees_take_one_label_a_row(name: str) -> None:
    with pytest.raises(BadInput, match="y should be a 1d array"):
        getattr(suffice, name)().fit(np.eye(4), np.eye(4, 2))


@pytest.mark.parametrize("name", ["KMeans", "DBSCAN", "AgglomerativeClustering"])
def test_fitted_attributes_of_clusterers_cannot_be_assigned(name: str) -> None:
    model = getattr(suffice, name)().fit(np.random.default_rng(0).normal(size=(20, 2)))
    with pytest.raises(AttributeError):
        model.labels_ = None


def test_options_of_clusterers_that_change_nothing() -> None:
    X = np.random.default_rng(0).normal(size=(60, 2))
    plain = suffice.DBSCAN(eps=0.5).fit(X).labels_
    for options in ({"algorithm": "ball_tree"}, {"leaf_size": 2}, {"n_jobs": 2}):
        np.testing.assert_array_equal(suffice.DBSCAN(eps=0.5, **options).fit(X).labels_, plain)
    one, other = (suffice.AgglomerativeClustering(3, memory=memory).fit(X).labels_ for memory in (None, "nowhere"))
    np.testing.assert_array_equal(one, other)
    assert not Path("nowhere").exists()


def test_solvers_of_pca_give_one_answer_and_whitening_does_not_change_the_score() -> None:
    X = np.random.default_rng(0).normal(size=(60, 4))
    first, *others = (
        suffice.PCA(2, svd_solver=solver).fit(X)
        for solver in ("auto", "full", "covariance_eigh", "arpack", "randomized")
    )
    for other in others:
        np.testing.assert_allclose(other.components_, first.components_, rtol=1e-10)
    assert suffice.PCA(2, whiten=True).fit(X).score(X) == pytest.approx(first.score(X), rel=1e-12)


def test_maps_begin_print_and_measure_as_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    X = np.random.default_rng(0).normal(size=(40, 3)) * [1.0, 5.0, 0.2]
    with pytest.raises(TypeError, match="dissimilarity"):
        suffice.MDS(dissimilarity="precomputed")
    assert suffice.MDS().get_params()["init"] == "classical_mds"
    options: dict[str, Any] = {"perplexity": 5, "max_iter": 250, "random_state": 0, "init": "random"}
    assert suffice.TSNE(verbose=2, metric="mahalanobis", **options).fit_transform(X).shape == (40, 2)
    assert not capsys.readouterr().out
    with pytest.raises(ValueError, match="Must provide either V or VI"):
        TheirTSNE(metric="mahalanobis", **options).fit(X)
    near = np.eye(5, k=1) + np.eye(5, k=-1)
    with pytest.raises(BadInput, match="symmetric table of distances"):
        suffice.Isomap(metric="precomputed").fit(csr_array(np.eye(5, k=1)))
    assert suffice.Isomap(metric="precomputed", n_neighbors=4).fit(csr_array(near)).embedding_.shape == (5, 2)


def test_drop_ins_take_every_parameter_but_those_that_the_page_names() -> None:
    lacking = {}
    for name, their in all_estimators():
        ours = getattr(suffice, name, None)
        if ours is not None:
            lacking[name] = set(signature(their).parameters) - set(signature(ours).parameters)
    assert len(lacking) > 60
    assert {name: odd for name, odd in lacking.items() if odd} == {
        "MDS": {"dissimilarity"},
        "TargetEncoder": {"shuffle", "random_state"},
    }
    assert "`TargetEncoder` has neither `shuffle` nor `random_state`" in PAGE
