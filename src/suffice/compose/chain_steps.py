"""A chain that takes passes: one for each step over rows that those before it map, then those of the last."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
from sklearn.base import clone

from suffice.compose.chain_model import ChainModel, mapped, read_by
from suffice.core.block import Block
from suffice.core.errors import Said, bad
from suffice.core.learner import Source, for_passes, refuse_streams
from suffice.estimators.boundary.opening import are_rows
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.estimators.state.origin import Origin
from suffice.sources.engines.memory import MemorySource
from suffice.sources.mapped import MappedSource


def fit_in_steps(chain: Any, X: Any, y: Any, sample_weight: Any, target: Any) -> tuple[FittedModel, Origin]:
    """A fitted value that does not add, and where its rows came from."""
    opened, _ = chain._open(X, y, sample_weight, target)
    source: Any = opened.source
    refuse_streams(chain._owner, source, "; ".join(opened.plan.reasons))
    source = for_passes(source)
    *steps, last = chain.steps
    found: list[FittedModel] = []
    for step in steps:
        rows = _read_as(source, found, step._plan()) if found else source
        found.append(clone(step).fit(rows).fitted_)
        source = source if len(found) > 1 else source.read_as(found[0].schema)
    model = _fit_last(clone(last), source, found, X, y, sample_weight, target)
    passes = len(found) + _passes(model.fitted_)
    schema = found[0].schema
    kept = ChainModel(tuple(found), model.fitted_)
    return FittedModel(opened.plan, schema, Found(kept, passes)), opened.origin(schema)


def _fit_last(last: Any, source: Source, found: list[FittedModel], X: Any, y: Any, w: Any, target: Any) -> Any:
    """Rows in memory are mapped once, as the last may want to see them often; others anew in each pass."""
    if not isinstance(source, MemorySource) or are_rows(X, target):
        _refuse_memory(last)
        return last.fit(_read_as(source, found, last._plan()))
    rows = source.map(lambda block: mapped(found, block))
    given = {} if w is None else {"sample_weight": w}
    return last.fit(rows, **given) if y is None else last.fit(rows, y, **given)


def takes_rows(estimator: Any) -> bool:
    """Whether an estimator opens rows that hold their target; a chain, whether its last does."""
    last = estimator.steps[-1] if hasattr(estimator, "steps") else estimator
    y = inspect.signature(last.fit).parameters.get("y")
    return y is None or y.default is not y.empty  # else it asks for labels beside the rows


def _refuse_memory(last: Any) -> None:
    if not takes_rows(last):
        rule, came = f"in memory where a chain ends in {type(last).__name__}", Said("files, or rows on an engine")
        raise bad("Chain", "the rows", rule, came, "Read them into a table first.")


def _read_as(source: Source, found: list[FittedModel], plan: Any) -> MappedSource:
    """Rows after all steps, as the last reads them."""
    steps = tuple(found)
    width = len(found[-1].model.map_schema(found[-1].schema).columns)
    columns = plan.schema(plan.open(np.zeros((1, width))))
    reader = FittedModel(plan, columns, None)

    def change(block: Block) -> Block:
        return read_by(reader, mapped(steps, block), block)

    return MappedSource(source, change, columns)


def _passes(fitted: FittedModel) -> int:
    """How often the last read its rows; those of rows in memory, once."""
    return 1 if fitted.adds else max(int(fitted.state.passes), 1)
