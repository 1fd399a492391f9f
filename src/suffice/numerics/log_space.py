"""Sums and posteriors of numbers that are kept as logarithms."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Any

import numpy as np

from suffice.numerics.arrays import Array

CLEAR = 1e-9  # a log joint that is larger by this much is a posterior that is larger
FEW = 64  # rows that are looked at all at once


def log_sum_exp(b: Any, axis: int | tuple[int, ...] | None = -1) -> Any:
    """The logarithm of a sum of exponentials, along any axis, without overflow or underflow.

        log sum e^b = B + log sum e^(b - B),  B = max b

    Where the maximum is not finite it is the answer: -inf for nothing but -inf (or nothing at all), +inf for any +inf.

    >>> round(float(log_sum_exp([-1200.0, -1201.0])), 6)
    -1199.686738
    >>> float(log_sum_exp([-np.inf, -np.inf]))
    -inf
    """
    b = np.asarray(b, dtype=np.float64)
    top = b.max(axis=axis, keepdims=True, initial=-np.inf)
    with np.errstate(all="ignore"):  # inf - inf where the maximum is not finite: not used
        total = top + np.log(np.exp(b - top).sum(axis=axis, keepdims=True))
    return np.where(np.isfinite(top), total, top).squeeze(axis)[()]


def normalize(log_joint: Any, log_prior: Any = None) -> Array:
    """The log posterior of each row, from its log joint density with each class (the last axis).

        log p(c | x) = b_c - log sum e^b,  b_c = log p(x, c)

    A row that is impossible under every class (all -inf) says nothing about the class: it gets the class prior, uniform
    where `log_prior` is None. Classes of infinite density share the row equally. A nan makes its row nan.

    >>> np.exp(normalize([[-1200.0, -1200.0], [-np.inf, -np.inf]], np.log([0.25, 0.75])))
    array([[0.5 , 0.5 ],
           [0.25, 0.75]])
    """
    b = np.asarray(log_joint, dtype=np.float64)
    top = b.max(axis=-1, keepdims=True, initial=-np.inf)
    with np.errstate(all="ignore"):
        below = b - top  # subtracting the maximum first keeps the digits that b - log_sum_exp(b) would lose
        log_posterior: Array = below - np.log(np.exp(below).sum(axis=-1, keepdims=True))
    odd = ~np.isfinite(top[..., 0])
    if b.shape[-1] and odd.any():  # of no classes there is nothing to share
        log_posterior[odd] = _limit(b[odd], top[odd], log_prior)
    return log_posterior


def _limit(b: Array, top: Array, log_prior: Any) -> Array:
    """Rows whose maximum is not finite: the prior where it is -inf, equal shares of the infinite where it is +inf."""
    blank = normalize(np.zeros(b.shape[-1]) if log_prior is None else log_prior)
    dense = np.isposinf(b)
    shares = np.where(dense, -np.log(np.maximum(dense.sum(axis=-1, keepdims=True), 1)), -np.inf)
    return np.where(np.isnan(top), np.nan, np.where(np.isneginf(top), blank, shares))


def best(scores: Array) -> Array:
    """The first of the largest scores of each row (n,); class by class, which is fast where classes are few.

    >>> best(np.array([[1.0, 2.0, 2.0], [3.0, 1.0, 2.0]]))
    array([1, 0])
    """
    n, K = scores.shape
    if K > 127 or n < FEW:  # more than the small numbers below can hold, or not worth it
        place = scores.argmax(axis=1)
        if K > 127 or not np.isnan(scores[np.arange(n), place]).any():  # it would be taken for the largest
            return np.asarray(place)
    place, top = np.zeros(n, dtype=np.int8), scores[:, 0].copy()
    for k in range(1, K):
        better = scores[:, k] > top
        # a later class that is better has a higher number, so that the largest number is the best class
        np.maximum(place, better.view(np.int8) * np.int8(k), out=place)
        np.maximum(top, scores[:, k], out=top)
    return place.astype(np.intp)


def likeliest(log_joint: Array, posterior: Callable[[Array], Array]) -> Array:
    """The number of the class whose posterior is largest (n,), the first of equals.

    Only rows in which two classes are close, or none is possible, need their posterior for that.

    >>> likeliest(np.array([[0.0, 1.0], [2.0, 2.0]]), lambda rows: np.exp(normalize(rows)))
    array([1, 0])
    """
    if len(log_joint) == 1 and (only := _clear(log_joint.tolist()[0])) >= 0:
        return np.array([only])
    top = np.maximum.reduce(log_joint, axis=1)
    near = log_joint >= (top - CLEAR)[:, None]
    if np.count_nonzero(near) == len(top) and np.isfinite(top).all():  # in each row only the best itself is near
        K = near.shape[1]
        if K <= 127 and len(top) >= FEW and near.T.flags.c_contiguous:  # small numbers, class by class
            numbered = near.view(np.int8) * np.arange(K, dtype=np.int8)
            return np.asarray(np.add.reduce(numbered, axis=1, dtype=np.int8).astype(np.intp))
        place = np.empty(len(top), dtype=np.intp)
        classes, rows = near.T.nonzero()
        place[rows] = classes
        return place
    place = best(log_joint)
    clear = _lead(log_joint) > CLEAR
    if not clear.all():
        place[~clear] = posterior(log_joint[~clear]).argmax(axis=1)
    return place


def _clear(row: list[float]) -> int:
    """The place of the largest number, if it is finite and no other is near it; else -1. NaN is near all."""
    top = max(row)
    bound = top - CLEAR
    near = [place for place, score in enumerate(row) if not score < bound]
    return near[0] if len(near) == 1 and isfinite(top) else -1


def _lead(scores: Array) -> Array:
    """By how much the largest score of each row exceeds the next (n,); NaN where both are infinite."""
    top, second = scores[:, 0].copy(), np.full(len(scores), -np.inf)
    for k in range(1, scores.shape[1]):  # class by class, which is fast where classes are few
        np.maximum(second, np.minimum(scores[:, k], top), out=second)
        np.maximum(top, scores[:, k], out=top)
    with np.errstate(invalid="ignore"):
        return np.asarray(top - second)
