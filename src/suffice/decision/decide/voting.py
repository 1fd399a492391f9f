"""Majority votes: who wins, where the vote is tied, and how often a majority of independent voters is right."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.decision.decide.read_wishes import as_real, checked_answers, checked_weights, label_tuple


class Votes(NamedTuple):
    """The outcome of a vote about each row."""

    counts: Array  # (n, K) votes for each class
    winner: Array  # (n,) number of the class with most votes, the first of equals
    tied: Array  # (n,) whether another class has as many


def vote(answers: Any, classes: Any, weights: Any = None) -> Votes:
    """Count the answers of several classifiers about the same rows: most votes win, the first class of equals.

    Parameters
    ----------
    answers: for each classifier its labels of the n rows.
    classes: the K labels in order.
    weights: one weight of at least 0 for each classifier; None counts them alike.

    >>> votes = vote([["a", "b"], ["b", "b"]], ["a", "b"])
    >>> votes.winner, votes.tied
    (array([0, 1]), array([ True, False]))
    """
    ballots = [np.asarray(ballot) for ballot in answers]
    if not ballots:
        raise bad("vote", "answers", "those of at least one classifier", ballots)
    n, labels = ballots[0].size, label_tuple(classes)
    w = checked_weights("vote", "weights", weights, len(ballots), "classifiers")
    counts, rows = np.zeros((n, len(labels))), np.arange(n)
    for share, ballot in zip(w, ballots, strict=True):
        counts[rows, checked_answers("vote", "answers", ballot, labels, len(labels), n)] += share
    return count_votes(counts)


def count_votes(counts: Array) -> Votes:
    """The outcome, from the votes for each class (n, K)."""
    winner: Array = counts.argmax(axis=1)
    tied = (counts == counts.max(axis=1, keepdims=True)).sum(axis=1) > 1
    return Votes(counts, winner, tied)


def majority_right(voters: int, p: float) -> float:
    """The probability that more than half of independent voters are right, each with probability p; ties are wrong.

        sum over k > T/2 of C(T, k) p^k (1 - p)^(T - k)

    >>> round(majority_right(3, 0.6), 3)
    0.648
    """
    from scipy.special import bdtrc

    if isinstance(voters, bool) or not isinstance(voters, int | np.integer) or voters < 1:
        raise bad("majority_right", "voters", "a whole number of at least 1", voters)
    chance = as_real("majority_right", "p", "a probability from 0 to 1", p)
    if not 0.0 <= chance <= 1.0:
        raise bad("majority_right", "p", "a probability from 0 to 1", p)
    return float(bdtrc(voters // 2, voters, chance))
