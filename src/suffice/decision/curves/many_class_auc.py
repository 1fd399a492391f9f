"""AUC of many classes, from rankings with a column of scores for each class.

    A[i, j] = P(score_i of a row of class i > score_i of a row of class j) + 1/2 P(they are equal)

One against one (Hand and Till): the average of (A[i, j] + A[j, i]) / 2 over the pairs of classes, which no class prior
changes. One against the rest: the average of the AUC of score_i for class i against all others.
Reference: D. Hand and R. Till, A simple generalisation of the area under the ROC curve (2001).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad, shown
from suffice.decision.curves.auc import area
from suffice.decision.curves.coverage_curve import CoverageCurve
from suffice.summaries.rankings import Rankings

T = TypeVar("T")


def pairwise_auc(rankings: Rankings) -> Array:
    """A[i, j] (K, K), 1/2 on the diagonal: how well score i tells class i from class j.

    Parameters
    ----------
    rankings : of K classes and K columns, as `rank_scores` keeps them

    >>> from suffice.decision.curves.ranked_scores import rank_scores
    >>> pairwise_auc(rank_scores([[0.8, 0.1, 0.1], [0.3, 0.3, 0.4], [0.3, 0.2, 0.5]], [0, 1, 2]))
    array([[0.5, 1. , 1. ],
           [1. , 0.5, 1. ],
           [1. , 1. , 0.5]])
    """
    total = _class_weights(rankings)
    table = np.empty((len(total), len(total)))
    for i, cells in enumerate(rankings.slices):
        weight = rankings.weight[:, cells]
        below = np.cumsum(weight, axis=1) - 0.5 * weight
        table[i] = below @ weight[i] / total[i] / total
    np.fill_diagonal(table, 0.5)
    return table


def class_auc(rankings: Rankings) -> Array:
    """The AUC of each score for its class against the rest (K,).

    Parameters
    ----------
    rankings : of K classes and K columns, as `rank_scores` keeps them
    """
    K = len(_class_weights(rankings))
    return np.array([area(CoverageCurve.from_rankings(rankings, k, k)) for k in range(K)])


def hand_till_auc(rankings: Rankings, average: str = "macro") -> float:
    """One against one.

    Parameters
    ----------
    rankings : of K classes and K columns, as `rank_scores` keeps them
    average : "macro", every pair alike; or "weighted", by the weight of the rows of the pair
    """
    read = _looked_up("hand_till_auc", average, PAIR_WEIGHTS)
    table, total = pairwise_auc(rankings), _class_weights(rankings)
    i, j = np.triu_indices(len(total), 1)
    return float(np.average(0.5 * (table[i, j] + table[j, i]), weights=read(total[i] + total[j])))


def one_vs_rest_auc(rankings: Rankings, average: str = "macro") -> float:
    """One against the rest.

    Parameters
    ----------
    rankings : of K classes and K columns, as `rank_scores` keeps them
    average : "macro", every class alike; "weighted", by the weight of its rows; or "micro", all scores in one ranking
    """
    return _looked_up("one_vs_rest_auc", average, REST_AVERAGES)(rankings)


def _macro(rankings: Rankings) -> float:
    return float(class_auc(rankings).mean())


def _weighted(rankings: Rankings) -> float:
    return float(np.average(class_auc(rankings), weights=_class_weights(rankings)))


def _micro(rankings: Rankings) -> float:
    K = len(_class_weights(rankings))
    return area(CoverageCurve.from_rankings(Rankings.sum([_against_rest(rankings, k) for k in range(K)])))


def _against_rest(rankings: Rankings, k: int) -> Rankings:
    """Column k with two components: all other classes, and class k."""
    column = rankings.columns([k])
    sides = (column.rows, column.weight, column.missing_rows, column.missing_weight)
    return Rankings(column.values, *(np.stack([np.delete(s, k, axis=0).sum(axis=0), s[k]]) for s in sides))


PAIR_WEIGHTS: dict[str, Callable[[Array], Array]] = {"macro": np.ones_like, "weighted": np.asarray}
REST_AVERAGES: dict[str, Callable[[Rankings], float]] = {"macro": _macro, "weighted": _weighted, "micro": _micro}


def _looked_up(owner: str, average: str, table: dict[str, T]) -> T:
    if average not in table:
        raise bad(owner, "average", f"one of {shown(tuple(table))}", average)
    return table[average]


def _class_weights(rankings: Rankings) -> Array:
    """The weight of each class (K,), all above 0, where there is a column for each."""
    K, d = rankings.missing_rows.shape
    if d != K or K < 2:
        rule = "of as many columns of scores as classes, at least 2"
        raise bad("AUC", "rankings", rule, Said(f"{d} columns and {K} classes"), "For one column, use RocCurve.")
    total = rankings.weight[:, rankings.slices[0]].sum(axis=1)
    if not (total > 0.0).all():
        k = int((total > 0.0).argmin())
        raise bad("AUC", "rows", "of every class", Said(f"none of class number {k}"), "Leave its column out.")
    return np.asarray(total)
