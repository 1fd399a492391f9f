"""What a worker answers for a partition: a table with an index like that of its rows. No scikit-learn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import SufficeError
from suffice.core.saving import bytes_value
from suffice.estimators.faces.single_precision import in_double
from suffice.estimators.state.loaded import model_of
from suffice.sources.engines.file_source import named
from suffice.sources.engines.read_partition import PartFiles, ReadPartition, chunks_of
from suffice.sources.engines.wire_format import unpack


@dataclass(frozen=True)
class AnswerPartition:
    """Calls a method of a model, which came as the bytes of its file, for the rows of a partition."""

    method: str
    model: bytes = field(repr=False)
    options: bytes = field(repr=False)  # more arguments, packed
    read: bytes = field(repr=False)  # ReadPartition, packed

    def __call__(self, part: Any) -> Any:
        """The answers of a partition as a table of pandas."""
        model = in_double(model_of(bytes_value(self.model)))  # of one type, also for partitions without rows
        return _Answering(model, self.method, unpack(self.options)).of(part, unpack(self.read))

    def form(self, part: Any) -> Any:
        """The answers to rows that are made up, or to no rows where the model knows no such rows."""
        try:
            return self(part)
        except SufficeError:
            return self(part[:0])


@dataclass(frozen=True)
class _Answering:
    model: Any
    method: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def of(self, part: Any, read: ReadPartition) -> Any:
        import pandas as pd

        if isinstance(part, PartFiles):
            found = [self._table(table, None) for table in self._chunks(part, read)]
            found = found or [self._table(np.empty((0, 1)), None)]
            return pd.concat(found, ignore_index=True) if len(found) != 1 else found[0]
        return self._table(self._features(part), getattr(part, "index", None))

    def _chunks(self, part: PartFiles, read: ReadPartition) -> Iterator[Any]:
        """Chunks of files, their columns read as those of training were."""
        plan = self.model._plan()
        rows = read.rows(part, 0)
        for chunk in chunks_of(rows, getattr(plan, "kinds", None), getattr(plan, "analyzer", None)):
            yield self._features(named(chunk.table))

    def _features(self, part: Any) -> Any:
        """The columns of training, where the rows have more: a target, an identifier."""
        _, names = self.model._columns()
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

        n = len(index) if index is not None else len(rows) if isinstance(rows, np.ndarray) else None
        answer = self._nothing(rows) if n == 0 else self._said(rows)
        if hasattr(answer, "tocsr"):
            return pd.DataFrame.sparse.from_spmatrix(answer, index=index, columns=self._names(answer.shape[1]))
        answer = np.asarray(answer)
        if answer.ndim == 1:
            return pd.Series(answer, index=index, name=NAMES.get(self.method, self.method))
        return pd.DataFrame(answer, index=index, columns=self._names(answer.shape[1]))

    def _said(self, rows: Any) -> Any:
        """The method of the model from the file, or of its estimator, which may have more of them."""
        holder = self.model if hasattr(self.model, self.method) else self.model.estimator()
        return getattr(holder, self.method)(rows, **self.options)

    def _nothing(self, rows: Any) -> Array:
        """The answers to no rows: of the type and the width that a row would get."""
        found = structure(self.model, self.method)
        return np.empty((0, *found[1]), dtype=found[0])

    def _names(self, width: int) -> list[Any]:
        found = NAMED.get(self.method, lambda model: ())(self.model)
        names = [name.item() if isinstance(name, np.generic) else name for name in found]
        return names if len(names) == width else [f"{NAMES.get(self.method, self.method)}_{j}" for j in range(width)]


def structure(model: Any, method: str) -> tuple[Any, tuple[int, ...]]:
    """The type of the answers of a method, and their shape without the rows."""
    if method == "transform":
        return np.float64, (len(_features_out(model)),)
    classes = _classes(model)
    if method == "predict":
        numbers = np.float64 if model._target.numbers else np.int64
        return (np.asarray(classes).dtype if len(classes) else numbers), ()
    if method in ("predict_proba", "predict_log_proba"):
        return np.float64, (len(classes),) if len(classes) else (len(model._state()[0].model.weights),)
    return np.float64, (len(classes),) if method == "decision_function" and len(classes) > 2 else ()


def _features_out(model: Any) -> Any:
    holder = model if hasattr(model, "get_feature_names_out") else model.estimator()
    return holder.get_feature_names_out()


def _classes(model: Any) -> Any:
    return getattr(model, "classes_", ())


NAMES = {"predict": "prediction", "decision_function": "score", "score_samples": "score", "predict_proba": "p"}
NAMED: Mapping[str, Callable[[Any], Any]] = {
    "predict_proba": _classes,
    "predict_log_proba": _classes,
    "decision_function": _classes,
    "transform": _features_out,
}
