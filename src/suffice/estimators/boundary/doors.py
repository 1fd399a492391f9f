"""How X is read, as objects that an estimator holds: any table, arrays of numbers, rows of numbers with names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data

from suffice.core.errors import Said, bad, in_our_name
from suffice.estimators.boundary.column_mapping import check_columns
from suffice.estimators.boundary.odd_cells import odd_column, odd_type
from suffice.estimators.boundary.plain_arrays import as_numpy, is_mapping, let_in, of_texts, without_sparse_columns
from suffice.estimators.boundary.sparse_form import SPARSE, filled, narrow
from suffice.estimators.boundary.time_columns import without_times
from suffice.estimators.state.origin import column_names, library
from suffice.numerics.loop import WORTH
from suffice.sources.tables.grid import Grid, as_array
from suffice.sources.tables.numbers import Numbers, SparseNumberTable
from suffice.sources.tables.sparse_numbers import MANY
from suffice.sources.tables.table import Table, open_table

ANY_CELLS = {"ensure_all_finite": False}
REMOTE = frozenset({"dask", "dask_expr", "distributed", "pyspark", "ray", "modin"})


def refuse_remote(owner: str, X: Any) -> None:
    """Refuse a collection of an engine."""
    library = type(X).__module__.partition(".")[0]
    if library in REMOTE:
        remedy = "Write it to files and pass their names, or gather it yourself by compute()."
        raise bad(owner, "X", "a table in memory, or files", f"a {type(X).__name__} of {library}", remedy)


@dataclass(frozen=True)
class AnyTable:
    """Arrays, lists, sparse matrices, mappings of columns, and the tables of pandas, polars and Arrow."""

    allow_nan: bool = False  # whether a cell may be missing

    def check(self, estimator: Any, X: Any, *, first: bool, learning: bool = True) -> Any:
        """X as it is; `first` sets what later tables must be like. What is learned from is what is predicted."""
        if let_in(estimator, X, ANY_CELLS, first):
            return X
        owner = estimator._owner
        refuse_remote(owner, X)
        if not first and isinstance(X, Table):  # rows of a file, open already
            return X
        if is_mapping(X):
            return _check_mapping(estimator, X, first)
        if library(X) is not None or not hasattr(X, "shape"):
            X = _read(X)
        shape: tuple[int, ...] = X.shape
        if len(shape) != 2:
            as_array(X)  # says what to do
        if shape[1] == 0:
            note = f"(Found array with 0 feature(s) (shape={tuple(shape)}) while a minimum of 1 is required.)"
            raise bad(owner, "X", f"a table with columns {note}", Said("none"), "Give it columns to learn from.")
        if first and hasattr(X, "tocsr"):  # it has no names, which scikit-learn asks of many libraries
            vars(estimator).pop("feature_names_in_", None)
            estimator.n_features_in_ = shape[1]
            return X
        with in_our_name(owner):
            validate_data(estimator, X, reset=first, skip_check_array=True)
        return X

    def tag(self, tags: Any) -> None:
        """What scikit-learn may expect of X."""
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = self.allow_nan


def _check_mapping(estimator: Any, X: Mapping[Any, Any], first: bool) -> Mapping[Any, Any]:
    if first:
        estimator.n_features_in_, estimator.feature_names_in_ = len(X), np.array(list(X), dtype=object)
    return X


def _read(X: Any) -> Any:
    """Lists as arrays, and tables that only speak Arrow as Arrow's; tables of two columns of one name are refused."""
    table: Any = X if hasattr(X, "tocsr") else open_table(X)
    if hasattr(X, "shape"):
        return X
    return table.X if isinstance(table, Grid) else table.frame.to_native()


