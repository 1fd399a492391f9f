"""PairedErrors: which rows two classifiers get wrong, the one, the other or both; and McNemar's test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import binom, chi2

from suffice.core.block import Array, Coded
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Index, Summary
from suffice.decision.decide.read_wishes import as_real
from suffice.estimators.boundary.targets import read_weights
from suffice.evaluation.comparing.significance import Significance
from suffice.evaluation.scores.confusion import number_text
from suffice.evaluation.scores.error_count import ErrorCount
from suffice.evaluation.scores.predictions import read_answers
from suffice.sources.tables.labels import code_labels
from suffice.summaries.counts import Counts

CELLS = ("both right", "only first wrong", "only second wrong", "both wrong")


@saved
@dataclass(frozen=True)
class PairedErrors(Summary):
    """Counts of rows by which of two classifiers is wrong: adds over shards, and rows can be taken away.

        McNemar = (max(|e01 - e10| - 1, 0))^2 / (e01 + e10),  chi-squared with one degree of freedom if they are alike
        exact   = probability that of e01 + e10 fair coins as many or more fall on one side

    e01 rows are wrong by the first classifier only, e10 by the second only; rows where both are right or both are wrong
    say nothing about which is better. The 1 corrects for counts being whole numbers. A refused answer counts as wrong,
    a weight as so many rows.

    >>> y, a, b = [1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 0, 1], [1, 1, 1, 0, 0, 1]
    >>> paired = PairedErrors.of(y, a, b)
    >>> print(paired)
    both right 1, only first wrong 4, only second wrong 0, both wrong 1
    >>> print(paired.mcnemar())
    McNemar: statistic 2.2500, p = 0.1336
    >>> (paired + paired).exact().p
    0.0078125

    References
    ----------
    Q. McNemar, Note on the sampling error of the difference between correlated proportions (1947).
    """

    counts: Counts  # one column, of the cells

    @classmethod
    def of(
        cls, y_true: Any, first: Any, second: Any, sample_weight: Any = None, *, refusal: Any = None
    ) -> PairedErrors:
        """Compare the answers of two classifiers to the same rows.

        Parameters
        ----------
        y_true : one label a row
        first, second : one answer a row, None or NaN where refused
        sample_weight : one weight a row, at least 0
        refusal : another label that says an answer was refused
        """
        y = code_labels(y_true)
        n = len(y.codes)
        wrong = [_wrong(cls.__name__, y, answers, refusal) for answers in (first, second)]
        w = read_weights(cls.__name__, sample_weight, n, some=False)
        return cls.of_shares(wrong[0], wrong[1], Shares.hard(np.zeros(n, dtype=np.int32), 1, w))

    @classmethod
    def of_shares(cls, first_wrong: Array, second_wrong: Array, R: Shares) -> PairedErrors:
        """The same for several groups of rows at once; the readings are of all groups together."""
        cell = (first_wrong.astype(np.int32) + 2 * second_wrong.astype(np.int32))[:, None]
        return cls(Counts.of(Coded(cell, (CELLS,)), R))

    @classmethod
    def from_counts(
        cls, only_first: float, only_second: float, both_right: float = 0, both_wrong: float = 0
    ) -> PairedErrors:
        """From numbers of rows that were counted elsewhere.

        >>> round(PairedErrors.from_counts(9, 0).mcnemar().statistic, 4)
        7.1111
        """
        names = {"both_right": both_right, "only_first": only_first, "only_second": only_second}
        names["both_wrong"] = both_wrong
        rule = "a whole number of rows, 0 or more"
        cells = [as_real(cls.__name__, name, rule, value) for name, value in names.items()]
        for (name, value), cell in zip(names.items(), cells, strict=True):
            if cell < 0.0 or cell != round(cell):
                raise bad(cls.__name__, name, rule, value, "Count rows.")
        rows = np.array([cells]).astype(np.int64)
        return cls(Counts((CELLS,), rows, rows.astype(np.float64))._live())

    @classmethod
    def sum(cls, parts: Sequence[PairedErrors]) -> PairedErrors:
        """Add the counts."""
        return cls(Counts.sum([part.counts for part in parts]))

    def __sub__(self, other: PairedErrors) -> PairedErrors:
        """Take rows away."""
        return PairedErrors(self.counts - other.counts)

    def scale(self, factor: float) -> PairedErrors:
        """Weights decay."""
        return PairedErrors(self.counts.scale(factor))

    def spread(self, index: Index, K: int) -> PairedErrors:
        """Move groups of rows."""
        return PairedErrors(self.counts.spread(index, K))

    def __getitem__(self, cell: str) -> float:
        """The weight of the rows of a cell, such as "only first wrong"."""
        if cell not in CELLS:
            raise bad(self, "cell", f"among {CELLS}", cell)
        (labels,) = self.counts.labels
        return float(self.counts.column(0)[:, tuple(labels).index(cell)].sum()) if cell in labels else 0.0

    @property
    def only_first(self) -> float:
        """Weight of rows that the first alone gets wrong, e01."""
        return self[CELLS[1]]

    @property
    def only_second(self) -> float:
        """Weight of rows that the second alone gets wrong, e10."""
        return self[CELLS[2]]

    @property
    def n(self) -> float:
        """Weight of all rows."""
        return float(self.counts.weight.sum())

    @property
    def first(self) -> ErrorCount:
        """The errors of the first classifier."""
        return ErrorCount(self.only_first + self[CELLS[3]], self.n)

    @property
    def second(self) -> ErrorCount:
        """The errors of the second classifier."""
        return ErrorCount(self.only_second + self[CELLS[3]], self.n)

    def mcnemar(self, correction: bool = True) -> Significance:
        """McNemar's test by chi-squared; where the two never differ, the statistic is 0 and p is 1.

        Parameters
        ----------
        correction : whether to subtract 1 for continuity
        """
        differ, lead = self.only_first + self.only_second, abs(self.only_first - self.only_second)
        lead = max(lead - 1.0, 0.0) if correction else lead
        statistic = lead * lead / differ if differ > 0.0 else 0.0
        return Significance("McNemar", statistic, float(chi2.sf(statistic, 1)))

    def exact(self) -> Significance:
        """McNemar's test by the binomial distribution, for any number of rows; the statistic is the smaller count."""
        a, b = self.only_first, self.only_second
        if a != round(a) or b != round(b):
            rule = "whole for the exact test"
            raise bad(self, "weights", rule, Said(f"{a:g} and {b:g}"), "Use mcnemar(), or leave the weights out.")
        fewer = min(a, b)
        return Significance("McNemar, exact", fewer, min(1.0, float(2.0 * binom.cdf(fewer, a + b, 0.5))))

    def __str__(self) -> str:
        """The four counts."""
        return ", ".join(f"{cell} {number_text(self[cell])}" for cell in CELLS)


def _wrong(owner: str, y: Coded, answers: Any, refusal: Any) -> Array:
    """Whether each answer is wrong (n,)."""
    codes, labels = read_answers(owner, answers, refusal, len(y.codes))
    place = {label: code for code, label in enumerate(labels)}
    true = np.array([place.get(label, -2) for label in y.labels[0]], dtype=np.intp)
    return np.asarray(codes != true[y.codes[:, 0]])
