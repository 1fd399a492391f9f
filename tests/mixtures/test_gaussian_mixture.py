"""GaussianMixture: what scikit-learn's users know, and what it adds: weights, priors, hard assignment, files."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import multivariate_normal
from sklearn import mixture as peer
from sklearn.base import clone
from sklearn.cluster import KMeans, kmeans_plusplus
from sklearn.exceptions import ConvergenceWarning

from suffice import GaussianMixture
from suffice.families.normals.covariance_priors import NormalInverseWishart
from suffice.families.normals.variance_priors import NormalInverseGamma
from suffice.sources import Roles, open_rows
from tests.mixtures.blobs import blobs

KINDS = ["full", "tied", "diag", "spherical"]


def single_rows(X: Any, start: str, options: dict[str, Any]) -> dict[str, Any]:
    """The start from single rows, as scikit-learn draws them, written out: their variance is what is added to all."""
    state = np.random.RandomState(options["random_state"])
    if start == "k-means++":
        rows = kmeans_plusplus(X, 3, random_state=state)[1]
    else:
        rows = state.choice(len(X), size=3, replace=False)
    return {"means_init": X[rows], "weights_init": [1 / 3] * 3, "precisions_init": 1e6 * np.eye(X.shape[1])}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("start", ["kmeans", "random", "k-means++", "random_from_data"])
def test_the_same_as_scikit_learn_from_the_same_seed(kind: str, start: str) -> None:
    """All starts draw as scikit-learn's do. From single rows its tied covariance is of all rows: not ours."""
    X = blobs(600, 3, 3, far=1.5)
    options: dict[str, Any] = {"covariance_type": kind, "init_params": start, "random_state": 3, "max_iter": 3000}
    mine = GaussianMixture(3, **options).fit(X)
    if kind == "tied" and start in ("k-means++", "random_from_data"):
        options |= single_rows(X, start, options)
    theirs = peer.GaussianMixture(3, **options).fit(X)
    assert mine.n_iter_ == theirs.n_iter_ > 1
    for name in ("weights_", "means_", "covariances_", "precisions_", "precisions_cholesky_", "lower_bound_"):
        ours, other = getattr(mine, name), getattr(theirs, name)
        assert np.shape(ours) == np.shape(other)
        assert ours == pytest.approx(other, rel=1e-8, abs=1e-8), name
    assert mine.predict_proba(X) == pytest.approx(theirs.predict_proba(X), abs=1e-9)
    assert mine.score_samples(X) == pytest.approx(theirs.score_samples(X), abs=1e-8)
    assert np.array_equal(mine.predict(X), theirs.predict(X))
    assert mine.bic(X) == pytest.approx(theirs.bic(X), abs=1e-6)
    assert mine.aic(X) == pytest.approx(theirs.aic(X), abs=1e-6)


@pytest.mark.parametrize("start", ["kmeans", "k-means++", "random_from_data"])
def test_rows_of_weight_0_are_no_place_to_begin(start: str) -> None:
    """A start drawn by weights is among the rows that have some: without a pass, the means are theirs."""
    X = np.concatenate([blobs(60, 2, 3), np.random.default_rng(0).normal(1e3, 1e3, size=(60, 2))])
    w = np.repeat([1.0, 0.0], 60)
    for seed in range(5):
        model = GaussianMixture(3, init_params=start, random_state=seed, max_iter=0).fit(X, sample_weight=w)
        assert np.abs(model.means_).max() < 30
        assert len(np.unique(model.means_, axis=0)) == 3
        if start != "kmeans":
            assert all((X[:60] == mean).all(axis=1).any() for mean in model.means_)


