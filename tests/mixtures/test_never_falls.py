"""The penalised log-likelihood never falls, from 1,000 random starts and for every family whose prior is known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from suffice.core.block import Coded
from suffice.core.learner import iterate
from suffice.families.counts.binomial import Binomial
from suffice.families.counts.categorical import Bernoulli, Categorical
from suffice.families.counts.geometric import Geometric
from suffice.families.counts.poisson import Poisson
from suffice.families.counts.pseudo_counts import Beta, Dirichlet
from suffice.families.counts.rate_priors import Gamma
from suffice.families.family import Reading
from suffice.families.normals.covariance_priors import NormalInverseWishart
from suffice.families.normals.full_normal import FullNormal
from suffice.families.normals.normal import DiagonalNormal
from suffice.families.normals.spherical_normal import SphericalNormal
from suffice.families.normals.tied_normal import TiedNormal
from suffice.families.normals.variance_priors import NormalInverseGamma
from suffice.families.product import Factors, Group, Product
from suffice.mixtures.assignment import Hard, Soft
from suffice.mixtures.covariance_types import TYPES
from suffice.mixtures.learner import Mixture, MixtureModel
from suffice.sources.engines.memory import MemorySource
from suffice.sources.tables.table import open_table
from tests.mixtures.blobs import begin, begin_from, learner, random_shares, source

PRIORS: dict[Any, Any] = {
    FullNormal: [NormalInverseWishart(1.0), NormalInverseWishart(0.3, 2.0)],
    TiedNormal: [NormalInverseWishart(1.0), NormalInverseWishart(0.3, 2.0)],
    DiagonalNormal: [NormalInverseGamma(1.0), NormalInverseGamma(0.3, 2.0)],
    SphericalNormal: [NormalInverseGamma(1.0), NormalInverseGamma(0.3, 2.0)],
}
KINDS = dict(zip(PRIORS, (TYPES[name] for name in ("full", "tied", "diag", "spherical")), strict=True))


def nasty(seed: int, d: int = 2) -> Any:
    """Few rows, two of them equal, a scale of 1e6 and an offset of 1e8 in the second column."""
    rng = np.random.default_rng(seed)
    X = rng.standard_cauchy(size=(12, d)) if seed % 3 else rng.normal(size=(12, d))
    X[1] = X[0]
    X[:, 1] = X[:, 1] * 1e6 + 1e8
    return X


def climbed(mixture: Mixture, X: Any, seed: int, K: int = 3, passes: int = 4) -> tuple[float, ...]:
    """The learner raises at a fall beyond rounding; that it looked is seen from the trace."""
    share = np.eye(K)[np.random.default_rng(seed).integers(0, K, len(X))] * 0.9 + 0.1 * random_shares(len(X), K, seed)
    run = iterate(mixture, source(X), begin(mixture, X, share), max_iter=passes, tol=0.0)
    return run.model.trace


@pytest.mark.parametrize("family", PRIORS, ids=lambda family: family.__name__)
def test_a_thousand_starts(family: Any) -> None:
    """P.M078, P.M080: 250 starts for each of four families, soft and hard, with and without a pull of the mean."""
    for seed in range(250):
        assign, prior = (Soft(), Hard())[seed % 5 == 0], PRIORS[family][seed % 2]
        trace = np.array(climbed(learner(family(prior), assign, alpha=float(seed % 4 == 3)), nasty(seed), seed))
        assert (np.diff(trace) >= -1e-9 * (1.0 + np.abs(trace[:-1]))).all()


@pytest.mark.parametrize("family", PRIORS, ids=lambda family: family.__name__)
def test_with_missing_cells(family: Any) -> None:
    """Hidden cells are hidden values: the likelihood of what was observed climbs too."""
    for seed in range(12):
        X = nasty(seed, 3)
        X[np.random.default_rng(seed).random(X.shape) < 0.2] = np.nan
        prior = PRIORS[family][0]
        if hasattr(prior, "pinned"):
            prior = prior.pinned(np.nanmean(X, axis=0), np.nanvar(X, axis=0))
        mixture, start = learner(family(prior)), begin(learner(DiagonalNormal()), X, random_shares(12, 2, seed))
        likest = KINDS[family].from_columns(start.factors.distributions[0], np.exp(start.log_weights))
        start = MixtureModel(start.log_weights, Factors(mixture.product.groups, (likest,)))
        trace = iterate(mixture, source(X), start, max_iter=12, tol=0.0).model.trace
        assert len(trace) == 12
        assert (np.diff(trace) >= -1e-9 * (1.0 + np.abs(trace[:-1]))).all()


@pytest.mark.parametrize(
    "family",
    [
        Poisson(),
        Poisson(Gamma(3.0, 2.0), Reading.MODE),
        Poisson(Gamma(0.0, 0.0)),
        Binomial(12),
        Binomial(12, Beta(2.0, 3.0), Reading.MODE),
        Geometric(Beta(0.5, 0.5)),
        Geometric(Beta(1.0, 4.0), Reading.MODE),
    ],
    ids=repr,
)
def test_counts(family: Any) -> None:
    """With missing cells, a column that is constant, and priors strong enough to matter."""
    for seed in range(8):
        rng = np.random.default_rng(seed)
        X = np.minimum(1.0 + rng.poisson([0.3, 2.0, 5.0], (30, 3)), 12.0)
        X[:, 0] = 1.0 if seed % 2 else X[:, 0]
        X[rng.random(X.shape) < 0.2] = np.nan
        mixture = learner(family)
        start = begin(mixture, X, random_shares(30, 2, seed))
        trace = iterate(mixture, source(X), start, max_iter=20, tol=0.0).model.trace
        assert len(trace) == 20
        assert np.isfinite(trace).all()
        assert (np.diff(trace) >= -1e-12 * (1.0 + np.abs(trace[:-1]))).all()


@pytest.mark.parametrize(
    "labels", [Categorical(), Categorical(Dirichlet(2.0), reading=Reading.MODE)], ids=["mean", "mode"]
)
def test_mixed_kinds(labels: Any) -> None:
    for seed in range(8):
        rng = np.random.default_rng(seed)
        table = open_table(
            {
                "age": [None if rng.random() < 0.2 else float(v) for v in rng.normal(size=40)],
                "site": [None if rng.random() < 0.2 else str(rng.choice(list("abc"))) for _ in range(40)],
                "smoker": [bool(rng.random() < 0.5) for _ in range(40)],
            }
        )
        schema = table.infer()
        product = Product((Group(0, DiagonalNormal()), Group(1, labels, (0,)), Group(1, Bernoulli(), (1,))))
        mixture, rows = Mixture(product), MemorySource(table, schema, threads=1)
        share = random_shares(40, 3, seed)
        start = begin_from(mixture, rows, share)
        trace = iterate(mixture, rows, start, max_iter=20, tol=0.0).model.trace
        assert len(trace) == 20
        assert (np.diff(trace) >= -1e-12 * (1.0 + np.abs(trace[:-1]))).all()
        assert isinstance(rows.block(slice(0, 1)).parts[1], Coded)
