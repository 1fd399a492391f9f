"""Bootstrap replicas: what is drawn, how often, and that counts as weights are the rows copied."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import e, inf
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB as PeerNB

from suffice import BernoulliNB, CategoricalNB, GaussianNB, LinearDiscriminantAnalysis, MultinomialNB, NaiveBayes, Ridge
from suffice.evaluation import Bootstrap, bootstrap_rows, cross_validate, distinct_share
from suffice.evaluation.resampling.replicas import fit_replica, read_replicas, read_table

rng = np.random.default_rng(5)


def test_every_replica_of_three_rows_comes_as_often_as_it_should() -> None:
    """The 27 equally likely sequences of draws, by their counts."""
    expected = Counter(tuple(np.bincount(draws, minlength=3)) for draws in product(range(3), repeat=3))
    found = Counter(tuple(counts.tolist()) for counts in Bootstrap(20_000, random_state=1).counts(3))
    assert set(found) == set(expected)
    for counts, ways in expected.items():
        p = ways / 27
        assert abs(found[counts] / 20_000 - p) < 4.5 * np.sqrt(p * (1 - p) / 20_000)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_the_distinct_share_by_enumeration(n: int) -> None:
    """P.W105, C.R15: the expected share of distinct rows over all n^n sequences of draws."""
    sequences = list(product(range(n), repeat=n))
    exact = sum(Fraction(len(set(draws)), n) for draws in sequences) / len(sequences)
    assert distinct_share(n) == pytest.approx(float(exact), rel=1e-15)


def test_the_distinct_share_of_large_tables() -> None:
    assert distinct_share(10**15) == pytest.approx(1 - 1 / e, rel=1e-14)  # 1 - (1 - 1/n)^n taken literally keeps none
    assert distinct_share(inf) == pytest.approx(1 - 1 / e, rel=1e-15)


def test_counts_and_splits_are_the_same_replicas() -> None:
    replicas = Bootstrap(5, random_state=3)
    for counts, (rows, left_out) in zip(replicas.counts(20), replicas.split(np.zeros((20, 2))), strict=True):
        assert counts.sum() == len(rows) == 20
        np.testing.assert_array_equal(np.bincount(rows, minlength=20), counts)
        np.testing.assert_array_equal(left_out, np.setdiff1d(np.arange(20), rows))
    np.testing.assert_array_equal(bootstrap_rows(20, 3), next(iter(replicas.split(np.zeros(20))))[0])
    assert replicas.get_n_splits() == 5


def test_fewer_replicas_are_the_first_of_more_and_seeds_differ() -> None:
    few, more = (list(Bootstrap(k, random_state=0).counts(30)) for k in (3, 9))
    np.testing.assert_array_equal(few, more[:3])
    assert (few[0] != few[1]).any()
    assert (few[0] != next(Bootstrap(1, random_state=1).counts(30))).any()


def test_a_weight_counts_as_copies() -> None:
    """Mean and variance of the counts are those of a multinomial over the copies; weight 0 is never drawn."""
    w = np.array([0.0, 1.0, 3.0, 0.5, 5.5, 0.0])
    drawn = np.array(list(Bootstrap(4000, random_state=2).counts(6, w)))
    assert (drawn.sum(axis=1) == 10).all()
    assert not drawn[:, [0, 5]].any()
    p = w / 10
    assert (np.abs(drawn.mean(axis=0) - w) <= 4.5 * np.sqrt(10 * p * (1 - p) / 4000)).all()


def test_heavy_rows_cost_nothing() -> None:
    (counts,) = Bootstrap(1, random_state=0).counts(3, [1e12, 1e12, 2e12])
    np.testing.assert_allclose(counts / 4e12, [0.25, 0.25, 0.5], atol=1e-5)


def test_groups_are_drawn_as_a_whole() -> None:
    groups = np.array(["a", "b", "b", "c", "c", "c", "d"])
    for counts in Bootstrap(50, random_state=0).counts(7, groups=groups):
        by_group = {g: set(counts[groups == g].tolist()) for g in "abcd"}
        assert all(len(times) == 1 for times in by_group.values())
        assert sum(times.pop() for times in by_group.values()) == 4
    drawn = {tuple(np.unique(groups[rows])) for rows, _ in Bootstrap(50, 0).split(np.zeros(7), groups=groups)}
    assert len(drawn) > 5


X = rng.normal(size=(80, 3)) + 1e8
Y = np.array(["x", "y", "z"])[rng.integers(0, 3, 80)]
CASES: dict[str, tuple[Any, Any, Any]] = {
    "gaussian": (GaussianNB(), X, Y),
    "multinomial": (MultinomialNB(), rng.integers(0, 4, (80, 3)), Y),
    "bernoulli": (BernoulliNB(), rng.integers(0, 2, (80, 3)), Y),
    "categorical": (CategoricalNB(min_categories=4), rng.integers(0, 4, (80, 3)), Y),
    "mixed": (NaiveBayes(), {"x": X[:, 0], "s": rng.integers(0, 60, 80).astype(str).tolist()}, Y),
    "discriminant": (LinearDiscriminantAnalysis(), X - 1e8, Y),
    "ridge": (Ridge(), X - 1e8, rng.normal(size=80)),
}


@pytest.mark.parametrize(("estimator", "rows", "y"), CASES.values(), ids=CASES)
def test_counts_as_weights_are_copies_of_rows(estimator: Any, rows: Any, y: Any) -> None:
    table = read_table("test", rows, y, None, estimator)
    method = "predict_proba" if hasattr(estimator, "predict_proba") else "predict"
    for replica in read_replicas("test", 4, table, None, estimator):
        by_weights = fit_replica(estimator, table, replica)
        copied = fit_replica(estimator, table, replica._replace(drawn=False))
        found, expected = (getattr(model, method)(rows) for model in (by_weights, copied))
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-10)


def test_a_class_that_no_copy_has_is_not_there() -> None:
    y = np.array(["a"] * 9 + ["rare"])
    table = read_table("test", X[:10], y, None, GaussianNB())
    lacking = [r for r in read_replicas("test", 40, table, None, GaussianNB()) if 9 in r.left_out]
    assert 5 < len(lacking) < 30
    assert fit_replica(GaussianNB(), table, lacking[0]).classes_.tolist() == ["a"]


def test_one_splitter_for_both_libraries() -> None:
    rows = X[:60] - 1e8
    ours = cross_validate(GaussianNB(), rows, Y[:60], cv=Bootstrap(5, 0)).values("accuracy")
    theirs = cross_val_score(PeerNB(var_smoothing=0), rows, Y[:60], cv=Bootstrap(5, 0))
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)
    assert len(cross_val_score(LogisticRegression(), rows, Y[:60], cv=Bootstrap(3))) == 3