def test_hard_round_components_of_one_width_are_k_means() -> None:
    """P.M081: a prior that holds all widths at one size, so small that the shares of the components say nothing.

    Shared softly, rows between two centres still pull at both.
    """
    X = np.random.default_rng(83).exponential(size=(200, 2))
    narrow = NormalInverseGamma(strength=1e12, variance=1e-3)
    options: dict[str, Any] = {"covariance_type": "spherical", "prior": narrow, "max_iter": 200, "tol": 1e-12}
    options |= {"means_init": X[:4], "weights_init": [0.25] * 4, "precisions_init": [1e3] * 4}
    means = KMeans(4, init=X[:4], n_init=1, max_iter=200, tol=0.0, algorithm="lloyd").fit(X)
    hard, soft = (GaussianMixture(4, assignment=how, **options).fit(X) for how in ("hard", "soft"))
    assert hard.means_ == pytest.approx(means.cluster_centers_, abs=1e-12)
    assert hard.weights_ == pytest.approx(np.bincount(means.labels_) / 200, abs=1e-14)
    assert np.array_equal(hard.predict(X), means.labels_)
    assert hard.n_iter_ > 5
    assert np.abs(soft.means_ - means.cluster_centers_).max() > 1e-4
    new = np.random.default_rng(8).exponential(size=(50, 2))
    logs = -np.square(new[:, None] - means.cluster_centers_).sum(axis=2) / 2e-3 + np.log(hard.weights_)
    shares = np.exp(logs - np.logaddexp.reduce(logs, axis=1)[:, None])
    assert hard.predict_proba(new) == pytest.approx(shares, abs=1e-9)
    assert np.array_equal(hard.predict(new), means.predict(new))


@pytest.mark.parametrize("kind", KINDS)
def test_given_starts(kind: str) -> None:
    X = blobs(300, 2, 2)
    first = peer.GaussianMixture(2, covariance_type=kind, random_state=0, max_iter=300).fit(X)
    given = {"weights_init": first.weights_, "means_init": first.means_ + 0.3, "precisions_init": first.precisions_}
    for some in (given, {"means_init": given["means_init"]}, {"precisions_init": given["precisions_init"]}):
        options = {"covariance_type": kind, "random_state": 0, "max_iter": 300, **some}
        mine, theirs = GaussianMixture(2, **options).fit(X), peer.GaussianMixture(2, **options).fit(X)
        assert mine.means_ == pytest.approx(theirs.means_, abs=1e-8)
        assert mine.covariances_ == pytest.approx(theirs.covariances_, abs=1e-8)
    nothing = GaussianMixture(2, covariance_type=kind, max_iter=0, **given).fit(X)
    assert nothing.means_ == pytest.approx(first.means_ + 0.3, abs=1e-15)
    assert nothing.precisions_ == pytest.approx(first.precisions_, rel=1e-9)


def test_weights_are_copies() -> None:
    """From given means, so that no draw depends on the number of rows."""
    X, w = blobs(200, 2, 2), np.random.default_rng(0).integers(0, 4, 200)
    options: dict[str, Any] = {"n_components": 2, "means_init": X[:2], "precisions_init": np.stack([np.eye(2)] * 2)}
    options |= {"weights_init": [0.5, 0.5], "tol": 1e-10, "max_iter": 1000}
    weighted = GaussianMixture(**options).fit(X, sample_weight=w)
    copied = GaussianMixture(**options).fit(np.repeat(X, w, axis=0))
    assert weighted.means_ == pytest.approx(copied.means_, abs=1e-9)
    assert weighted.lower_bound_ == pytest.approx(copied.lower_bound_, abs=1e-12)
    assert weighted.score(X, sample_weight=w) == pytest.approx(copied.score(np.repeat(X, w, axis=0)), abs=1e-10)
    assert weighted.bic(X, sample_weight=w) == pytest.approx(copied.bic(np.repeat(X, w, axis=0)), abs=1e-7)


@pytest.mark.parametrize("kind", KINDS)
def test_a_prior_guards_against_collapse(kind: str) -> None:
    """P.W43: with a variance of its own a component can collapse on one row; virtual rows keep it from that.

    Free of units: scikit-learn's reg_covar of 1e-6 is nothing beside rows of size 1e6 and everything beside 1e-6.
    """
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(30, 2)), [[50.0, 50.0]] * 3])
    found = [
        GaussianMixture(2, covariance_type=kind, prior=1.0, random_state=0, tol=1e-9, max_iter=500).fit(X * unit)
        for unit in (1e-6, 1.0, 1e6)
    ]
    assert found[0].predict_proba(X * 1e-6) == pytest.approx(found[1].predict_proba(X), abs=1e-8)
    assert found[2].predict_proba(X * 1e6) == pytest.approx(found[1].predict_proba(X), abs=1e-8)
    assert (np.diff(found[1].lower_bounds_) >= -1e-12).all()
    bare = GaussianMixture(2, covariance_type=kind, reg_covar=0.0, random_state=0)
    if kind != "tied":
        with pytest.raises(ValueError, match="Try to decrease the number of components"):
            bare.fit(X)


