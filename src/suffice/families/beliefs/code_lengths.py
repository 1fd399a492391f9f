"""Information: how surprising an event is, how surprising a distribution on average, and how long codes for it are.

IC(E) = -log P(E),     entropy = sum_i p_i IC(i)
"""

from __future__ import annotations

import heapq
from itertools import count
from typing import Any

import numpy as np
from scipy.special import xlogy

from suffice.core.block import Array
from suffice.core.errors import bad

TOLERANCE = 1e-9  # how far from 1 the sum of probabilities may be


def information(p: Any, base: float = 2.0) -> Array:
    """Information content of events of probability p: bits with base 2, nats with e; infinite where p is 0.

    >>> information([1 / 2, 1 / 8, 0.0])
    array([ 1.,  3., inf])
    """
    p = _probabilities("information", p, None)
    with np.errstate(divide="ignore"):
        return np.asarray(-np.log(p) / _unit("information", base) + 0.0)


def entropy(p: Any, base: float = 2.0, axis: int = -1) -> Array:
    """Mean information content of a distribution, the limit of lossless coding; 0 log 0 is 0.

    >>> float(entropy([0.5, 0.25, 0.25]))
    1.5
    """
    p = _probabilities("entropy", p, axis)
    return np.asarray(-xlogy(p, p).sum(axis=axis) / _unit("entropy", base) + 0.0)


def huffman_lengths(p: Any) -> Array:
    """Lengths in bits of the code words of Huffman's code: no code by symbols is shorter on average.

    Whole or other weights do as well as probabilities; a symbol of weight 0 gets a word too. One symbol needs none.

    >>> huffman_lengths([0.5, 0.25, 0.125, 0.125])
    array([1, 2, 3, 3])
    """
    weights = _weights("huffman_lengths", p)
    lengths, order = np.zeros(len(weights), dtype=np.int64), count()
    heap = [(w, next(order), [i]) for i, w in enumerate(weights.tolist())]
    heapq.heapify(heap)
    while len(heap) > 1:
        (first, _, some), (second, _, others) = heapq.heappop(heap), heapq.heappop(heap)
        lengths[some + others] += 1
        heapq.heappush(heap, (first + second, next(order), some + others))
    return lengths


def shannon_lengths(p: Any) -> Array:
    """Lengths in bits of the code words of Shannon's code: information content, rounded up.

    >>> shannon_lengths([0.5, 0.3, 0.2])
    array([1, 2, 3])
    """
    p = _weights("shannon_lengths", p)
    if not p.all():
        raise bad("shannon_lengths", "p", "above 0 for every symbol", p, "Leave out what never occurs, or smooth.")
    return np.asarray(np.ceil(np.log2(p.sum()) - np.log2(p) - 1e-12).astype(np.int64))


def shannon_fano_lengths(p: Any) -> Array:
    """Lengths of the code words of Fano's code: symbols in order of weight, halved again and again as evenly as can be.

    >>> shannon_fano_lengths([15, 7, 6, 6, 5])
    array([2, 2, 2, 3, 3])
    """
    weights = _weights("shannon_fano_lengths", p)
    lengths, stack = np.zeros(len(weights), dtype=np.int64), [np.argsort(-weights, kind="stable")]
    while stack:
        some = stack.pop()
        if len(some) > 1:
            sums = np.cumsum(weights[some])
            cut = 1 + int(np.abs(2.0 * sums[:-1] - sums[-1]).argmin())
            lengths[some] += 1
            stack += [some[:cut], some[cut:]]
    return lengths


def code_words(lengths: Any) -> list[str]:
    """Words of 0 and 1 of these lengths of which none begins another, shorter ones first.

    >>> code_words([1, 3, 2, 3])
    ['0', '110', '10', '111']
    """
    lengths = np.asarray(lengths)
    if (2.0 ** -lengths.astype(np.float64)).sum() > 1 + TOLERANCE:
        rule = "such that 2^-length sums to at most 1 (Kraft)"
        raise bad("code_words", "lengths", rule, lengths, "No such code can be told apart; make words longer.")
    words, value, before = [""] * len(lengths), 0, 0
    for i in np.argsort(lengths, kind="stable"):
        value <<= int(lengths[i]) - before
        before = int(lengths[i])
        words[i] = f"{value:0{before}b}" if before else ""
        value += 1
    return words


def _probabilities(owner: str, p: Any, axis: int | None) -> Array:
    """Probabilities, summing to 1 along the axis if there is one."""
    values = np.asarray(p, dtype=np.float64)
    if not ((values >= 0) & (values <= 1 + TOLERANCE)).all():
        raise bad(owner, "p", "from 0 to 1", p, "Give probabilities.")
    if axis is not None and not (np.abs(values.sum(axis=axis) - 1.0) <= TOLERANCE).all():
        raise bad(owner, "p", "summing to 1", p, "Divide by the sum.")
    return values


def _weights(owner: str, p: Any) -> Array:
    weights = np.asarray(p, dtype=np.float64)
    if weights.ndim != 1 or not weights.size or not (np.isfinite(weights) & (weights >= 0)).all():
        raise bad(owner, "p", "a list of finite weights of at least 0", p, "Give one weight a symbol.")
    return weights


def _unit(owner: str, base: float) -> float:
    if not (np.isfinite(base) and base > 1):
        raise bad(owner, "base", "finite and above 1", base, "2 measures in bits, e in nats.")
    return float(np.log(base))
