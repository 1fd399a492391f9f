"""Searches that draw: a genetic algorithm, and simulated annealing, over subsets of columns.

References: J. Holland, Adaptation in natural and artificial systems (1975); S. Kirkpatrick, C. Gelatt and M. Vecchi,
Optimization by simulated annealing (1983).
"""

from __future__ import annotations

from math import exp

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.features.selection.subset_scores import Subset, SubsetScore
from suffice.features.selection.subset_search import Scorebook, SubsetFound

PATIENCE = 50  # rounds without a new subset, or steps without a move, after which a search has come to rest


def genetic(
    by: SubsetScore,
    *,
    evaluations: int = 400,
    population: int = 20,
    mutation: float | None = None,
    random_state: int = 0,
) -> SubsetFound:
    """Subsets as strings of bits: the better of two drawn are crossed, bits flip at random, the best survives.

    Parameters
    ----------
    by : how subsets are scored
    evaluations : most subsets that are scored
    population : subsets of a generation
    mutation : probability that a bit flips; None: 1 / columns
    random_state : of all draws
    """
    if evaluations < 1 or population < 2 or (mutation is not None and not 0.0 <= mutation <= 1.0):
        rule = "at least 1 evaluation, 2 subsets, and a mutation between 0 and 1"
        raise bad("genetic", "the options", rule, (evaluations, population, mutation))
    book, rng, d = Scorebook(by), np.random.default_rng(random_state), by.columns
    flip = 1.0 / d if mutation is None else mutation
    bits = rng.random((min(population, evaluations), d)) < 0.5
    scores = np.array([book.score(_subset(one)) for one in bits])
    path, idle = [_top(bits, scores)], 0
    while len(book.known) < evaluations and idle < PATIENCE:
        before = len(book.known)
        parents = [_tournament(scores, rng) for _ in range(2 * len(bits))]
        mixed = np.where(rng.random(bits.shape) < 0.5, bits[parents[::2]], bits[parents[1::2]])
        children = mixed ^ (rng.random(bits.shape) < flip)
        children[0] = bits[int(scores.argmax())]
        room = evaluations - len(book.known)
        fresh = [one for one in children if _subset(one) in book.known or (room := room - 1) >= 0]
        bits = np.array(fresh)
        scores = np.array([book.score(_subset(one)) for one in bits])
        path.append(_top(bits, scores))
        idle = idle + 1 if len(book.known) == before else 0
    return book.found(path, max(path, key=lambda step: step[1])[0])


def annealing(
    by: SubsetScore,
    *,
    evaluations: int = 400,
    start: float | None = None,
    cooling: float = 0.97,
    random_state: int = 0,
) -> SubsetFound:
    """One subset that changes by a column, or swaps two: better ones are taken, worse ones with probability
    exp(-loss / temperature), which falls; begun again from the best where it has come to rest.

    Parameters
    ----------
    by : how subsets are scored
    evaluations : most subsets that are scored
    start : the temperature to begin with; None: the spread of the scores of ten subsets drawn
    cooling : factor of the temperature at each step
    random_state : of all draws
    """
    if evaluations < 1 or not 0.0 < cooling < 1.0 or (start is not None and not start > 0.0):
        rule = "at least 1 evaluation, a cooling between 0 and 1, a start above 0"
        raise bad("annealing", "the options", rule, (evaluations, cooling, start))
    book, rng, d = Scorebook(by), np.random.default_rng(random_state), by.columns
    drawn = [rng.random(d) < 0.5 for _ in range(min(10, evaluations))]
    told = [book.score(_subset(one)) for one in drawn]
    at, now = max(zip(drawn, told, strict=True), key=lambda pair: pair[1])
    finite = [score for score in told if np.isfinite(score)]
    hot = start or float(np.std(finite) if finite else 0.0) or 1e-12
    best, path, heat, idle = (at, now), [(_subset(at), now)], hot, 0
    for _ in range(50 * evaluations):
        move = at.copy()
        move[rng.integers(0, d, rng.integers(1, 3))] ^= True
        subset = _subset(move)
        if subset not in book.known and len(book.known) >= evaluations:
            break
        score = book.score(subset)
        taken = score >= now or rng.random() < exp(max(-700.0, (score - now) / heat))
        idle = 0 if taken and subset != _subset(at) else idle + 1
        if taken:
            at, now = move, score
            path.append((subset, score))
        if now > best[1]:
            best = (at, now)
        heat *= cooling
        if idle >= PATIENCE:
            (at, now), heat, idle = best, hot, 0
    return book.found(path, _subset(best[0]))


def _subset(bits: Array) -> Subset:
    return tuple(np.flatnonzero(bits).tolist())


def _tournament(scores: Array, rng: np.random.Generator) -> int:
    pair = rng.integers(0, len(scores), 2)
    return int(pair[scores[pair].argmax()])


def _top(bits: Array, scores: Array) -> tuple[Subset, float]:
    best = int(scores.argmax())
    return _subset(bits[best]), float(scores[best])
