"""Terms: the columns of a design matrix, each a product of factors; and what is kept of rows, aligned by term."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from suffice.core.affine import Affine, Indicated, Linear
from suffice.core.block import Array
from suffice.core.errors import BadFile, NotASummary, Said, never_added, refusal
from suffice.core.registry import saved
from suffice.core.summary import Index, Summary, spread
from suffice.core.tally import remaining
from suffice.summaries.least_squares import LeastSquaresSummary


@saved
class Factor(NamedTuple):
    """A column of numbers, or the indicator of one level of a column of symbols.

    >>> Factor("site", "north", True).name
    'site=north'
    """

    column: Any
    level: Any = None
    symbol: bool = False

    @property
    def name(self) -> str:
        """The column; for a level, which one. A truth value needs no more than its column."""
        return str(self.column) if not self.symbol or self.level is True else f"{self.column}={self.level}"


Term = tuple[Factor, ...]  # a product of factors


def term_name(term: Term) -> str:
    """A product as one writes it.

    >>> term_name((Factor("x"), Factor("x"), Factor("y")))
    'x^2 y'
    """
    powers = Counter(factor.name for factor in term)
    return " ".join(name if power == 1 else f"{name}^{power}" for name, power in powers.items())


@saved
@dataclass(frozen=True)
class ByTerm(Summary):
    """Least squares over named terms: adding aligns them by name; a term that no row has is not there.

    A shard that never met a level of a symbol had 0 in its column, which is what aligning puts there.
    """

    terms: tuple[Term, ...]  # p
    rows: Array  # (K, p) int64, rows that have the term: for a level, those where it occurs
    targets: int  # columns after the terms
    summary: LeastSquaresSummary  # over p + targets columns, K components

    def __post_init__(self) -> None:
        """Refuse a file that names more targets than there are columns, before anything is made of so many."""
        if not 0 <= self.targets <= len(self.summary.moments.shift):
            raise BadFile("its products have fewer columns than targets")

    @classmethod
    def of(cls, terms: Sequence[Term], rows: Array, targets: int, summary: LeastSquaresSummary) -> ByTerm:
        """Drop the terms that no row has."""
        live = tuple(term for term, n in zip(terms, rows.sum(axis=0), strict=True) if n > 0)
        return cls(tuple(terms), rows, targets, summary).align(live)

    @classmethod
    def sum(cls, parts: Sequence[ByTerm]) -> ByTerm:
        """Align by name, then add."""
        for part in parts[1:]:
            if part.targets != parts[0].targets:
                raise refusal(
                    NotASummary,
                    "merge",
                    "the models",
                    "as many targets",
                    Said(f"{parts[0].targets} and {part.targets}"),
                    "Train all of them on the same targets.",
                    "must have",
                )
        terms = tuple(dict.fromkeys(term for part in parts for term in part.terms))
        parts = [part.align(terms) for part in parts]
        rows = np.sum([part.rows for part in parts], axis=0)
        return cls(terms, rows, parts[0].targets, LeastSquaresSummary.sum([part.summary for part in parts]))

    def __sub__(self, other: ByTerm) -> ByTerm:
        """Take rows away, and with its last row the term."""
        known = set(self.terms)
        strange = [term for term in other.terms if term not in known]
        if strange:
            raise never_added("the terms", f"{term_name(strange[0])!r}, which was never seen")
        other = other.align(self.terms)
        return ByTerm.of(self.terms, remaining(self.rows, other.rows), self.targets, self.summary - other.summary)

    def scale(self, factor: float) -> ByTerm:
        """Every term alike."""
        return ByTerm(self.terms, self.rows, self.targets, self.summary.scale(factor))

    def spread(self, index: Index, K: int) -> ByTerm:
        """Move components; terms stay until their last row is taken away."""
        return ByTerm(self.terms, spread(self.rows, index, K), self.targets, self.summary.spread(index, K))

    def align(self, terms: tuple[Term, ...]) -> ByTerm:
        """The same over another list of terms: those it lacks are 0 in every row, those not listed are dropped."""
        if terms == self.terms:
            return self
        place = {term: i for i, term in enumerate(terms)}
        mine = sorted((place[term], i) for i, term in enumerate(self.terms) if term in place)
        at, picked = [a for a, _ in mine], [i for _, i in mine]
        last = range(len(self.terms), len(self.terms) + self.targets)
        summary = self.summary.columns([*picked, *last])
        if len(at) < len(terms):
            summary = summary.among([*at, *(len(terms) + j for j in range(self.targets))], len(terms) + self.targets)
        rows = np.zeros((len(self.rows), len(terms)), dtype=np.int64)
        rows[:, at] = self.rows[:, picked]
        return ByTerm(terms, rows, self.targets, summary)

    def push(self, by: Affine | Linear | Indicated) -> ByTerm:
        """What is kept of the rows once their columns are mapped; terms, which are columns here, go by their names."""
        if isinstance(by, Indicated):
            return self._indicated(by)
        if isinstance(by, Linear):
            summary = self.align(tuple((Factor(name),) for name in by.names)).summary.push(by.beside(self.targets))
            rows = np.repeat(summary.moments.rows[:, None], len(by.out), axis=1)
            return ByTerm.of([(Factor(name),) for name in by.out], rows, self.targets, summary)
        mapped = by.at(tuple(term[0].column for term in self.terms)).beside(self.targets)
        return ByTerm(self.terms, self.rows, self.targets, self.summary.push(mapped))

    def _indicated(self, by: Indicated) -> ByTerm:
        """Levels become columns of numbers; a level that no row has is 0 in every row."""
        levels = tuple((Factor(by.columns[j], level, True),) for j, level in by.at)
        summary = self.align(levels).summary
        rows = np.repeat(summary.moments.rows[:, None], len(levels), axis=1)
        return ByTerm(tuple((Factor(name),) for name in by.names), rows, self.targets, summary)

    def fewest(self) -> Array:
        """Every row has every number."""
        return self.summary.moments.rows
