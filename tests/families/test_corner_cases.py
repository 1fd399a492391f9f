"""Corners of densities that ordinary tables do not reach."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import random_array

from suffice import GaussianNB, MultinomialNB
from suffice.core.double_double import Pair
from suffice.core.errors import NegativeCounts
from suffice.families.normals.covariance_priors import NormalInverseWishart
from suffice.families.normals.discriminant_readings import WithinAll, WithinEach
from suffice.families.normals.student import Students


def test_a_pinned_prior_is_that_of_the_table() -> None:
    mean, variance = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    prior = NormalInverseWishart(strength=2.0)
    for reading in (WithinAll(prior), WithinEach(prior)):
        assert reading.pinned(mean, variance).virtual == prior.pinned(mean, variance)


def test_draws_of_a_student_are_its_mean_and_scaled_deviates() -> None:
    mean, variance, freedom = np.array([[5.0, -3.0]]), np.array([[4.0, 9.0]]), np.array([[np.inf, np.inf]])
    law = Students(Pair(mean, np.zeros_like(mean)), variance, freedom, np.ones(1))
    found = law.sample(np.zeros(6, dtype=int), np.random.default_rng(3))
    z = np.random.default_rng(3).standard_normal((6, 2))
    np.testing.assert_allclose(found, mean + z * np.sqrt(variance), rtol=1e-14)


def test_many_rows_have_the_densities_of_few() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 12)) + np.array([1e8, *[0.0] * 11])
    model = GaussianNB().fit(X, np.arange(3000) % 3)
    pieces = [model.predict_joint_log_proba(X[start : start + 5]) for start in range(0, 3000, 5)]
    np.testing.assert_allclose(model.predict_joint_log_proba(X), np.concatenate(pieces), rtol=1e-12)


def test_one_count_below_0_among_a_million_is_refused() -> None:
    """By the loops of suffice.summaries.cell_counts."""
    rng = np.random.default_rng(0)
    counts = random_array((20_000, 100), density=0.6, rng=rng, format="csr")
    counts.data = rng.integers(1, 4, counts.nnz).astype(np.float64)
    counts.data[700_001] = -2.0
    with pytest.raises(NegativeCounts):
        MultinomialNB().fit(counts, np.arange(20_000) % 2)
