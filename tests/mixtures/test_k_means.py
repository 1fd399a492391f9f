"""Round components of one width and equal shares, each row given to one: k-means, through the public classes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.cluster import KMeans

from suffice import GaussianMixture, MixedMixture, load
from suffice.core.errors import BadInput
from suffice.families import DiagonalNormal, KnownVariance
from tests.mixtures.blobs import blobs

X = blobs(400, 2, 4, seed=2)
CENTRES = X[:4]
W = np.random.default_rng(1).integers(0, 4, len(X)).astype(float)


def k_means(variance: float = 1.0, kind: str = "spherical", assignment: str = "hard", **more: Any) -> GaussianMixture:
    return GaussianMixture(
        4,
        covariance_type=kind,
        prior=KnownVariance(variance),
        assignment=assignment,
        alpha=np.inf,
        means_init=CENTRES,
        tol=1e-12,
        max_iter=200,
        random_state=0,
        **more,
    )


@pytest.mark.parametrize("w", [None, W], ids=["alike", "weighted"])
@pytest.mark.parametrize("variance", [0.01, 1.0, 7.5])
@pytest.mark.parametrize("kind", ["spherical", "diag"])
def test_hard_assignment_to_equal_round_components_is_k_means(kind: str, variance: float, w: Any) -> None:
    """P.M081: the same centres, labels and sum of squares as Lloyd's algorithm, whatever the width."""
    theirs = KMeans(4, init=CENTRES, n_init=1, max_iter=300, tol=0.0, algorithm="lloyd").fit(X, sample_weight=w)
    model = k_means(variance, kind).fit(X, sample_weight=w)
    assert model.converged_
    assert model.means_ == pytest.approx(theirs.cluster_centers_, abs=1e-12)
    rows = X if w is None else X[w > 0]
    assert model.predict(rows).tolist() == theirs.predict(rows).tolist()
    assert model.weights_.tolist() == [0.25] * 4
    total = len(X) if w is None else w.sum()
    squares = -2.0 * variance * total * (model.lower_bound_ + np.log(4 * 2 * np.pi * variance))
    assert squares == pytest.approx(theirs.inertia_, rel=1e-10)


def test_the_mixture_of_columns_says_the_same() -> None:
    """P.M081: a family of known variance in `MixedMixture`; groups that are far apart have one end."""
    rng = np.random.default_rng(0)
    far = np.concatenate([rng.normal(size=(60, 2)) + centre for centre in ([0, 0], [30, 0], [0, 30])])
    family = DiagonalNormal(KnownVariance())
    model = MixedMixture(3, by_kind={"quantitative": family}, assignment="hard", alpha=np.inf, random_state=0).fit(far)
    labels, theirs = model.predict(far), KMeans(3, n_init=10, random_state=0).fit(far)
    assert len({*zip(labels.tolist(), theirs.labels_.tolist(), strict=True)}) == 3  # but for the numbers of clusters
    assert model.weights_ == pytest.approx([1 / 3] * 3, rel=1e-15)
    assert model.bic(far) == pytest.approx(6 * np.log(180) - 2 * model.score(far) * 180, rel=1e-12)  # six means


def test_soft_assignment_becomes_k_means_as_the_width_shrinks() -> None:
    """P.M081: responsibilities of a narrow component are those of k-means; a wide one shares its rows."""
    hard = k_means().fit(X)
    narrow, wide = (k_means(v, assignment="soft").fit(X) for v in (1e-3, 4.0))
    assert narrow.means_ == pytest.approx(hard.means_, abs=1e-6)
    assert np.abs(wide.means_ - hard.means_).max() > 0.1
    share = wide.predict_proba(X)
    assert ((share > 0.05) & (share < 0.95)).any()
    np.testing.assert_array_less(-1e-12, np.diff(wide.lower_bounds_))


def test_rows_between_centres_go_to_the_nearer_one() -> None:
    """P.M081: boundaries halve the way between centres, and a missing cell is left out of the distance."""
    model = k_means().fit(X)
    asked = np.random.default_rng(3).normal(scale=8.0, size=(500, 2))
    asked[::3, 0] = np.nan
    nearest = np.nansum(np.square(asked[:, None] - model.means_), axis=2).argmin(axis=1)
    assert model.predict(asked).tolist() == nearest.tolist()


def test_what_is_known_is_no_free_parameter() -> None:
    """Four means of two columns; shares and variances are not learned."""
    model = k_means(2.0).fit(X)
    assert model.bic(X) == pytest.approx(8 * np.log(400) - 2 * 400 * model.score(X), rel=1e-12)
    learned = GaussianMixture(4, covariance_type="spherical", random_state=0).fit(X)
    assert learned.bic(X) == pytest.approx((8 + 4 + 3) * np.log(400) - 2 * 400 * learned.score(X), rel=1e-12)


def test_shares_between_counted_and_equal() -> None:
    """alpha virtual rows each: (rows + alpha) / (n + K alpha)."""
    model = k_means().set_params(alpha=50.0).fit(X)
    rows = np.bincount(model.predict(X), minlength=4)
    assert model.weights_ == pytest.approx((rows + 50) / (400 + 200), rel=1e-12)


def test_it_is_saved(tmp_path: Path) -> None:
    model = k_means(2.0).fit(X)
    model.save(tmp_path / "centres")
    np.testing.assert_array_equal(load(tmp_path / "centres").predict(X), model.predict(X))


@pytest.mark.parametrize("variance", [0.0, -1.0, np.inf, np.nan])
def test_no_variance(variance: float) -> None:
    with pytest.raises(BadInput, match=r"^KnownVariance: variance must be finite and above 0, got "):
        KnownVariance(variance)


@pytest.mark.parametrize("kind", ["full", "tied"])
def test_round_components_only(kind: str) -> None:
    with pytest.raises(BadInput, match=r"^GaussianMixture: prior must be None, a number of virtual rows"):
        k_means(kind=kind).fit(X)
