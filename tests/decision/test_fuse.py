"""Combining classifiers: the product over powers of the prior, the mean, and the vote."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice import GaussianNB
from suffice.core.errors import BadInput
from suffice.decision import Posterior, average, count_votes, fuse, majority_right, uniform, vote


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[list[Fraction]], list[Fraction]]:
    """What 1 to 5 classifiers say of one row of 2 to 6 classes, and the prior they share."""
    K = draw(st.integers(2, 6))

    def shares(least: int) -> list[Fraction]:
        counts = draw(st.lists(st.integers(least, 50), min_size=K, max_size=K).filter(any))
        return [Fraction(c, sum(counts)) for c in counts]

    return [shares(0) for _ in range(draw(st.integers(1, 5)))], shares(1)


@given(case=cases())
def test_product_over_prior_powers(case: tuple[list[list[Fraction]], list[Fraction]]) -> None:
    """P.M193: against exact fractions; opinions that exclude one another leave the prior."""
    opinions, prior = case
    m = len(opinions)
    joint = []
    for c, share in enumerate(prior):
        product = Fraction(1)
        for opinion in opinions:
            product *= opinion[c]
        joint.append(product / share ** (m - 1))
    wanted = [j / sum(joint) for j in joint] if sum(joint) else prior
    fused = fuse([np.array([opinion], dtype=float) for opinion in opinions], np.array(prior, dtype=float))
    np.testing.assert_allclose(fused.proba[0], np.array(wanted, dtype=float), rtol=1e-13, atol=0)
    np.testing.assert_allclose(fused.prior, np.array(prior, dtype=float), rtol=1e-15)


def test_naive_bayes_by_blocks_is_naive_bayes() -> None:
    """P.M193: its features are independent given the class, so that fusing three blocks is the whole model."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 300)
    X = rng.normal(size=(300, 7)) + y[:, None] * rng.normal(size=7) + 1e3
    blocks = [X[:, :2], X[:, 2:5], X[:, 5:]]
    whole = GaussianNB(var_smoothing=0).fit(X, y)
    parts = [GaussianNB(var_smoothing=0).fit(block, y) for block in blocks]
    fused = fuse(part.posterior(block) for part, block in zip(parts, blocks, strict=True))
    np.testing.assert_allclose(fused.proba, whole.predict_proba(X), rtol=1e-9, atol=1e-300)
    np.testing.assert_allclose(fused.prior, whole.class_prior_, rtol=1e-15)


def test_each_opinion_leaves_its_own_prior_behind() -> None:
    """Classifiers trained under different priors, fused under a third: the likelihoods are what counts."""
    rng = np.random.default_rng(1)
    priors = rng.dirichlet(np.ones(3), 4)
    likelihoods = rng.random((3, 5, 3))
    opinions = []
    for likelihood, prior in zip(likelihoods, priors, strict=False):
        joint = likelihood * prior
        opinions.append(Posterior(joint / joint.sum(axis=1, keepdims=True), prior))
    joint = likelihoods.prod(axis=0) * priors[3]
    np.testing.assert_allclose(
        fuse(opinions, priors[3]).proba, joint / joint.sum(axis=1, keepdims=True), rtol=1e-13, atol=0
    )


def test_one_opinion_is_itself_and_the_prior_adds_nothing() -> None:
    proba, prior = np.random.default_rng(2).dirichlet(np.ones(4), 9), np.array([0.1, 0.2, 0.3, 0.4])
    np.testing.assert_allclose(fuse([proba], prior).proba, proba, rtol=1e-14)
    knows_nothing = np.tile(prior, (9, 1))
    np.testing.assert_allclose(fuse([proba, knows_nothing], prior).proba, proba, rtol=1e-13)


def test_a_thousand_opinions_do_not_underflow() -> None:
    """P.M193: in logarithms, where the product of the numbers themselves would be 0."""
    proba = np.full((1, 3), [0.2, 0.3, 0.5])
    fused = fuse([proba] * 1000, uniform(3)).proba
    np.testing.assert_allclose(fused, [[0.0, 0.0, 1.0]], atol=1e-200)