@dataclass(frozen=True)
class Arrays:
    """Numbers (n, d), checked by the options of scikit-learn's `check_array`."""

    rules: Mapping[str, Any] = field(default_factory=dict)  # for rows to learn from
    predicting: Mapping[str, Any] | None = None  # for rows to predict; None: the same
    learned: Callable[[Any], Any] | None = None  # how rows to learn from are handed on, where not as they are
    predicted: Callable[[Any], Any] | None = None

    def check(self, estimator: Any, X: Any, *, first: bool, learning: bool = True) -> Any:
        """X as an array; `first` sets what later ones must be like."""
        if type(X) is not np.ndarray:
            refuse_remote(estimator._owner, X)
            X = as_numpy(X)
        rules = self.rules if learning or self.predicting is None else self.predicting
        handed = self.learned if learning else self.predicted
        if let_in(estimator, X, rules, first):
            return X if handed is None else handed(X)
        X = without_times(estimator, X)
        if is_mapping(X):
            X = check_columns(estimator, X, first, rules)
            return X if handed is None else handed(X)
        X = without_sparse_columns(narrow(X, rules), rules)
        if rules.get("dtype", "numeric") == "numeric" and of_texts(X):
            rules = {**rules, "dtype": np.float64}  # "numeric" reads no text, though numbers may be written so
        if not hasattr(X, "__array__") and not hasattr(X, "__len__"):  # nothing to cut into rows, such as a lazy table
            open_table(X)
        with in_our_name(estimator._owner):
            try:
                checked = validate_data(estimator, X, reset=first, **rules)
                if checked.dtype == object:  # left as they are where one column is categorical
                    checked = checked.astype(np.float64)
            except ValueError as error:
                if len(getattr(X, "shape", ())) == 2:
                    validate_data(estimator, X, reset=first, skip_check_array=True)  # other columns than in training
                raise odd_column(estimator, X, str(error)) or error from None
            except OverflowError:  # of NumPy's whole numbers
                raise bad(
                    estimator._owner, "X", "a table of numbers below 2^63 in size", Said("a larger one")
                ) from None
            except TypeError as error:  # of cells that have no common type, which NumPy tells at length
                raise odd_type(estimator, X) or error from None
        return checked if handed is None else handed(checked)

    def tag(self, tags: Any) -> None:
        """What scikit-learn may expect of X."""
        tags.input_tags.sparse = bool(self.rules.get("accept_sparse", False))
        tags.input_tags.allow_nan = self.rules.get("ensure_all_finite") == "allow-nan"


@dataclass(frozen=True)
class NumberRows(Arrays):
    """Numbers (n, d) by the options of scikit-learn's `check_array`, as a table that knows the names of its columns."""

    multiplied: int = (
        0  # columns up to which infinite cells of large tables are refused by the pass that multiplies them
    )

    def check(self, estimator: Any, X: Any, *, first: bool, learning: bool = True) -> Any:
        """X as a table; `first` sets what later ones must be like."""
        if not first and type(X) is not np.ndarray and isinstance(X, Table):  # rows of a file, open already
            return X
        late = learning and type(X) is np.ndarray and X.ndim == 2 and X.shape[1] <= self.multiplied and X.size >= WORTH
        if late and let_in(estimator, X, {**self.rules, "ensure_all_finite": False}, first):
            checked = X  # a pass of its own over all cells would take half as long as learning does
        else:
            checked = super().check(estimator, X, first=first, learning=learning)
        return Numbers(checked, column_names(estimator), estimator._owner)


@dataclass(frozen=True)
class ArrayOrSparseRows(NumberRows):
    """Numbers (n, d), of which some may be missing, as an array or sparse; columns are listed either way."""

    rules: Mapping[str, Any] = field(
        default_factory=lambda: {
            "dtype": ["float64", "float32"],
            "ensure_all_finite": "allow-nan",
            "accept_sparse": "csr",
        }
    )

    def check(self, estimator: Any, X: Any, *, first: bool, learning: bool = True) -> Any:
        """X as a table; `first` sets what later ones must be like."""
        table: Any = super().check(estimator, X, first=first, learning=learning)
        sparse = type(table) is Numbers and hasattr(table.X, "tocsr")
        return SparseNumberTable(table.X, table.names, table.owner) if sparse else table


@dataclass(frozen=True)
class FilledRows(NumberRows):
    """Numbers (n, d), sparse ones of few columns filled in; the estimator remembers that they came so."""

    def check(self, estimator: Any, X: Any, *, first: bool, learning: bool = True) -> Any:
        """X as a table; `first` sets what later ones must be like."""
        table: Any = super().check(estimator, X, first=first, learning=learning)
        if first:
            vars(estimator).pop(SPARSE, None)
        if not hasattr(getattr(table, "X", None), "tocsr"):
            return table
        if first:
            vars(estimator)[SPARSE] = True
        elif not vars(estimator).get(SPARSE, False):
            owner = estimator._owner
            rule = f"an array, as in training (cannot use sparse input in {owner!r} trained on dense data)"
            raise bad(owner, "X", rule, Said("a sparse matrix"), "Fill it in: X.toarray().")
        if table.X.shape[1] >= MANY and not getattr(estimator, "_fills", True):
            return table
        return Numbers(filled(estimator._owner, table.X), column_names(estimator), estimator._owner)