def test_a_prior_may_be_an_object() -> None:
    X = blobs(100, 2, 2)
    number = GaussianMixture(2, prior=2.0, random_state=0).fit(X)
    thing = GaussianMixture(2, prior=NormalInverseWishart(2.0), random_state=0).fit(X)
    assert number.covariances_ == pytest.approx(thing.covariances_, rel=1e-14)


@pytest.mark.parametrize("kind", KINDS)
def test_hard_assignment(kind: str) -> None:
    """Every row wholly in one component: means are means of the rows predicted to be there."""
    X = blobs(300, 2, 3)
    options: dict[str, Any] = {"covariance_type": kind, "random_state": 0, "tol": 1e-12, "max_iter": 300}
    hard = GaussianMixture(3, assignment="hard", prior=1.0, **options).fit(X)
    labels = hard.predict(X)
    assert hard.converged_
    assert hard.means_ == pytest.approx(np.stack([X[labels == k].mean(axis=0) for k in range(3)]), abs=1e-10)
    assert hard.weights_ == pytest.approx(np.bincount(labels) / 300, abs=1e-14)
    assert (np.diff(hard.lower_bounds_) >= -1e-12).all()


def test_restarts_keep_the_best() -> None:
    """P.M082: several starts, one trace; the likeliest end is kept."""
    X = blobs(150, 2, 4, far=2.0)
    options: dict[str, Any] = {"init_params": "random_from_data", "tol": 1e-6, "max_iter": 1000}
    alone = []
    state = np.random.RandomState(0)
    for _ in range(4):
        alone.append(GaussianMixture(4, random_state=state, **options).fit(X).lower_bound_)
    best = GaussianMixture(4, n_init=4, random_state=np.random.RandomState(0), **options).fit(X)
    assert best.lower_bound_ == pytest.approx(max(alone), abs=1e-12)
    assert best.lower_bound_ == best.lower_bounds_[-1]
    assert len(best.lower_bounds_) == best.n_iter_


