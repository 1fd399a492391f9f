"""Scores with the classes of their rows, read once and kept as summaries that add: rankings and moments.

One column of scores is about two classes: the higher, the more the second. K columns are about K classes, one each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.shares import Shares
from suffice.summaries.moments import Moments
from suffice.summaries.rankings import Rankings


class Scored(NamedTuple):
    """Scores and classes of some rows."""

    scores: Array  # (n, d), d = 1 for two classes
    codes: Array  # (n,) int32
    weights: Array | None  # (n,)
    K: int

    @property
    def shares(self) -> Shares:
        """The classes as shares."""
        return Shares.hard(self.codes, self.K, self.weights)


class Against(NamedTuple):
    """One class against the rest, at each distinct score."""

    values: Array  # (V,) rising
    positive: Array  # (V,) weight of the class
    weight: Array  # (V,) weight of all, above 0


def rank_scores(scores: Any, labels: Any, weights: Any = None, classes: Any = None) -> Rankings:
    """What maps by order keep of scores: the distinct ones, with the weight of each class. Rankings of shards add.

    Parameters
    ----------
    scores : (n,) for two classes, the higher the more the second; (n, K) for K, a column each
    labels : the class of each row: its number from 0 (False and True for two), or its name where `classes` are given
    weights : one a row, at least 0; None counts each row once
    classes : the names of the classes in order

    >>> first, second = rank_scores([0.1, 0.9], [False, True]), rank_scores([0.9, 0.5], [False, True])
    >>> (first + second).weight.tolist()
    [[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]
    """
    return ranked("rank_scores", read_scored("rank_scores", scores, labels, weights, classes))


def score_moments(scores: Any, labels: Any, weights: Any = None, classes: Any = None) -> Moments:
    """What the class-mean map keeps of scores: weight, mean and scatter of each class. Moments of shards add.

    Parameters
    ----------
    scores, labels, weights, classes : as for `rank_scores`

    >>> score_moments([1.0, 2.0, 6.0], [0, 1, 1]).mean.value.ravel()
    array([1., 4.])
    """
    return measured("score_moments", read_scored("score_moments", scores, labels, weights, classes))


def ranked(owner: str, scored: Scored) -> Rankings:
    """The rankings of scores, none of them missing."""
    _refuse(owner, scored.scores, np.isnan, "NaN", "Leave the row out.")
    if scored.weights is not None:
        return Rankings.of(scored.scores, scored.shares)
    d = scored.scores.shape[1]
    columns = [_by_class(column, scored.codes, scored.K) for column in scored.scores.T]
    return columns[0] if d == 1 else Rankings.sum([column.among([j], d) for j, column in enumerate(columns)])


def measured(owner: str, scored: Scored) -> Moments:
    """The moments of scores, all of them finite."""
    refuse_infinite(owner, scored.scores)
    return Moments.of(scored.scores, scored.shares)


def refuse_infinite(owner: str, scores: Array) -> None:
    """Scores that are calculated with must be finite."""
    _refuse(owner, scores, lambda x: ~np.isfinite(x), "NaN or infinity", "Leave the row out, or use a map by order.")


def against(owner: str, rankings: Rankings) -> Iterator[Against]:
    """Each class against the rest; of two classes in one column, the second against the first."""
    _, d = checked_layout(owner, rankings.missing_rows.shape)
    for j in range(d):
        weight = rankings.weight[:, rankings.slices[j]]
        total = weight.sum(axis=0)
        live = total > 0.0
        if not live.any():
            raise bad(owner, "scores", "of at least one row that weighs something", Said("none"))
        keep = slice(None) if live.all() else live
        yield Against(rankings.values[j][keep], weight[1 if d == 1 else j][keep], total[keep])


def checked_layout(owner: str, shape: tuple[int, ...]) -> tuple[int, int]:
    """The number of classes and of columns of scores: two and one, or K and K."""
    K, d = shape
    if not (K == 2 and d == 1) and not K == d >= 2:
        rule = "of two classes and one column, or of as many classes as columns"
        raise bad(owner, "the summary of scores", rule, Said(f"{K} classes and {d} columns"))
    return K, d


def read_scored(owner: str, scores: Any, labels: Any, weights: Any = None, classes: Any = None) -> Scored:
    """Scores, class numbers and weights, of one length."""
    s = read_scores(owner, scores)
    n, K = len(s), max(s.shape[1], 2)
    if n == 0:
        raise bad(owner, "scores", "of at least one row", Said("none"))
    return Scored(s, _codes(owner, labels, n, K, classes), _weights(owner, weights, n), K)


def read_scores(owner: str, scores: Any, width: int | None = None) -> Array:
    """Scores as float64 (n, d); one column may come without its axis."""
    try:
        raw = np.asarray(scores)
        if raw.dtype.kind not in "biufO":
            raise TypeError(raw.dtype)
        s = raw.astype(np.float64, copy=False)
    except (TypeError, ValueError):
        raise bad(owner, "scores", "numbers", scores, "Give a score a row, or one a row and class.") from None
    s = s[:, None] if s.ndim == 1 else s
    if s.ndim != 2 or s.shape[1] == 0:
        raise bad(owner, "scores", "of shape (n,) or (n, K)", Said(f"shape {s.shape}"))
    if width is not None and s.shape[1] != width:
        shape = "(n,)" if width == 1 else f"(n, {width})"
        raise bad(owner, "scores", f"of shape {shape}, as those it was learned from", Said(f"shape {raw.shape}"))
    return s


def _codes(owner: str, labels: Any, n: int, K: int, classes: Any) -> Array:
    """Class numbers (n,), by place in `classes` or as they are."""
    raw = np.asarray(labels)
    if raw.shape != (n,):
        raise bad(owner, "labels", f"one for each of the {n} rows of scores", Said(f"shape {raw.shape}"))
    if classes is not None:
        return _named(owner, raw, K, classes)
    rule = "0 or 1, False or True" if K == 2 else f"the numbers of classes, from 0 to {K - 1}"
    wrong = np.ones(n, dtype=bool) if raw.dtype.kind not in "biuf" else ~np.isin(raw, np.arange(K))
    if wrong.any():
        raise bad(owner, "labels", rule, raw[wrong][0], "Give the names of the classes as `classes`.")
    return raw.astype(np.int32)


def _named(owner: str, labels: Array, K: int, classes: Any) -> Array:
    names = np.asarray(classes, dtype=object).tolist() if np.ndim(classes) == 1 else []
    place = {name: k for k, name in enumerate(names)}
    if len(place) != K or len(names) != K:
        raise bad(owner, "classes", f"{K} different labels, in the order of the scores", classes)
    codes = [place.get(label, -1) for label in labels.tolist()]
    if min(codes) < 0:
        raise bad(owner, "labels", "among the classes", labels.tolist()[codes.index(-1)], "There is no such class.")
    return np.array(codes, dtype=np.int32)


def _weights(owner: str, weights: Any, n: int) -> Array | None:
    if weights is None:
        return None
    try:
        w = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise bad(owner, "weights", "numbers", weights) from None
    if w.shape != (n,):
        raise bad(owner, "weights", f"one for each of the {n} rows of scores", Said(f"shape {w.shape}"))
    if not (np.isfinite(w) & (w >= 0.0)).all():
        raise bad(owner, "weights", "finite and at least 0", float(w[~(np.isfinite(w) & (w >= 0.0))][0]))
    if not w.any():
        raise bad(owner, "weights", "above 0 for some row", Said("only zeros"))
    return w


def _refuse(owner: str, scores: Array, odd: Any, what: str, remedy: str) -> None:
    wrong = odd(scores)
    if wrong.any():
        row = int(wrong.any(axis=1).argmax())
        rule = "numbers" if what == "NaN" else "finite"
        raise bad(owner, "scores", rule, Said(f"{what} in row {row}"), remedy)


def _by_class(x: Array, codes: Array, K: int) -> Rankings:
    """The rankings of one column: each class is sorted by itself, which is faster than sorting values with classes."""
    sides = [_distinct(x[codes == k]) for k in range(K)]
    together = np.concatenate([values for values, _ in sides])
    order = np.argsort(together, kind="stable")  # which finds the sorted runs and merges them
    merged = together[order]
    new = np.concatenate([[True], merged[1:] != merged[:-1]])
    values = merged[new]
    cell = np.cumsum(new) - 1 + np.repeat(np.arange(K) * len(values), [len(side[0]) for side in sides])[order]
    rows = np.zeros((K, len(values)), dtype=np.int64)
    rows.ravel()[cell] = np.concatenate([count for _, count in sides])[order]
    none = np.zeros((K, 1), dtype=np.int64)
    return Rankings((values,), rows, rows.astype(np.float64), none, none.astype(np.float64))


def _distinct(x: Array) -> tuple[Array, Array]:
    """The distinct values in order, and how often each occurs; sorts in place."""
    x += 0.0  # minus zero becomes zero
    x.sort()
    first = np.ones(len(x), dtype=bool)
    np.not_equal(x[1:], x[:-1], out=first[1:])
    if first.all():
        return x, np.ones(len(x), dtype=np.int64)
    at = np.flatnonzero(first)
    return x[at], np.diff(at, append=len(x))
