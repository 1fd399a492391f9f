"""Which column keeps a table from being rows of numbers: looked for once scikit-learn's check has refused it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice.core.errors import BadInput, BadType, Said, bad, refusal, shown
from suffice.core.kinds import Kind, Storage
from suffice.estimators.state.origin import library
from suffice.sources.tables.frame import Frame
from suffice.sources.tables.table import open_table

TAKES_SYMBOLS = {  # by what an estimator is to scikit-learn
    "classifier": ", or use NaiveBayes, LogisticRegression or SVC, which take any table",
    "regressor": ", or use LinearRegression or Ridge, which take any table",
    "clusterer": ", or use MixedMixture, which takes any table",
    "density_estimator": ", or use MixedMixture, which takes any table",
}
ITS_LIKE = {  # what is closest to it and takes symbols
    "DecisionTreeClassifier": "Tree",
    "DecisionTreeRegressor": "RegressionTree",
    "RandomForestClassifier": "Forest",
    "RandomForestRegressor": "RegressionForest",
    "GaussianNB": "NaiveBayes",
}
OF_CELLS = ("Input X contains",)  # how sentences begin that say which cells were odd
READ_BY_PROGRAMS = ("The feature names", "X has ", "float() argument must be")
TAKES_GAPS = {
    "classifier": ", or use NaiveBayes, which leaves missing cells out",
    "discriminant": ", or use missing='marginalise'",
    "clusterer": ", or use MixedMixture, which leaves missing cells out",
    "density_estimator": ", or use MixedMixture, which leaves missing cells out",
}


def other_than(owner: str, kind: str | None) -> str:
    """What else to use, as the end of a sentence: by name, or by what an estimator is to scikit-learn.

    >>> other_than("GaussianNB", "classifier")
    ', or use NaiveBayes, which takes any table'
    """
    name = ITS_LIKE.get(owner)
    return TAKES_SYMBOLS.get(kind or "", "") if name is None else f", or use {name}, which takes any table"


def odd_column(estimator: Any, X: Any, told: str) -> BadInput | None:
    """A sentence that names the first column that is no numbers, or in which a cell is missing or infinite.

    `told` is what scikit-learn said of it. None where no column is to blame, or its sentence is one that programs read.
    """
    if told.startswith(READ_BY_PROGRAMS):
        return None
    try:
        kind = estimator.__sklearn_tags__().estimator_type
        owner = getattr(estimator, "_owner", type(estimator).__name__)
        return symbol_column(owner, X, kind) or _objects(owner, X, kind) or _cells(owner, X, kind, told)
    except (TypeError, ValueError, AttributeError):  # no table at all: scikit-learn's sentence says so
        return None


def refuse_complex(owner: str, X: Any) -> None:
    """Refuse an array of complex numbers."""
    if getattr(getattr(X, "dtype", None), "kind", None) == "c":
        raise bad(owner, "X", "a table of real numbers (Complex data not supported)", Said("complex numbers"))


def date_column(estimator: Any, X: Any) -> BadType | None:
    """A sentence that names the first column of dates; None where there is none."""
    if (library(X) is None and not isinstance(X, Mapping)) or hasattr(X, "tocsr"):
        return None
    for column in open_table(X).infer().columns:
        if column.kind is Kind.DATE:
            other = other_than(estimator._owner, estimator.__sklearn_tags__().estimator_type)
            remedy = f"Turn it into numbers, such as days since a date, {'' if other else 'or '}leave it out{other}."
            return refusal(BadType, estimator._owner, f"column {column.name!r}", "of numbers", Said("dates"), remedy)
    return None


def odd_type(estimator: Any, X: Any) -> BadType | None:
    """A sentence that names the first column of a table whose cells have no type in common with numbers.

    None for arrays of objects, of which programs read NumPy's own sentence.
    """
    if library(X) is None:
        return None
    odd = date_column(estimator, X) or odd_column(estimator, X, "")
    return None if odd is None else refusal(BadType, odd.owner, odd.name, odd.rule, Said(odd.got), odd.remedy)


def odd_cell(owner: str, X: Any, kind: str | None, names: Any = None, told: str = "") -> BadInput | None:
    """A sentence about the first cell of an array that is missing or infinite; None where there is none."""
    if np.asarray(X).dtype.kind == "c":
        return None
    cells = np.asarray(X, dtype=np.float64)
    if cells.ndim != 2 or np.isfinite(cells).all():
        return None
    row, at = np.argwhere(~np.isfinite(cells))[0].tolist()
    column = f"column {names[at] if names is not None else f'x{at}'!r}"
    if np.isnan(cells[row, at]):
        note = told or "Input X contains NaN"
        other = TAKES_GAPS.get(kind or "", "")
        remedy = f"Fill it in, {'' if other else 'or '}leave the row or the column out{other}."
        return bad(owner, column, f"present in every row ({note})", Said(f"a missing cell in row {row}"), remedy)
    note = told or "Input X contains infinity"
    return bad(owner, column, f"finite ({note})", Said(f"{cells[row, at]} in row {row}"), "Correct the cell.")


def symbol_column(owner: str, X: Any, kind: str | None) -> BadInput | None:
    """A sentence that names the first column that is no numbers; None where there is none. `kind`: of estimator."""
    if (library(X) is None and not isinstance(X, Mapping)) or hasattr(X, "tocsr"):
        return None
    for column in open_table(X).infer().columns:
        if column.kind.storage is not Storage.NUMBERS and column.kind not in (Kind.BOOLEAN, Kind.UNKNOWN):
            other = other_than(owner, kind)
            does = "Turn it into numbers first, as TableEncoder does in a Chain"
            remedy = f"{does}, {'' if other else 'or '}leave it out{other}."
            return bad(owner, f"column {column.name!r}", "of numbers", Said(column.kind.value), remedy)
    return None


def _objects(owner: str, X: Any, kind: str | None) -> BadInput | None:
    """A sentence about the first cell of an array of objects that is no number."""
    array = np.asarray(X) if library(X) is None and not hasattr(X, "tocsr") else None
    if array is None or array.ndim != 2 or array.dtype.kind not in "OUS":
        return None
    for (row, at), cell in np.ndenumerate(array):
        try:
            float(cell)
        except (TypeError, ValueError):
            if cell is None:
                continue
            other = other_than(owner, kind)
            remedy = f"Turn it into numbers first, {'' if other else 'or '}leave it out{other}."
            plain = cell.item() if isinstance(cell, np.generic) else cell
            return bad(owner, f"column {f'x{at}'!r}", "of numbers", Said(f"{shown(plain)} in row {row}"), remedy)
    return None


def _cells(owner: str, X: Any, kind: str | None, told: str) -> BadInput | None:
    if hasattr(X, "tocsr"):
        return None
    note = told.splitlines()[0].rstrip(".") if told.startswith(OF_CELLS) else ""
    if library(X) is None:
        return odd_cell(owner, X, kind, None, note)
    table = open_table(X)
    if not isinstance(table, Frame):
        return None
    names = list(table.frame.columns)
    try:
        rows = np.column_stack([table.floats(name) for name in names])
    except BadInput as said:  # of a cell that is no number, such as a complex one
        return said.say(owner=owner)
    return odd_cell(owner, rows, kind, names, note)
