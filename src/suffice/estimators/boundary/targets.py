"""How y and the weights of rows are read: labels of classes, numbers to predict, or nothing."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np

from suffice.core.block import Array, Coded
from suffice.core.errors import BadInput, BadType, Said, bad, in_our_name, refusal
from suffice.estimators.boundary.plain_arrays import as_numpy
from suffice.estimators.state.origin import label_type
from suffice.numerics.arrays import unmasked
from suffice.sources.tables.labels import code_labels

LARGEST = 1e140  # squares of larger numbers, and products of larger weights, could be too large to be added


class ReadTarget(NamedTuple):
    """y as a source wants it, and what is remembered of its form."""

    y: Coded | Array | None
    label_type: str | None = None
    flat: bool = True


class Target(Protocol):
    """A way to read y."""

    numbers: ClassVar[bool]  # whether a column of a file that is named as the target holds numbers to predict
    needed: ClassVar[bool]
    what: ClassVar[str]  # one of them is, for messages

    def read(self, owner: str, y: Any) -> ReadTarget:
        """One label, number or nothing a row."""


class ClassTarget:
    """One label a row."""

    numbers: ClassVar[bool] = False
    needed: ClassVar[bool] = True
    what: ClassVar[str] = "label"

    def read(self, owner: str, y: Any) -> ReadTarget:
        """Labels as codes."""
        if y is None:
            note = "a label for each row (fit requires y to be passed, but the target y is None)"
            raise bad(owner, "y", note, y, "Give one label a row.")
        return ReadTarget(self._coded(owner, y), label_type(y))

    def _coded(self, owner: str, y: Any) -> Coded:
        return code_labels(y)


class LabelColumn(ClassTarget):
    """One label a row; scikit-learn warns of a column where a list of labels was due."""

    def _coded(self, owner: str, y: Any) -> Coded:
        return read_labels(owner, y)


class NumberTarget:
    """One number a row, or a table of several targets."""

    numbers: ClassVar[bool] = True
    needed: ClassVar[bool] = True
    what: ClassVar[str] = "number"

    def read(self, owner: str, y: Any) -> ReadTarget:
        """Numbers (n, t)."""
        targets = read_targets(owner, y)
        return ReadTarget(targets.values, flat=targets.flat)


class NumberColumn(NumberTarget):
    """One number a row; scikit-learn warns of a column where a list of numbers was due."""

    def read(self, owner: str, y: Any) -> ReadTarget:
        """Numbers (n, 1)."""
        from sklearn.utils.validation import column_or_1d

        read_targets(owner, y)
        with in_our_name(owner):
            return ReadTarget(column_or_1d(as_numpy(y), dtype=np.float64, warn=True)[:, None])


class NumbersOrColumn(NumberTarget):
    """A table of several targets, or one number a row, also where they come as a table of one column.

    >>> NumbersOrColumn().read("Ridge", [[1.0], [2.0]]).flat
    True
    """

    def __init__(self, warn: bool = False) -> None:
        """Keep how a column is met."""
        self.warn = warn  # whether a table of one column is warned of, as scikit-learn does in some estimators

    def read(self, owner: str, y: Any) -> ReadTarget:
        """Numbers (n, t)."""
        read = super().read(owner, y)
        one: Any = read.y
        if self.warn and not read.flat and one.shape[1] == 1:
            from sklearn.utils.validation import column_or_1d

            column_or_1d(one, warn=True)
        return read._replace(flat=one.shape[1] == 1)


class NoTarget:
    """Nothing: what comes as y is not looked at."""

    numbers: ClassVar[bool] = False
    needed: ClassVar[bool] = False
    what: ClassVar[str] = "row"

    def read(self, owner: str, y: Any) -> ReadTarget:
        """None."""
        return ReadTarget(None)


def read_labels(owner: str, y: Any) -> Coded:
    """Labels as codes; scikit-learn warns of a column where a list of labels was due."""
    if type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "biu":
        return code_labels(y)
    if isinstance(y, np.ma.MaskedArray):
        y = unmasked(y)
    column = isinstance(y, list) and bool(y) and isinstance(y[0], list)
    if column or isinstance(y, np.ndarray) or len(getattr(y, "shape", ())) == 2:
        from sklearn.utils.validation import column_or_1d

        with in_our_name(owner):
            y = column_or_1d(y, warn=True)
    return code_labels(y)


class Targets(NamedTuple):
    """Numbers to predict (n, t); `flat` if they came as one number a row, not as a table with one column."""

    values: Array
    flat: bool


def read_targets(owner: str, y: Any) -> Targets:
    """One number a row, or a table of several.

    >>> read_targets("LinearRegression", [1, 2]).values.tolist()
    [[1.0], [2.0]]
    """
    if y is None:
        note = "a number for each row (fit requires y to be passed, but the target y is None)"
        raise bad(owner, "y", note, y, "Give one number a row.")
    values = y if type(y) is np.ndarray and y.dtype == np.float64 else _numbers(owner, y)
    if values.ndim not in (1, 2) or (values.ndim == 2 and values.shape[1] == 0):
        rule = "one number a row, or a table of several targets"
        raise bad(owner, "y", rule, Said(f"shape {values.shape}"), "Reshape it.")
    flat = values.ravel()  # einsum, as BLAS wakes threads for a sum
    if not np.einsum("i,i->", flat, flat) <= LARGEST**2:  # each square is below their sum; NaN is not
        _refuse(owner, values)
    return Targets(values if values.ndim == 2 else values[:, None], values.ndim == 1)


def _numbers(owner: str, y: Any) -> Array:
    if hasattr(y, "tocsr"):
        raise refusal(
            BadType, owner, "y", "an array (Sparse data was passed for y)", Said("a sparse matrix"), "Use toarray()."
        )
    try:
        raw = np.asarray(unmasked(y) if isinstance(y, np.ma.MaskedArray) else y)
        if raw.dtype.kind == "c":
            raise bad(owner, "y", "real (Complex data not supported)", raw.dtype, "Split real and imaginary parts.")
        return raw.astype(np.float64, copy=False)
    except BadInput:
        raise
    except (TypeError, ValueError):
        raise bad(owner, "y", "numbers", y, "Give one number a row; for labels use a classifier.") from None


def _refuse(owner: str, values: Array) -> None:
    odd = ~(np.abs(values) <= LARGEST)
    if not odd.any():
        return
    row = int(np.argwhere(odd)[0][0])
    if np.isnan(values[odd]).any():
        row = int(np.argwhere(np.isnan(values))[0][0])
        raise bad(
            owner,
            "y",
            "present in every row (Input y contains NaN)",
            Said(f"a missing number in row {row}"),
            "Leave the row out.",
        )
    raise bad(
        owner,
        "y",
        f"finite and at most {LARGEST:g} in size "
        "(Input y contains infinity or a value too large for dtype('float64').)",
        Said(f"{float(values[odd][0])} in row {row}"),
        "Correct it or leave the row out.",
    )


def read_weights(owner: str, sample_weight: Any, n: int, some: bool = True) -> Array | None:
    """Weights as floats (n,), from a column or one number for all; None where there are none.

    With `some`, a row must weigh something.
    """
    if sample_weight is None:
        return None
    w = _weights(owner, sample_weight)
    if w.ndim == 0:
        w = np.full(n, w)
    if w.shape != (n,):
        rule = f"one column of {n} numbers (Sample weights must be 1D array or scalar)"
        raise bad(owner, "sample_weight", rule, Said(f"shape {w.shape}"), "Give one weight a row.")
    if not np.isfinite(w).all():
        raise bad(owner, "sample_weight", "finite", Said("NaN or infinity"), "Leave the row out or give it weight 0.")
    if n and (w < 0).any():
        raise bad(
            owner,
            "sample_weight",
            "at least 0",
            float(w.min()),
            "To take rows away, use forget, where the estimator has it.",
        )
    largest = float(w.max(initial=0.0))
    if not 1.0 / LARGEST <= largest <= LARGEST and largest > 0.0:
        rule = f"at most {LARGEST:g}, and at least {1.0 / LARGEST:g} in some row, so that sums of squares can be told"
        raise bad(owner, "sample_weight", rule, largest, "Multiply all of them by a constant.")
    if some and n and not w.any():
        rule = "greater than 0 for some row (Sample weights must contain at least one non-zero number)"
        raise bad(owner, "sample_weight", rule, Said("only zeros"), "Leave it out to count every row once.")
    return np.ascontiguousarray(w)


def _weights(owner: str, values: Any) -> Array:
    try:
        raw = np.asarray(unmasked(values) if isinstance(values, np.ma.MaskedArray) else values)
        if raw.dtype.kind == "c":
            raise TypeError(raw.dtype)
        return raw.astype(np.float64, copy=False)
    except (TypeError, ValueError):
        raise bad(owner, "sample_weight", "numbers", values, "Give one weight a row.") from None
