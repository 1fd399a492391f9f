"""Where a model's rows came from, so that what it gives back looks alike. No scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import NotASummary, Said, bad, refusal, shown
from suffice.core.registry import saved

LIBRARIES = ("pandas", "polars", "pyarrow", "scipy")
FLOAT32 = np.dtype(np.float32).str


@saved
@dataclass(frozen=True)
class Origin:
    """The form of the table and of the labels that a model met first."""

    width: int  # number of columns
    names: tuple[Any, ...] | None = None  # of the columns, where the table had some
    library: str | None = None  # one of LIBRARIES or "mapping"; None is NumPy
    label_type: str | None = None  # NumPy's name for the type of y; None where it held no numbers
    cell_type: str | None = None  # NumPy's name for the type of X; None where columns have several, or a library's own
    flat: bool = True  # whether targets came as one number a row, not as a table with one column

    def classes(self, labels: Sequence[Any]) -> Array:
        """Labels as an array of the type that y had, where that can hold them."""
        return np.array(self._known(labels))

    def answers(self, labels: Sequence[Any], places: Array) -> Array:
        """The labels at some places, in such an array."""
        return np.asarray(self._known(labels)[places])

    def _known(self, labels: Sequence[Any]) -> Array:
        known, array = vars(self).get("_classes", (None, None))  # those of one model, for prediction after prediction
        if labels is not known or array is None:
            array = self._labels(labels)
            if isinstance(labels, tuple):
                vars(self)["_classes"] = labels, array
        return np.asarray(array)

    def _labels(self, labels: Sequence[Any]) -> Array:
        array = label_array(labels)
        if self.label_type is None or array.dtype.kind not in "biuf":
            return array
        narrow = array.astype(self.label_type)
        return narrow if np.array_equal(narrow, array) else array

    def also(self, other: Origin) -> Origin:
        """After rows of another origin: types of labels widen, the rest stays as it was met first."""
        if self.label_type == other.label_type:
            return self
        a, b = self.label_type, other.label_type
        return replace(self, label_type=np.promote_types(a, b).str if a and b else None)

    @property
    def single(self) -> bool:
        """Whether all cells were in single precision."""
        return self.cell_type == FLOAT32

    def typed(self, values: Array) -> Array:
        """A copy of numbers that a model tells of itself, in the type that scikit-learn tells them in for such rows."""
        return values.astype(np.float32 if self.single else np.float64)

    def shaped(self, answers: Array) -> Array:
        """Answers (n, t) in the form that y had."""
        return np.ascontiguousarray(answers[:, 0]) if self.flat else answers

    def check(self, owner: str, other: Origin) -> None:
        """Refuse a model of other columns, or of targets of another form."""
        if other.flat != self.flat:
            raise refusal(
                NotASummary,
                owner,
                "the targets",
                "of one form",
                Said("one number a row in one model and a table in another"),
                "Give all models targets of the same form.",
            )
        if self.width != other.width:
            raise bad(
                owner, "the columns of all models", f"{self.width} in number", other.width, "Merge like with like."
            )
        if self.names and other.names and self.names != other.names:
            rule = f"named {shown(list(self.names))}, as here"
            raise bad(owner, "the columns of all models", rule, list(other.names), "Merge like with like.")

    def check_width(self, owner: str, X: Any) -> None:
        """Refuse an array or sparse matrix of another number of columns; tables know their columns by name."""
        shape: tuple[int, ...] = getattr(X, "shape", ())
        if len(shape) == 2 and library(X) in (None, "scipy") and shape[1] != self.width:
            raise bad(owner, "the number of columns", f"{self.width}, as in training", shape[1], "Give it the same.")


def library(X: Any) -> str | None:
    """What a table is a table of; None for arrays and lists."""
    if type(X) is np.ndarray:
        return None
    name = type(X).__module__.partition(".")[0]
    if name in LIBRARIES:
        return name
    return "mapping" if isinstance(X, Mapping) else None


def column_names(estimator: Any) -> tuple[Any, ...] | None:
    """The names of the columns an estimator was fitted to, where they had some."""
    names = getattr(estimator, "feature_names_in_", None)
    return None if names is None else tuple(names.tolist())


def cell_type(X: Any) -> str | None:
    """NumPy's name for the type of an array of numbers, or of tables of pandas in single precision; else None."""
    if library(X) == "pandas":
        return FLOAT32 if all(kind == np.float32 for kind in X.dtypes) else None
    return _number_type(getattr(getattr(X, "X", X), "dtype", None))


def narrow(X: Any) -> bool:
    """Whether all cells of a table are floats of single precision or less."""
    kinds = X.dtypes if library(X) == "pandas" else (getattr(X, "dtype", None),)
    return all(isinstance(kind, np.dtype) and kind.kind == "f" and kind.itemsize <= 4 for kind in kinds)


def label_type(y: Any) -> str | None:
    """NumPy's name for the type of labels that are numbers; None for lists, which have none, and for others."""
    if isinstance(y, (list, tuple)):
        return None
    return _number_type(
        (y if isinstance(y, np.ndarray) else np.asarray(y[:0] if hasattr(y, "__getitem__") else y)).dtype
    )


def _number_type(kind: Any) -> str | None:
    return kind.str if isinstance(kind, np.dtype) and kind.kind in "biuf" else None


def label_array(labels: Sequence[Any]) -> Array:
    """Labels as an array of their own type, or of objects where types differ."""
    kinds = {type(label) for label in labels}
    kept = not any(isinstance(label, str) and label.endswith("\x00") for label in labels)  # NumPy cuts these off
    if kept and len(kinds) == 1 and issubclass(next(iter(kinds)), (bool, int, float, str, np.generic)):
        return np.array(list(labels))
    array = np.empty(len(labels), dtype=object)
    array[:] = list(labels)
    return array
