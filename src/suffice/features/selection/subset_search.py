"""Searches for a subset of columns: all of them, forward, backward, floating.

To score every subset is one method; to add or to drop the best column again and again is another, which looks at few of
them and may miss the best (C.E36).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from numbers import Integral

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.features.selection.subset_scores import Subset, SubsetScore

MOST = 20  # columns whose subsets are all looked at: a million
NONE: Subset = ()
GAIN = 1e-12  # what counts as better


@dataclass(frozen=True)
class SubsetFound:
    """The best subset that was looked at, how it was come to, and how many were scored."""

    columns: Subset
    score: float
    evaluations: int
    path: tuple[tuple[Subset, float], ...]  # the subsets on the way, and their scores

    @property
    def mask(self) -> Array:
        """True for the columns that are kept, as far as the last of them."""
        return np.isin(np.arange(max(self.columns, default=-1) + 1), self.columns)


@dataclass
class Scorebook:
    """Scores that are asked for once."""

    by: SubsetScore
    known: dict[Subset, float] = field(default_factory=dict)

    def score(self, subset: Subset) -> float:
        """The score of a subset, remembered."""
        if subset not in self.known:
            self.known[subset] = float(self.by.score(subset))
        return self.known[subset]

    def found(self, path: list[tuple[Subset, float]], best: Subset) -> SubsetFound:
        """The end of a search."""
        return SubsetFound(best, self.score(best), len(self.known), tuple(path))


def all_subsets(by: SubsetScore, *, largest: int | None = None) -> SubsetFound:
    """Score every subset of at least one column; of equals the smallest, then the first.

    Parameters
    ----------
    by : how subsets are scored
    largest : most columns of a subset; None: all
    """
    if by.columns > MOST:
        raise bad("all_subsets", "the number of columns", f"at most {MOST}", by.columns, "Use forward or genetic.")
    book, sizes = Scorebook(by), range(1, (_size("all_subsets", largest, by.columns) or by.columns) + 1)
    every = [some for k in sizes for some in combinations(range(by.columns), k)]
    best = max(every, key=lambda some: (book.score(some), -len(some), [-j for j in some]))
    return book.found([(best, book.score(best))], best)


def forward(by: SubsetScore, *, size: int | None = None, gain: float = GAIN) -> SubsetFound:
    """Begin with none and add the column that helps most; stop when none does, or at a size.

    Parameters
    ----------
    by : how subsets are scored
    size : go on to so many columns, whether or not they help
    gain : by how much a column must help
    """
    most = _size("forward", size, by.columns)
    book, at = Scorebook(by), NONE
    path = [(at, book.score(at))]
    while len(at) < (most or by.columns):
        nearest = _best(book, _with(at, by.columns))
        if size is None and not book.score(nearest) >= path[-1][1] + gain:
            break
        at = nearest
        path.append((at, book.score(at)))
    return book.found(path, at)


def backward(by: SubsetScore, *, size: int | None = None, gain: float = -GAIN) -> SubsetFound:
    """Begin with all and drop the column whose loss hurts least, while the score does not fall, or down to a size.

    Parameters
    ----------
    by : how subsets are scored
    size : go on down to so many columns, whether or not that hurts
    gain : what the loss of a column must bring; below 0, what it may cost
    """
    least = _size("backward", size, by.columns)
    book, at = Scorebook(by), tuple(range(by.columns))
    path = [(at, book.score(at))]
    while len(at) > (least or 1):
        nearest = _best(book, _without(at))
        if size is None and book.score(nearest) < path[-1][1] + gain:
            break
        at = nearest
        path.append((at, book.score(at)))
    return book.found(path, at)


def floating(by: SubsetScore, *, size: int | None = None) -> SubsetFound:
    """Forward, but after each column added drop others while subsets of that size get better.

    Parameters
    ----------
    by : how subsets are scored
    size : of the largest subset that is looked at; None: all columns

    Reference: P. Pudil, J. Novovicova and J. Kittler, Floating search methods in feature selection (1994).
    """
    most = _size("floating", size, by.columns)
    book, at, best = Scorebook(by), NONE, {0: NONE}
    path = [(at, book.score(at))]
    while len(at) < (most or by.columns):
        at = _best(book, _with(at, by.columns))
        if len(at) not in best or book.score(at) > book.score(best[len(at)]) + GAIN:
            best[len(at)] = at
        else:
            at = best[len(at)]
        path.append((at, book.score(at)))
        while len(at) > 2:
            fewer = _best(book, _without(at))
            if not book.score(fewer) > book.score(best[len(fewer)]) + GAIN:
                break
            at = best[len(fewer)] = fewer
            path.append((at, book.score(at)))
    return book.found(path, max(best.values(), key=lambda some: (book.score(some), -len(some))))


def _size(owner: str, size: int | None, d: int) -> int | None:
    """A number of columns that there are."""
    if size is not None and (not isinstance(size, Integral) or not 1 <= size <= d):
        raise bad(owner, "size", f"None, or a whole number from 1 to the number of columns, {d}", size)
    return size


def _with(at: Subset, d: int) -> list[Subset]:
    return [tuple(sorted((*at, j))) for j in range(d) if j not in at]


def _without(at: Subset) -> list[Subset]:
    return [tuple(i for i in at if i != j) for j in at]


def _best(book: Scorebook, some: list[Subset]) -> Subset:
    return max(some, key=lambda one: (book.score(one), [-j for j in one]))