def test_warm_start_goes_on() -> None:
    X = blobs(200, 2, 3, far=1.5)
    whole = GaussianMixture(3, random_state=0, max_iter=8, tol=0.0)
    parts = GaussianMixture(3, random_state=0, max_iter=4, tol=0.0, warm_start=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        whole.fit(X)
        parts.fit(X).fit(X)
    assert parts.means_ == pytest.approx(whole.means_, abs=1e-13)
    assert parts.lower_bounds_ == pytest.approx(whole.lower_bounds_[4:], abs=1e-13)


def test_not_settling_is_a_warning() -> None:
    with pytest.warns(ConvergenceWarning, match="did not converge"):
        GaussianMixture(3, random_state=0, max_iter=1).fit(blobs(200, 2, 3, far=1.0))


@pytest.mark.parametrize("kind", KINDS)
def test_draws(kind: str) -> None:
    """P.M079: a component by its share, then a row from its normal."""
    model = GaussianMixture(2, covariance_type=kind, random_state=0).fit(blobs(400, 2, 2))
    X, y = model.sample(40_000)
    assert X.shape == (40_000, 2)
    assert np.array_equal(y, np.sort(y))
    assert np.bincount(y) / 40_000 == pytest.approx(model.weights_, abs=0.02)
    again = GaussianMixture(2, covariance_type=kind, random_state=0).fit(X)
    order, other = np.argsort(model.means_[:, 0]), np.argsort(again.means_[:, 0])
    assert again.means_[other] == pytest.approx(model.means_[order], abs=0.15)


@pytest.mark.parametrize("kind", KINDS)
def test_types_and_names(kind: str) -> None:
    X = blobs(120, 2, 2)
    small = GaussianMixture(2, covariance_type=kind, random_state=0).fit(X.astype(np.float32))
    for name in ("weights_", "means_", "covariances_", "precisions_", "precisions_cholesky_"):
        assert getattr(small, name).dtype == np.float32
    assert small.score_samples(X.astype(np.float32)).dtype == np.float32
    framed = GaussianMixture(2, covariance_type=kind, random_state=0).fit(pd.DataFrame(X, columns=["a", "b"]))
    assert framed.feature_names_in_.tolist() == ["a", "b"]
    assert clone(framed).get_params() == framed.get_params()


def test_progress_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    GaussianMixture(2, verbose=1, verbose_interval=1, random_state=0).fit(blobs(60, 2, 2))
    told = capsys.readouterr().out
    assert "pass 1: mean log-likelihood" in told
    assert "Start 0: settled after" in told


def test_a_failed_fit_changes_nothing() -> None:
    X = blobs(60, 2, 2)
    model = GaussianMixture(2, random_state=0).fit(X)
    before = model.means_
    with pytest.raises(ValueError, match="precisions_init must be of shape"):
        model.set_params(precisions_init=np.eye(3)).fit(X)
    assert np.array_equal(model.means_, before)


def test_rows_from_files(tmp_path: Path) -> None:
    """The same model from a table in memory and from files, in passes, with weights and a missing cell."""
    X = blobs(400, 3, 2)
    X[5, 1] = np.nan
    w = np.random.default_rng(0).integers(1, 4, 400)
    frame = pd.DataFrame(X, columns=list("abc")).assign(w=w)
    frame[:150].to_csv(tmp_path / "1.csv", index=False)
    frame[150:].to_csv(tmp_path / "2.csv", index=False)
    rows = open_rows([tmp_path / "1.csv", tmp_path / "2.csv"], Roles(weight="w"))
    for kind in KINDS:
        options: dict[str, Any] = {"covariance_type": kind, "tol": 1e-9, "max_iter": 500, "prior": 1.0}
        there = GaussianMixture(2, random_state=0, **options).learn(rows)
        here = GaussianMixture(2, random_state=0, **options).fit(frame[list("abc")], sample_weight=w)
        order, other = np.argsort(here.means_[:, 0]), np.argsort(there.means_[:, 0])
        assert there.means_[other] == pytest.approx(here.means_[order], abs=1e-4)  # starts differ, the end does not
        assert there.lower_bound_ == pytest.approx(here.lower_bound_, abs=1e-7)
        assert there.feature_names_in_.tolist() == ["a", "b", "c"]
    few = GaussianMixture(2, random_state=0, prior=1.0).learn(rows, start_rows=50)
    assert few.converged_


def marginal(model: Any, row: Any) -> float:
    """log p of the cells that are there, by SciPy."""
    here = ~np.isnan(row)
    total = 0.0
    for tau, mean, C in zip(model.weights_, model.means_, model.covariances_, strict=True):
        total += tau * multivariate_normal(mean[here], C[np.ix_(here, here)]).pdf(row[here]) if here.any() else tau
    return float(np.log(total))


def test_incomplete_rows_have_the_closed_marginal() -> None:
    """P.M155: cells that are missing when a row is scored are integrated out, exactly."""
    X = blobs(300, 3, 2)
    model = GaussianMixture(2, random_state=0).fit(X)
    rng = np.random.default_rng(0)
    rows = X[:60].copy()
    rows[rng.random(rows.shape) < 0.4] = np.nan
    rows[0] = np.nan
    logs = [marginal(model, row) for row in rows]
    assert model.score_samples(rows) == pytest.approx(logs, abs=1e-10)
    assert model.predict_proba(rows)[0] == pytest.approx(model.weights_, abs=1e-15)


@pytest.mark.parametrize("kind", KINDS)
def test_missing_cells_in_training(kind: str) -> None:
    """The likelihood of what was observed climbs, and its end is found again from the truth as start."""
    X = blobs(400, 3, 2)
    gaps = X.copy()
    gaps[np.random.default_rng(1).random(X.shape) < 0.25] = np.nan
    options: dict[str, Any] = {"covariance_type": kind, "prior": 1.0, "tol": 1e-9, "max_iter": 400}
    model = GaussianMixture(2, random_state=0, **options).fit(gaps)
    assert model.converged_
    assert (np.diff(model.lower_bounds_) >= -1e-12).all()
    whole = GaussianMixture(2, random_state=0, **options).fit(X)
    order, other = np.argsort(whole.means_[:, 0]), np.argsort(model.means_[:, 0])
    assert model.means_[other] == pytest.approx(whole.means_[order], abs=0.5)
    agree = (np.argsort(other)[model.predict(gaps)] == np.argsort(order)[whole.predict(X)]).mean()
    assert agree > 0.9


def test_one_component_with_missing_cells_is_the_family_itself() -> None:
    """EM in passes over rows and EM on the moments of missing patterns end at the same normal."""
    from suffice.core.shares import Shares
    from suffice.families.normals.full_normal import FullNormal

    X = blobs(200, 3, 1)
    X[np.random.default_rng(1).random(X.shape) < 0.3] = np.nan
    model = GaussianMixture(1, prior=1.0, tol=1e-13, max_iter=2000).fit(X)
    family = FullNormal(NormalInverseWishart(1.0))
    normals = family.estimate(family.summarize(X, Shares.hard(np.zeros(200, dtype=np.int32), 1)))
    assert model.means_ == pytest.approx(normals.mean.value, abs=1e-6)
    assert model.covariances_ == pytest.approx(normals.covariance, abs=1e-5)


def test_a_missing_cell_changes_no_statistic_of_another_column() -> None:
    X = blobs(200, 3, 2)
    gaps = X.copy()
    gaps[7, 2] = np.nan
    options: dict[str, Any] = {"covariance_type": "diag", "means_init": X[:2], "precisions_init": np.ones((2, 3))}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        models = [
            GaussianMixture(2, weights_init=[0.5, 0.5], assignment="hard", max_iter=1, **options).fit(rows)
            for rows in (X, gaps)
        ]
    labels = [np.square((rows[7] - X[:2])[:, :2]).sum(axis=1).argmin() for rows in (X, gaps)]
    assert labels[0] == labels[1]
    assert models[1].means_[:, :2] == pytest.approx(models[0].means_[:, :2], abs=1e-12)
    assert models[1].covariances_[:, :2] == pytest.approx(models[0].covariances_[:, :2], abs=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_columns_that_tell_nothing(kind: str) -> None:
    """A constant column, one without a cell and a row without a cell: the others are what they were."""
    X = blobs(200, 2, 2)
    wide = np.column_stack([X, np.full(200, 1e8 + 1.0), np.full(200, np.nan)])
    wide[3] = np.nan
    options: dict[str, Any] = {"covariance_type": kind, "prior": 1.0, "random_state": 0, "tol": 1e-8, "max_iter": 500}
    model = GaussianMixture(2, **options).fit(wide)
    assert np.isfinite(model.predict_proba(wide)).all()
    assert np.isfinite(model.precisions_).all()
    if kind == "spherical":
        return  # one variance for all columns, whatever they tell
    rest = np.delete(X, 3, axis=0)
    alone = GaussianMixture(2, **options).fit(rest)
    order, other = np.argsort(alone.means_[:, 0]), np.argsort(model.means_[:, 0])
    assert model.means_[other][:, :2] == pytest.approx(alone.means_[order], abs=1e-4)


def test_weight_0_is_no_row() -> None:
    X = blobs(60, 2, 2)
    w = np.r_[np.ones(59), 0.0]
    X[59] = 1e9
    options: dict[str, Any] = {"n_components": 2, "tol": 1e-9, "max_iter": 500, "random_state": 0}
    with_it = GaussianMixture(**options).fit(X, sample_weight=w)
    without = GaussianMixture(**options).fit(X[:59])
    assert with_it.lower_bound_ == pytest.approx(without.lower_bound_, abs=1e-9)
    with pytest.raises(ValueError, match="n_components = 2, n_samples = 1"):
        GaussianMixture(2, init_params="random_from_data").fit(X, sample_weight=np.r_[1.0, np.zeros(59)])