def test_average() -> None:
    """P.M183: the mean, weighed, and by the prior where the opinions have their own."""
    one, two = np.array([[0.9, 0.1]]), np.array([[0.5, 0.5]])
    np.testing.assert_allclose(average([one, two], [0.5, 0.5]).proba, [[0.7, 0.3]], rtol=1e-15)
    np.testing.assert_allclose(average([one, two], [0.5, 0.5], weights=[3, 1]).proba, [[0.8, 0.2]], rtol=1e-15)
    shifted = Posterior(one, uniform(2)).shift([0.2, 0.8])
    mean = average([shifted, Posterior(two, uniform(2))], prior=[0.5, 0.5])
    np.testing.assert_allclose(mean.proba, [[0.7, 0.3]], rtol=1e-15)
    assert mean.prior.tolist() == [0.5, 0.5]
    np.testing.assert_array_equal(average([Posterior(one, uniform(2))]).proba, one)


def test_vote() -> None:
    """P.M182: most votes win; a tie goes to the first class and is said."""
    votes = vote([["b", "c", "a"], ["b", "a", "c"], ["c", "a", "b"]], ["a", "b", "c"])
    assert votes.counts.tolist() == [[0, 2, 1], [2, 0, 1], [1, 1, 1]]
    assert votes.winner.tolist() == [1, 0, 0]
    assert votes.tied.tolist() == [False, False, True]
    weighed = vote([["b", "c"], ["c", "b"]], ["b", "c"], weights=[2, 1])
    assert weighed.winner.tolist() == [0, 1]
    assert not weighed.tied.any()
    assert vote([[]], ["a"]).winner.shape == (0,)
    assert count_votes(np.array([[0.0, 0.0]])).tied.tolist() == [True]


def test_a_majority_is_right_more_often_than_its_members() -> None:
    """C.M12.04: against the sum of binomial terms in exact fractions; even numbers lose their ties."""
    from math import comb

    for voters in (1, 2, 3, 10, 51):
        for p in (Fraction(3, 10), Fraction(1, 2), Fraction(3, 5), Fraction(1)):
            exact = sum(comb(voters, k) * p**k * (1 - p) ** (voters - k) for k in range(voters // 2 + 1, voters + 1))
            assert majority_right(voters, float(p)) == pytest.approx(float(exact), rel=1e-12)
    assert majority_right(10, 0.0) == 0.0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fuse([]), "fuse: opinions must be at least one posterior, got []."),
        (
            lambda: fuse([[[0.5, 0.5]]]),
            "fuse: prior must be the class prior that the opinions assume, got None. Arrays do not say it.",
        ),
        (
            lambda: fuse([[[0.5, 0.5]], [[0.5, 0.5], [0.5, 0.5]]], [0.5, 0.5]),
            "fuse: opinions must be of the same rows and classes, got [(1, 2), (2, 2)].",
        ),
        (
            lambda: fuse([Posterior([[0.5, 0.5]], [0.5, 0.5]), Posterior([[0.5, 0.5]], [0.4, 0.6])]),
            "fuse: opinions must be of one prior, got [[0.5, 0.5], [0.4, 0.6]]. Give prior=, the one the result shall "
            "assume.",
        ),
        (
            lambda: fuse([Posterior([[1.0, 0.0]], [1.0, 0.0])], [0.5, 0.5]),
            "fuse: prior must be 0 for class number 1 (from 0), whose prior is 0 in one of the opinions, got 0.5. "
            "Learn that opinion again with rows of that class.",
        ),
        (
            lambda: fuse([[[np.nan, 0.5]]], [0.5, 0.5]),
            "fuse: opinions must be a table of probabilities, a row for each row and a column for each class, none of "
            "them negative, infinite or NaN, got [[nan, 0.5]].",
        ),
        (
            lambda: average([[[0.5, 0.5]]], [0.5, 0.5], weights=[0]),
            "average: weights must be one number of at least 0 for each of the 1 opinions, all finite and some of them "
            "above 0, got [0].",
        ),
        (lambda: vote([], ["a"]), "vote: answers must be those of at least one classifier, got []."),
        (
            lambda: vote([["a", "b"], ["a"]], ["a", "b"]),
            "vote: answers must be one label for each of the 2 rows, got (1,).",
        ),
        (
            lambda: vote([["a", "z"]], ["a", "b"]),
            "vote: answers must be given for the classes ('a', 'b'), got 'z'. There is no such class.",
        ),
        (lambda: majority_right(0, 0.5), "majority_right: voters must be a whole number of at least 1, got 0."),
        (lambda: majority_right(3, 1.5), "majority_right: p must be a probability from 0 to 1, got 1.5."),
    ],
)
def test_messages(call: Any, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        call()
    assert str(caught.value) == message
