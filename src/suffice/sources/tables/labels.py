"""Class labels as codes, in one pass: never by sorting objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice.core.block import Array, Coded
from suffice.core.errors import BadInput, Said, bad
from suffice.numerics.arrays import unmasked
from suffice.sources.tables.symbols import Symbols, code_array, code_cells, code_column, code_integers, keep

A_LABEL = "y", "a label"
_NUMBERS = (bool, int, float, np.bool_, np.integer, np.floating)


def code_labels(y: Any) -> Coded:
    """Codes (n, 1) and the labels that occur, as Python values, in order of size or of first appearance.

    Parameters
    ----------
    y : one label a row: a list, an array, or a column of a table library; none may be missing

    >>> code_labels(["ham", "spam", "ham"])
    Coded(codes=array([[0],
           [1],
           [0]], dtype=int32), labels=(('ham', 'spam'),))
    """
    codes, labels = _coded(y)
    if len(codes) and codes.min() < 0:
        raise _missing(int(np.flatnonzero(codes < 0)[0]))
    for label in labels:
        if isinstance(label, complex) or (isinstance(label, float) and not label.is_integer()):
            raise _not_a_class(label)
    return Coded(codes[:, None], (tuple(labels),))


def class_numbers(owner: str, y: Any, classes: Sequence[Any], n: int) -> Array:
    """The number of the class of each of n rows; labels that are none of the classes are refused.

    >>> class_numbers("LogisticRegression", ["spam", "ham", "spam"], ("ham", "spam"), n=3)
    array([1, 0, 1])
    """
    codes = numbers_of(owner, code_labels(y), classes, "Leave its rows out.")
    if len(codes) != n:
        raise bad(owner, "X and y", "of one length", Said(f"{n} and {len(codes)}"), "Give one label a row.")
    return codes


def numbers_of(owner: str, y: Coded, classes: Sequence[Any], remedy: str) -> Array:
    """The number of the class of each row (n,), of labels that are coded already."""
    place = {label: k for k, label in enumerate(classes)}
    strange = [label for label in y.labels[0] if label not in place]
    if strange:
        raise bad(owner, "labels", f"among the classes {list(classes)}", strange[0], remedy)
    return np.array([place[label] for label in y.labels[0]], dtype=np.int64)[y.codes[:, 0]]


def _coded(y: Any) -> Symbols:
    if isinstance(y, (list, tuple)):
        return _from_list(y)
    if isinstance(y, np.ndarray):
        return _from_array(unmasked(y) if isinstance(y, np.ma.MaskedArray) else y)
    import narwhals.stable.v2 as nw

    series = nw.from_native(y, pass_through=True, series_only=True)
    if isinstance(series, nw.Series):
        return _from_series(series)
    if not hasattr(y, "__array__"):
        rule = "a list, an array, or a column of a table library"
        raise bad("y", "labels", rule, type(y).__name__, "Pass one label a row.")
    return _from_array(np.asarray(y))


def _from_list(y: Sequence[Any]) -> Symbols:
    """By way of an array if all are numbers that it can hold; in an array of anything else, types would be lost."""
    if all(issubclass(t, _NUMBERS) for t in set(map(type, y))):
        array = np.asarray(y)
        if array.dtype.kind in "biu" or any(isinstance(label, (float, np.floating)) for label in y):
            return _from_array(array)
    return code_cells(A_LABEL, y)


def _from_series(series: Any) -> Symbols:
    import narwhals.stable.v2 as nw

    absent = series.is_null()
    if absent.any():
        raise _missing(int(absent.arg_true()[0]))
    if series.dtype.is_numeric() or series.dtype == nw.Boolean:
        return _from_array(series.to_numpy())
    return _occurring(*code_column(A_LABEL, series))


def _occurring(codes: Array, labels: list[Any]) -> Symbols:
    """Without the labels that a library knows but that no row has."""
    used = np.zeros(len(labels) + 1, dtype=bool)  # the last is that of code -1
    used[codes] = True
    return keep(codes, labels, used[:-1])


def _from_array(y: Array) -> Symbols:
    if y.ndim != 1:
        raise bad("y", "labels", "one column", f"shape {y.shape}", "Pass one label a row.")
    if y.dtype.kind == "b":
        codes, labels = code_integers(y.view(np.uint8))
        return codes, [bool(label) for label in labels]
    if y.dtype.kind == "f":
        return _whole(y)
    codes, labels = code_array(A_LABEL, y)
    return _occurring(codes, labels) if y.dtype.kind == "O" else (codes, labels)


def _whole(y: Array) -> Symbols:
    """Floats are labels if they are whole numbers."""
    odd = np.flatnonzero(y != np.rint(y))  # NaN differs from itself
    if len(odd):
        gaps = odd[np.isnan(y[odd])]
        raise _missing(int(gaps[0])) if len(gaps) else _not_a_class(float(y[odd[0]]))
    if len(y) and not np.isfinite(y).all():
        raise bad("y", "labels", "finite", "infinity (Input y contains infinity or a value too large)", "Correct it.")
    if len(y) and np.abs(y).max() >= 2.0**53:
        return code_array(A_LABEL, y)
    codes, labels = code_integers(y.astype(np.int64))
    return codes, [float(label) for label in labels]


def _missing(row: int) -> BadInput:
    came = f"a missing one (Input y contains NaN) in row {row}"
    return bad("y", "labels", "present in every row", Said(came), "Leave the row out.")


def _not_a_class(label: Any) -> BadInput:
    return bad(
        "y",
        "labels",
        "classes (Unknown label type: continuous)",
        label,
        "Group the numbers into classes, or use a regression model.",
    )
