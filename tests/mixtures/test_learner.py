"""The mixture learner: agreement with scikit-learn, its two routes, and what may not matter: order, cuts, copies."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from sklearn import mixture as peer
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from suffice.core.block import Block
from suffice.core.learner import PassLearner, iterate
from suffice.core.shares import Shares
from suffice.core.summary import Together
from suffice.families.counts.binomial import Binomial
from suffice.families.counts.categorical import Categorical
from suffice.families.counts.poisson import Poisson
from suffice.families.counts.pseudo_counts import Beta
from suffice.families.counts.rate_priors import Gamma
from suffice.families.family import Reading
from suffice.families.normals.covariance_priors import VarianceRidge
from suffice.families.normals.full_normal import FullNormal
from suffice.families.normals.normal import DiagonalNormal
from suffice.families.normals.spherical_normal import SphericalNormal
from suffice.families.normals.tied_normal import TiedNormal
from suffice.families.normals.variance_priors import NormalInverseGamma, Parameters
from suffice.mixtures.assignment import Hard, Soft
from suffice.mixtures.learner import Mixture, MixtureModel
from suffice.mixtures.passes.product_pass import FORMS, sole_normals
from suffice.numerics import loop
from suffice.summaries.moments import Moments
from tests.mixtures.blobs import RIDGE, begin, blobs, learner, random_shares, source

FAMILIES = {"full": FullNormal, "tied": TiedNormal, "diag": DiagonalNormal, "spherical": SphericalNormal}


def learned(mixture: Mixture, X: Any, share: Any, w: Any = None, passes: int = 30, threads: int = 1) -> MixtureModel:
    start = begin(mixture, X, share, w)
    return iterate(mixture, source(X, w, threads), start, max_iter=passes, tol=0.0).model


def theirs(kind: str, X: Any, share: Any, passes: int = 30) -> Any:
    """scikit-learn's mixture from the same shares."""
    model = peer.GaussianMixture(share.shape[1], covariance_type=kind, max_iter=passes, tol=0.0)
    model._initialize_parameters = lambda X, random_state, xp=None: model._initialize(X, share)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X)


@pytest.mark.parametrize("kind", FAMILIES)
def test_scikit_learn_agrees_from_the_same_start(kind: str) -> None:
    X, share = blobs(900, 4, 3), random_shares(900, 3)
    other, mine = theirs(kind, X, share), learned(learner(FAMILIES[kind](RIDGE)), X, share)
    normals = mine.factors.distributions[0]
    assert normals.mean.value == pytest.approx(other.means_, abs=1e-10)
    assert np.exp(mine.log_weights) == pytest.approx(other.weights_, abs=1e-11)
    assert mine.trace == pytest.approx(other.lower_bounds_, abs=1e-10)
    assert np.exp(mine.log_posterior(Block((X,)))) == pytest.approx(other.predict_proba(X), abs=1e-9)


def test_it_is_a_pass_learner() -> None:
    mixture: PassLearner[MixtureModel] = learner(FullNormal(RIDGE))
    model = begin(learner(FullNormal(RIDGE)), blobs(60, 2, 2), random_shares(60, 2))
    run = iterate(mixture, source(blobs(60, 2, 2)), model, max_iter=200, tol=1e-9)
    assert run.settled
    assert run.passes == len(run.model.trace)


@pytest.fixture(params=[0, loop.WORTH], ids=["NumPy", "loop"])
def cells(request: pytest.FixtureRequest) -> Iterator[int]:
    """Of the table that rows are said to belong to: below and above the size from which loops are compiled."""
    with loop.whole(request.param):
        yield request.param


