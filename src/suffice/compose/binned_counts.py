"""What a model that takes columns one by one would keep of binned rows, read from rankings by class.

A ranking says how much of each class lies in each bin of a column, wherever the cuts are. So a discretiser and naive
Bayes keep rankings alone: they add, and cuts and counts are both read from the sum. No scikit-learn.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.compose.chain_model import read_by
from suffice.core.block import Array, Block, Coded
from suffice.core.by_class import ByClass
from suffice.core.kinds import Kind
from suffice.core.schema import Column, Schema
from suffice.estimators.state.fitted import FittedModel
from suffice.summaries.rankings import Rankings


def binned_schema(plan: Any, names: tuple[Any, ...]) -> Schema:
    """Bins as the last reads them: categories."""
    found: Schema = plan.declare(Schema(tuple(Column(name, Kind.CATEGORICAL) for name in names)))
    return found


def binned_counts(plan: Any, schema: Schema, bins: Any, kept: ByClass) -> ByClass:
    """The summary of the last, of rows of which each has one cell: all of a class that lie in one bin of a column.

    To a model that takes columns one by one given the class, a row that lacks all other cells says what its cell says.
    """
    rankings: Any = kept.summary.parts[1]  # type: ignore[attr-defined]
    assert isinstance(rankings, Rankings)
    rows = [_of_column(bins, rankings, j) for j in range(len(rankings.values))]
    Z, codes, w = (np.concatenate(side) for side in zip(*rows, strict=True))
    labels = Coded(codes[:, None].astype(np.int32), (kept.labels,))
    block = read_by(FittedModel(plan, schema, None), Z, Block((Z,), labels, w))
    found: ByClass = plan.learner(schema).summarize(block)
    return ByClass(kept.labels, kept.tally, found.align(kept.labels).summary)


def _of_column(bins: Any, rankings: Rankings, j: int) -> tuple[Array, Array, Array]:
    """Rows (m, d) with the number of a bin in column j, their classes and their weights."""
    K, d = rankings.missing_rows.shape
    values = np.full((len(rankings.values[j]) + 1, d), np.nan)  # and a missing cell, the last
    values[:-1, j] = rankings.values[j]
    number = bins.numbers(values)[:, j]
    weight = np.column_stack([rankings.weight[:, rankings.slices[j]], rankings.missing_weight[:, j]])
    rows = np.column_stack([rankings.rows[:, rankings.slices[j]], rankings.missing_rows[:, j]])
    known = ~np.isnan(number)  # where missing cells have no bin they say nothing
    met, place = np.unique(number[known], return_inverse=True)
    k, v = np.nonzero(np.array([np.bincount(place, rows[k, known], len(met)) for k in range(K)]))
    sums = np.array([np.bincount(place, weight[k, known], len(met)) for k in range(K)])
    Z = np.full((len(k), d), np.nan)
    Z[:, j] = met[v]
    return Z, k, sums[k, v]
