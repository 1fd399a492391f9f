"""Terms: the columns of a design matrix, each a product of factors; and what is kept of rows, aligned by term."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from suffice.core.added_columns import AddedColumns
from suffice.core.affine import Affine, Indicated, Linear
from suffice.core.block import Array
from suffice.core.errors import BadFile, NotASummary, Said, bad, never_added, refusal
from suffice.core.registry import saved
from suffice.core.summary import Index, Summary, spread
from suffice.core.tally import remaining
from suffice.estimators.design.factors import Factor as Factor
from suffice.estimators.design.factors import gap
from suffice.linear.recentring import Recentring, centre_for
from suffice.linear.recentring import Term as Term
from suffice.numerics.arrays import every
from suffice.summaries.least_squares import LeastSquaresSummary
from suffice.summaries.rows_summary import RowsSummary, added, products_of, without


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

    A shard that never met a level of a symbol had 0 in its column, which is what aligning puts there. So has a number
    that is missing: its row has the indicator of the gap beside it.
    """

    terms: tuple[Term, ...]  # p
    rows: Array  # (K, p) int64, rows that have the term: for a level, those where it occurs
    targets: int  # columns after the terms
    summary: LeastSquaresSummary | RowsSummary  # over p + targets columns, K components
    centres: Mapping[Any, float] = field(default_factory=dict, kw_only=True)  # of columns whose powers are about them

    def __post_init__(self) -> None:
        """Refuse a file that names more targets than there are columns, before anything is made of so many."""
        kept = self.summary
        columns = kept.Y.shape[1] if isinstance(kept, RowsSummary) else len(kept.moments.shift)
        if not 0 <= self.targets <= columns:
            raise BadFile("its products have fewer columns than targets")
        if not self.centres and isinstance(self.centres, dict):
            return
        if not (isinstance(self.centres, Mapping) and all(isinstance(c, float) for c in self.centres.values())):
            raise BadFile("the centres of its columns are no numbers")

    @classmethod
    def of(cls, terms: Sequence[Term], rows: Array, targets: int, summary: LeastSquaresSummary | RowsSummary) -> ByTerm:
        """Drop the terms that no row has."""
        return cls(tuple(terms), rows, targets, summary)._met()

    def _met(self) -> ByTerm:
        """Without the terms that no row has."""
        if every(self.rows) and len(self.rows):
            return self
        met: Array = np.asarray(self.rows.any(axis=0))
        if met.all():
            return self
        return self.align(tuple(term for term, here in zip(self.terms, met, strict=True) if here))

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
        centres = max(parts, key=lambda part: int(part.summary.rows.sum())).centres
        parts = [part.about(centres) for part in parts]
        terms = parts[0].terms
        if any(part.terms != terms for part in parts):
            terms = tuple(dict.fromkeys(term for part in parts for term in part.terms))
        parts = [part.align(terms) for part in parts]
        rows = np.sum([part.rows for part in parts], axis=0)
        total = added([part.summary for part in parts])
        return cls(terms, rows, parts[0].targets, total, centres=centres).near()

    def __sub__(self, other: ByTerm) -> ByTerm:
        """Take rows away, and with its last row the term."""
        known = set(self.terms)
        strange = [term for term in other.terms if term not in known]
        if strange:
            raise never_added("the terms", f"{term_name(strange[0])!r}, which was never seen")
        other = other.about(self.centres).align(self.terms)
        left, kept = remaining(self.rows, other.rows), without(self.summary, other.summary)
        return replace(self, rows=left, summary=kept)._met().near()

    def scale(self, factor: float) -> ByTerm:
        """Every term alike."""
        return replace(self, summary=self.summary.scale(factor))

    def spread(self, index: Index, K: int) -> ByTerm:
        """Move components; terms stay until their last row is taken away."""
        return replace(self, rows=spread(self.rows, index, K), summary=self.summary.spread(index, K))

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
        return replace(self, terms=terms, rows=rows, summary=summary)

    def about(self, centres: Mapping[Any, float]) -> ByTerm:
        """The same rows, powers of their columns about other centres."""
        if centres == self.centres:
            return self
        summary = self.summary
        if summary.rows.any():
            moved: Any = Recentring(self.terms, self.centres, centres, self.targets)
            summary = products_of(summary).push(moved)
        return replace(self, summary=summary, centres=centres)

    def near(self) -> ByTerm:
        """About centres that are near for the spread of their columns, where there are powers at all."""
        if not self.terms or len(self.terms[-1]) == len(self.terms[0]) == 1 or not self.summary.rows.any():
            return self
        whole = products_of(self.summary).moments.pooled()
        mean, deviation = whole.mean.value[0], np.sqrt(np.diagonal(whole.covariance[0]))
        found = dict(self.centres)
        for i, term in enumerate(self.terms):
            if len(term) == 1 and not term[0].symbol:
                now = found.get(term[0].column, 0.0)
                found[term[0].column] = centre_for(now + float(mean[i]), float(deviation[i]), now)
        return self.about({column: centre for column, centre in found.items() if centre != 0.0})

    def spelled(self, words: Mapping[Any, Mapping[Any, str]]) -> ByTerm:
        """The same with other names for some levels, by column, no two of which become one."""
        terms = tuple(tuple(_spelled(factor, words) for factor in term) for term in self.terms)
        return replace(self, terms=terms)

    def push(self, by: Affine | Linear | Indicated) -> ByTerm:
        """What is kept of the rows once their columns are mapped; terms, which are columns here, go by their names."""
        if isinstance(by, Indicated):
            return self._indicated(by)
        if isinstance(by, Linear):
            self._refuse_gaps()
            summary = self.align(tuple((Factor(name),) for name in by.names)).summary.push(by.beside(self.targets))
            rows = np.repeat(summary.rows[:, None], len(by.out), axis=1)
            return ByTerm.of([(Factor(name),) for name in by.out], rows, self.targets, summary)
        mapped = by.at(tuple(None if term[0].symbol else term[0].column for term in self.terms)).beside(self.targets)
        pushed = ByTerm(self.terms, self.rows, self.targets, self.summary.push(mapped))
        back = dict(zip(self.terms, (mapped.centre / mapped.scale).tolist(), strict=False))
        return pushed._added({term[0]: back[term] for term in self.terms})  # what is missing stays 0

    def _indicated(self, by: Indicated) -> ByTerm:
        """Levels become columns of numbers; a level that no row has is 0 in every row."""
        levels = tuple((Factor(by.columns[j], level, True),) for j, level in by.at)
        summary = self.align(levels).summary
        rows = np.repeat(summary.rows[:, None], len(levels), axis=1)
        return ByTerm(tuple((Factor(name),) for name in by.names), rows, self.targets, summary)

    def means(self) -> dict[Factor, float]:
        """The mean of every factor over all components; of numbers, where they are not missing."""
        mean = products_of(self.summary).moments.pooled().mean.value[0]
        own = {term[0]: float(mean[i]) for i, term in enumerate(self.terms) if len(term) == 1}
        for factor in self._with_gaps(own):
            here = 1.0 - own[gap(factor.column)]
            own[factor] = own[factor] / here if here > 0.0 else 0.0
        return own

    def filled(self, means: Mapping[Factor, float]) -> ByTerm:
        """The same rows with these numbers in place of missing cells: to read a model from, no longer to be added."""
        return self if not means or isinstance(self.summary, RowsSummary) else self._added(means)

    def without_cells(self, columns: Sequence[Any]) -> ByTerm:
        """The same rows over columns that were missing in all of them: each an indicator that is always 1."""
        gaps = tuple((gap(name),) for name in columns)
        wide = self.align((*self.terms, *gaps))
        at = [*range(len(self.terms), len(wide.terms))]
        rows = wide.rows.copy()
        rows[:, at] = self.summary.rows[:, None]
        return ByTerm.of(wide.terms, rows, self.targets, products_of(wide.summary).shifted(at, 1.0))

    def _with_gaps(self, factors: Iterable[Factor]) -> list[Factor]:
        """The numbers of which some are missing."""
        known = set(self.terms)
        return [factor for factor in factors if not factor.symbol and (gap(factor.column),) in known]

    def _added(self, more: Mapping[Factor, float]) -> ByTerm:
        """Numbers with so much added where they are missing."""
        odd = self._with_gaps(term[0] for term in self.terms if len(term) == 1)
        if not odd:
            return self
        place = {term: i for i, term in enumerate(self.terms)}
        to, of = (np.array([place[(f,)] for f in some]) for some in (odd, [gap(f.column) for f in odd]))
        summary = products_of(self.summary).push(AddedColumns(to, of, np.array([more[f] for f in odd])))
        return ByTerm(self.terms, self.rows, self.targets, summary)

    def _refuse_gaps(self) -> None:
        """Columns can be mixed only where all of them are there."""
        odd = [term[0] for term in self.terms if len(term) == 1 and term[0].missing]
        if odd:
            rule = "present in every row where columns are mixed (Input X contains NaN)"
            remedy = "Fill it in first, with a step such as NormalImputer, or leave it out."
            raise bad("X", f"column {odd[0].column!r}", rule, Said("a missing cell"), remedy)

    def fewest(self) -> Array:
        """Every row has every number."""
        return self.summary.rows


def _spelled(factor: Factor, words: Mapping[Any, Mapping[Any, str]]) -> Factor:
    known = words.get(factor.column, {}) if factor.symbol else {}
    return factor._replace(level=known.get(factor.level, factor.level))