@pytest.mark.usefixtures("cells")
@pytest.mark.parametrize("assign", [Soft(), Hard()], ids=["soft", "hard"])
@pytest.mark.parametrize("family", FAMILIES.values())
def test_quick_ways_are_the_general_way(family: Any, assign: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """One pass, by products of all rows, in matrices and in tiles, and by the family's own summary."""
    X, w = blobs(3000, 11, 4), np.random.default_rng(1).integers(0, 4, 3000).astype(float)
    mixture = learner(family(RIDGE), assign)
    model, block = begin(mixture, X, random_shares(3000, 4), w), Block((X,), w=w)
    fast = mixture.summarize(block, model)
    monkeypatch.setattr("suffice.mixtures.learner.sole_normals", lambda factors, parts: None)
    slow = mixture.summarize(block, model)
    assert_same_summaries(fast, slow, 1e-12)


def assert_same_summaries(a: Together, b: Together, rel: float) -> None:
    (tally, kept, seen), (tally_, kept_, seen_) = a.parts, b.parts
    assert np.array_equal(tally.rows, tally_.rows)
    assert tally.weight.value == pytest.approx(tally_.weight.value, rel=rel)
    mine, other = kept.parts[0], kept_.parts[0]
    assert mine.mean.value == pytest.approx(other.mean.value, rel=rel, abs=rel)
    assert np.array_equal(mine.rows, other.rows)
    spreads = [one.covariance if hasattr(one, "covariance") else one.variance for one in (mine, other)]
    assert spreads[0] == pytest.approx(spreads[1], rel=rel, abs=rel)
    assert seen.first.value == pytest.approx(seen_.first.value, rel=rel)
    assert np.array_equal(seen.rows, seen_.rows)


@pytest.mark.parametrize("kind", FAMILIES)
@pytest.mark.parametrize("d", [1, 2, 7])
def test_products_of_columns(d: int, kind: str) -> None:
    """theta . f(t) is the log joint density, for every component and row."""
    X = blobs(500, d, 3)
    model = begin(learner(FAMILIES[kind](RIDGE)), X, random_shares(500, 3))
    normals = sole_normals(model.factors, (X,))
    form = FORMS[type(normals)](normals, model.log_weights)
    assert not len(form.narrow)
    f = form.fill(X, np.empty((form.theta.shape[1], len(X))))
    assert pytest.approx(model.log_joint(Block((X,))), abs=1e-11) == (form.theta @ f).T
    for k in range(3):
        assert form.logs(X, k) == pytest.approx(model.log_joint(Block((X,)))[:, k], abs=1e-11)


@pytest.mark.usefixtures("cells")
@pytest.mark.parametrize("family", [FullNormal, DiagonalNormal])
def test_narrow_and_far_components_keep_their_digits(family: Any) -> None:
    """Components 1e7 of their widths apart: products about one centre alone would have no digit left."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(200, 2)), 1e7 + rng.normal(size=(200, 2)) * [1.0, 1e-3]])
    share = np.repeat(np.eye(2), 200, axis=0)
    mixture = learner(family(VarianceRidge(0.0)))
    model = begin(mixture, X, share)
    normals = sole_normals(model.factors, (X,))
    form = FORMS[type(normals)](normals, model.log_weights)
    assert len(form.narrow) == 2
    tally, kept, seen = mixture.summarize(Block((X,)), model).parts
    assert tally.rows.tolist() == [200, 200]
    for k, rows in enumerate((X[:200], X[200:])):
        centred = rows - rows.mean(axis=0)
        spread = kept.parts[0].covariance if family is FullNormal else kept.parts[0].variance
        exact = centred.T @ centred / 200 if family is FullNormal else np.square(centred).mean(axis=0)
        assert spread[k] == pytest.approx(exact, rel=1e-7)
    assert seen.first.value[0, 0] == pytest.approx(model.log_density(Block((X,))).sum(), rel=1e-12)


@pytest.mark.usefixtures("cells")
@pytest.mark.parametrize("family", [FullNormal, DiagonalNormal])
def test_rows_of_any_size_under_a_model_far_away(family: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiny cells, cells at 1e8 and a model that fits neither: sums about its means would hold nothing of them."""
    rng = np.random.default_rng(0)
    X = np.column_stack([1e-60 * rng.normal(size=300), 1e8 + rng.normal(size=300), np.full(300, 0.1)])
    mixture = learner(family(VarianceRidge(1.0)))
    model = begin(mixture, rng.normal(size=(300, 3)), random_shares(300, 2))
    fast = mixture.summarize(Block((X,)), model)
    monkeypatch.setattr("suffice.mixtures.learner.sole_normals", lambda factors, parts: None)
    slow = mixture.summarize(Block((X,)), model)
    spreads = [
        np.diagonal(s.parts[1].parts[0].covariance, axis1=1, axis2=2)
        if family is FullNormal
        else s.parts[1].parts[0].variance
        for s in (fast, slow)
    ]
    for mine, other in zip(*spreads, strict=True):
        assert mine == pytest.approx(other, rel=1e-8, abs=0.0)


def test_what_the_products_do_not_serve() -> None:
    X = blobs(20, 2, 2)
    model = begin(learner(FullNormal(RIDGE)), X, random_shares(20, 2))
    assert sole_normals(model.factors, (np.where(X > 1.0, np.nan, X),)) is None
    assert sole_normals(model.factors, (X, X)) is None


@pytest.mark.parametrize("kind", FAMILIES)
def test_an_offset_of_1e8_and_other_units_change_nothing(kind: str) -> None:
    X, share = np.round(blobs(300, 3, 3), 3), random_shares(300, 3)
    prior = VarianceRidge(0.0)
    here = learned(learner(FAMILIES[kind](prior)), X, share, passes=20)
    there = learned(learner(FAMILIES[kind](prior)), X + 1e8, share, passes=20)
    lost = 1e8 * 2.0**-53  # of a cell, when it was stored
    gap = np.abs(here.log_posterior(Block((X,))) - there.log_posterior(Block((X + 1e8,))))
    assert np.exp(here.log_posterior(Block((X,)))) == pytest.approx(
        np.exp(there.log_posterior(Block((X + 1e8,)))), abs=1e4 * lost
    ), gap.max()
    if kind == "spherical":
        return  # one variance for all columns is about units
    units = np.array([1e-6, 1.0, 1e6])
    scaled = learned(learner(FAMILIES[kind](prior)), X * units, share, passes=20)
    assert np.exp(scaled.log_posterior(Block((X * units,)))) == pytest.approx(
        np.exp(here.log_posterior(Block((X,)))), abs=1e-9
    )


@pytest.mark.parametrize("family", [FullNormal, DiagonalNormal])
def test_cuts_order_threads_and_copies_do_not_matter(family: Any) -> None:
    X, share = blobs(600, 3, 3), random_shares(600, 3)
    w = np.random.default_rng(2).integers(0, 4, 600).astype(float)
    mixture = learner(family(RIDGE))
    whole = learned(mixture, X, share, w)
    times = w.astype(int)
    copied = learned(mixture, np.repeat(X, times, axis=0), np.repeat(share, times, axis=0))
    order = np.random.default_rng(3).permutation(600)
    shuffled = learned(mixture, X[order], share[order], w[order])
    model = begin(mixture, X, share, w)
    cuts = [slice(0, 0), slice(0, 7), slice(7, 450), slice(450, 600)]
    parts = [mixture.summarize(Block((X[cut],), w=w[cut], start=cut.start), model) for cut in reversed(cuts)]
    once = mixture.estimate(Together.sum(parts), model)
    assert once.factors.distributions[0].mean.value == pytest.approx(
        mixture.estimate(mixture.summarize(Block((X,), w=w), model), model).factors.distributions[0].mean.value,
        abs=1e-12,
    )
    for other in (copied, shuffled):
        gap = np.exp(whole.log_posterior(Block((X,)))) - np.exp(other.log_posterior(Block((X,))))
        assert np.abs(gap).max() < 1e-10


def test_threads_give_the_same_model() -> None:
    X, share = blobs(24_000, 2, 2), random_shares(24_000, 2)
    mixture = learner(FullNormal(RIDGE))
    one, two = (learned(mixture, X, share, passes=3, threads=t) for t in (1, 2))
    assert one.factors.distributions[0].mean.value == pytest.approx(two.factors.distributions[0].mean.value, abs=1e-12)


class Unit:
    """Variance 1, whatever the rows."""

    def parameters(self, moments: Any) -> Any:
        return Parameters(moments.mean, np.ones_like(moments.variance))


def test_equal_round_components_and_hard_assignment_are_k_means() -> None:
    """P.M081: k-means is the hard limit with round components of one width and equal shares, pass by pass."""
    X = np.random.default_rng(81).exponential(size=(400, 2))  # no heaps: k-means has to walk, and its shares differ
    centres = X[:4]
    near = np.square(X[:, None] - centres).sum(axis=2).argmin(axis=1)
    mixture = learner(DiagonalNormal(Unit()), Hard(), alpha=np.inf)
    for passes in (2, 5, 100):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            means = KMeans(4, init=centres, n_init=1, max_iter=passes, tol=0.0, algorithm="lloyd").fit(X)
        found = iterate(mixture, source(X), begin(mixture, X, np.eye(4)[near]), max_iter=passes - 1, tol=0.0)
        assert found.model.factors.distributions[0].mean.value == pytest.approx(means.cluster_centers_, abs=1e-12)
        assert np.array_equal(found.model.likeliest(Block((X,))), means.labels_)
    assert 10 < means.n_iter_ < 100
    assert np.ptp(np.bincount(means.labels_)) > 20


def test_any_family_can_be_mixed() -> None:
    """Poisson counts: parameters of a mixture of two, found by the same learner."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.poisson(2.0, 3000), rng.poisson(15.0, 1000)]).astype(float)[:, None]
    near = (X[:, 0] > 7).astype(int)
    mixture = learner(Poisson())
    model = iterate(mixture, source(X), begin(mixture, X, np.eye(2)[near]), max_iter=200, tol=1e-10).model
    assert model.factors.distributions[0].rate.ravel() == pytest.approx([2.0, 15.0], rel=0.05)
    assert np.exp(model.log_weights) == pytest.approx([0.75, 0.25], abs=0.02)


def test_a_wrong_step_is_told() -> None:
    """A family whose estimate does not maximise what it claims to: the fall is raised."""

    class Wrong(DiagonalNormal):
        """Means twice as far out as they are."""

        def estimate(self, summary: Any) -> Any:
            from dataclasses import replace

            from suffice.core.double_double import exact

            right = super().estimate(summary)
            return replace(right, mean=exact(2.0 * right.mean.value))

    X = blobs(200, 2, 2)
    mixture = learner(Wrong(NormalInverseGamma()))
    with pytest.raises(
        ValueError, match="penalised log-likelihood must be at least that of the step before, got a fall"
    ):
        iterate(mixture, source(X), begin(mixture, X, random_shares(200, 2)), max_iter=20, tol=0.0)


def test_shares_have_a_prior_of_their_own() -> None:
    X = blobs(30, 1, 2)
    share = np.tile([1.0, 0.0], (30, 1))
    assert np.exp(begin(learner(DiagonalNormal(), alpha=5.0), X, share).log_weights) == pytest.approx([35 / 40, 5 / 40])
    assert np.exp(begin(learner(DiagonalNormal(), alpha=np.inf), X, share).log_weights).tolist() == [0.5, 0.5]


def test_a_family_of_unknown_prior_is_not_watched() -> None:
    from suffice.mixtures.penalties import penalty

    counts = Moments.of(np.array([[1.0], [4.0]]), Shares.hard(np.array([0, 0]), 1))
    assert penalty(Poisson(Gamma(1.0, 1.0), Reading.PREDICTIVE), None, counts) is None
    assert penalty(Poisson(Gamma(0.5, 1.0), Reading.MODE), None, counts) is None
    assert penalty(Binomial(3, Beta(0.5, 2.0), Reading.MODE), None, None) is None  # the likeliest chance may be none
    assert penalty(DiagonalNormal(NormalInverseGamma(reading=Reading.MODE)), None, None) is None
    assert penalty(DiagonalNormal(RIDGE), None, None) is None
    assert penalty(DiagonalNormal(VarianceRidge(0.0)), None, None) == 0.0
    assert penalty(FullNormal(RIDGE), None, None) is None
    assert Categorical().reading is Reading.MEAN
