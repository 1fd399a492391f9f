"""What the searches for a penalty share: folds from one pass, and a choice by the mean error."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import column_or_1d

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.folds import DrawnFolds, FoldOf, RowFolds, without_each
from suffice.core.learner import Source, learn, learn_folds
from suffice.core.schema import Schema
from suffice.estimators.boundary.targets import NumberTarget, ReadTarget
from suffice.estimators.folds.fold_models import Splits, read_folds, read_splits
from suffice.linear.regression.fold_errors import Fold, HeldRows
from suffice.linear.regression.least_squares_problem import Problem
from suffice.linear.regression.linear_learner import problem_of
from suffice.linear.regression.linear_plan import LinearPlan
from suffice.linear.terms import ByTerm, Term
from suffice.linear.wide.held_rows import HeldOutRows
from suffice.sources.engines.memory import MemorySource
from suffice.summaries.rows_summary import RowsSummary

RULES = ("best", "one_standard_error")


class OneNumber(NumberTarget):
    """One number a row; a column of them is warned of, as scikit-learn does."""

    def read(self, owner: str, y: Any) -> ReadTarget:
        """Numbers (n, 1)."""
        read = super().read(owner, y)
        values: Any = read.y
        if values.shape[1] > 1:
            rule = "one number a row (y should be a 1d array)"
            raise bad(owner, "y", rule, Said(f"shape {values.shape}"), "Choose a penalty for each target.")
        if not read.flat:
            column_or_1d(values, warn=True)
        return read._replace(flat=True)


class Searched(NamedTuple):
    """The summary of all rows, and the folds that penalties are tried on."""

    schema: Schema
    total: ByTerm
    folds: list[Fold]


def fold_problems(plan: LinearPlan, source: Source, cv: Any, groups: Any = None) -> Searched:
    """All rows and all folds: one pass where folds part the rows, else one a split."""
    if not isinstance(source, MemorySource):
        return _parted(plan, source, DrawnFolds(read_folds(plan.owner, cv)))
    y = None if source.y is None else np.asarray(source.y)
    splits = read_splits(plan.owner, cv, y, source.table.n, groups, classes=False)
    return _split(plan, source, splits) if splits.folds is None else _parted(plan, source, RowFolds(splits.folds))


def _parted(plan: LinearPlan, source: Source, fold_of: FoldOf) -> Searched:
    schema, parts = learn_folds(plan, source, fold_of)
    pairs = list(zip(without_each(parts, lambda a, b: a + b), parts, strict=True))
    return _searched(plan, schema, ByTerm.sum(parts), pairs)


def _split(plan: LinearPlan, source: MemorySource, splits: Splits) -> Searched:
    pairs = []
    for train, test in splits.pairs:
        codes = np.full(source.table.n, 2, dtype=np.int64)
        codes[train], codes[test] = 0, 1
        if len(np.unique(np.concatenate([train, test]))) < len(train) + len(test):
            rule = "such that no row comes twice in a split"
            raise bad(plan.owner, "cv", rule, "a row that does", "Use folds, or weights for copies.")
        pairs.append(learn_folds(plan, source, RowFolds(codes)).parts[:2])
    schema, total = learn(plan, source)
    return _searched(plan, schema, total, pairs)


def _searched(plan: LinearPlan, schema: Schema, total: ByTerm, pairs: Any) -> Searched:
    learner = plan.learner(schema)
    terms = learner.design.choose(total.terms)
    folds = [_fold(rest, part, terms, learner.intercept) for rest, part in pairs]
    return Searched(schema, total, _weighing(folds, plan.owner))


def _fold(rest: ByTerm, part: ByTerm, terms: tuple[Term, ...], intercept: bool) -> Fold:
    """A problem and the rows left out of it, whose missing cells are filled with the means of the others."""
    held = part.align(terms).summary
    if isinstance(held, RowsSummary) and isinstance(rest.summary, RowsSummary):  # of complete numbers alone
        return Fold(problem_of(rest, terms, intercept), HeldOutRows(held))
    means = dict.fromkeys((term[0] for term in terms), 0.0) | rest.means()
    problem = Problem.of(rest.filled(means), terms, intercept)
    own = HeldOutRows(held) if isinstance(held, RowsSummary) else HeldRows.of(part.filled(means), terms)
    return Fold(problem, own)


def _weighing(folds: list[Fold], owner: str) -> list[Fold]:
    """The folds whose rows weigh something: a row of weight 0 is no row, and a fold of such rows no fold."""
    kept = [fold for fold in folds if fold.held.weight > 0.0]
    if not kept or min(fold.problem.weight for fold in kept) <= 0.0:
        rule = "such that rows of some weight are learned from and tested in a split"
        raise bad(owner, "cv", rule, Said("rows of weight 0 alone"), "Use other folds, or leave these rows out.")
    return kept


def chosen(errors: Array, rule: str) -> int:
    """The candidate of least mean error (K, m), or the first within one standard error of it.

    Folds count alike, as in scikit-learn: weights are copies of rows within a fold, and make no fold count more.
    """
    means = errors.mean(axis=0)
    best = int(means.argmin())
    if rule == "best" or len(errors) < 2:
        return best
    limit = means[best] + errors[:, best].std(ddof=1) / np.sqrt(len(errors))
    return int(np.flatnonzero(means <= limit)[0])
