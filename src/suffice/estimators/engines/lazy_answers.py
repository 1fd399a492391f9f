"""What a model says of rows on an engine: the engine's own collection, which is computed when asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from suffice.core.saving import value_bytes
from suffice.estimators.engines.answer_partition import AnswerPartition
from suffice.sources.engines.open_engine import open_engine
from suffice.sources.engines.partitioned_source import PartitionedRows
from suffice.sources.engines.read_partition import ReadPartition
from suffice.sources.engines.wire_format import pack


def lazy_answers(model: Any, name: str, X: Any, options: Mapping[str, Any]) -> Any:
    """What a fitted model says of each row, as a collection of the engine that the rows lie on.

    Parameters
    ----------
    model : an estimator, or a model from a file
    name : the method
    X : rows on an engine
    options : more arguments of the method
    """
    rows = X if isinstance(X, PartitionedRows) else open_engine(X)
    read = ReadPartition(rows.roles, rows.kinds, rows.format, rows.analyzer)
    answer = AnswerPartition(name, value_bytes(model._saved()), pack(dict(options)), pack(read))
    return rows.partitions.answers(answer, answer.form)
