"""What a worker answers for a partition: a table with an index like that of its rows. No scikit-learn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.saving import bytes_value
from suffice.estimators.state.loaded import model_of
from suffice.sources.engines.file_source import named
from suffice.sources.engines.read_partition import PartFiles, ReadPartition
from suffice.sources.engines.wire_format import unpack


@dataclass(frozen=True)
class AnswerPartition:
    """Calls a method of a model, which came as the bytes of its file, for the rows of a partition."""

    model: bytes
    method: str
    options: bytes  # more arguments, packed
    read: bytes  # ReadPartition, packed

    def __call__(self, part: Any) -> Any:
        """The answers of a partition as a table of pandas."""
        model = model_of(bytes_value(self.model))
        return _Answering(model, self.method, unpack(self.options)).of(part, unpack(self.read))


@dataclass(frozen=True)
class _Answering:
    model: Any
    method: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def of(self, part: Any, read: ReadPartition) -> Any:
        import pandas as pd

        if isinstance(part, PartFiles):
            found = [self._table(table, None) for table in self._chunks(part, read)]
            return pd.concat(found, ignore_index=True) if len(found) != 1 else found[0]
        return self._table(self._features(part), getattr(part, "index", None))

    def _chunks(self, part: PartFiles, read: ReadPartition) -> Iterator[Any]:
        """Chunks of files, their columns read as those of training were."""
        plan = self.model._plan()
        rows = read.rows(part, 0)
        for chunk in rows.chunks(getattr(plan, "kinds", None), getattr(plan, "analyzer", None)):
            yield self._features(named(chunk.table))

    def _features(self, part: Any) -> Any:
        """The columns of training, where the rows have more: a target, an identifier."""
        width, names = self.model._columns()
        if names is None:
            return part.to_numpy() if hasattr(part, "iloc") else part
        wanted = list(names)
        if hasattr(part, "iloc"):
            return part[wanted] if set(wanted) <= set(part.columns) else part
        if isinstance(part, Mapping):
            return {name: part[name] for name in wanted} if set(wanted) <= set(part) else part
        return part

    def _table(self, rows: Any, index: Any) -> Any:
        """Answers with names: one column a class, a target or a feature."""
        import pandas as pd

        n = len(index) if index is not None else None
        answer = self._nothing(rows) if n == 0 else getattr(self.model, self.method)(rows, **self.options)
        if hasattr(answer, "tocsr"):
            return pd.DataFrame.sparse.from_spmatrix(answer, index=index, columns=self._names(answer.shape[1]))
        answer = np.asarray(answer)
        if answer.ndim == 1:
            return pd.Series(answer, index=index, name=NAMES.get(self.method, self.method))
        return pd.DataFrame(answer, index=index, columns=self._names(answer.shape[1]))

    def _nothing(self, rows: Any) -> Array:
        """The answers to no rows: those to one row that is missing everywhere, without it."""
        columns = list(rows.columns) if hasattr(rows, "columns") else range(rows.shape[1])
        empty = {name: _missing(rows[name]) if hasattr(rows, "columns") else [0.0] for name in columns}
        try:
            answer = getattr(self.model, self.method)(empty, **self.options)
        except ValueError:  # models that take no missing cells take zeros
            answer = getattr(self.model, self.method)({name: [0.0] for name in columns}, **self.options)
        return answer[:0]  # type: ignore[no-any-return]

    def _names(self, width: int) -> list[Any]:
        found = NAMED.get(self.method, lambda model: ())(self.model)
        names = [name.item() if isinstance(name, np.generic) else name for name in found]
        return names if len(names) == width else [f"{NAMES.get(self.method, self.method)}_{j}" for j in range(width)]


def _missing(column: Any) -> list[Any]:
    return [0.0] if getattr(column.dtype, "kind", "O") in "biuf" else [None]


def _classes(model: Any) -> Any:
    return getattr(model, "classes_", ())


NAMES = {"predict": "prediction", "decision_function": "score", "score_samples": "score", "predict_proba": "p"}
NAMED: Mapping[str, Callable[[Any], Any]] = {
    "predict_proba": _classes,
    "predict_log_proba": _classes,
    "decision_function": _classes,
    "transform": lambda model: model.get_feature_names_out(),
}
