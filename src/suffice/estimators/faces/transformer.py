"""Rows mapped to rows. No scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.sparse import is_sparse
from suffice.estimators.holder import Holder


class WhereItInverts:
    """A method that is there unless the fitted model has no way back: then it is no attribute, as if it were not."""

    def __init__(self, method: Callable[..., Any]) -> None:
        """Take the method."""
        self.method, self.__doc__ = method, method.__doc__

    def __get__(self, holder: Any, owner: Any = None) -> Any:
        """The method, bound."""
        fitted = None if holder is None else getattr(holder, "_before", None)
        if fitted is not None and not hasattr(fitted.model, "inverse"):
            raise AttributeError(f"{holder._owner} has no inverse_transform: what it maps can't be told apart again.")
        return self.method if holder is None else self.method.__get__(holder, owner)


class Transformer:
    """`transform`, `inverse_transform` and names out, from a model that has `map`, `inverse` and `names_out`."""

    def transform(self: Holder, X: Any) -> Any:
        """Rows as the model maps them (n, d'); sparse where its plan says so.

        Parameters
        ----------
        X : table
        """
        came, cells = getattr(X, "format", None) if is_sparse(X) else None, _cells_of(X)
        state, X = self._state(X)
        model = state.model
        if hasattr(model, "codes"):  # few numbers a row, of which the model makes a wide matrix
            return model.finish(state.map(X, model.codes, self.threads), cells)
        rows: Any = state.map(X, lambda block: model.map(block).parts[0], self.threads)
        return rows.asformat("csc") if came == "csc" and is_sparse(rows) else rows

    def _transform_copy(self: Any, X: Any, copy: bool | None = None) -> Any:
        """Rows as the model maps them (n, d').

        Parameters
        ----------
        X : table
        copy : taken for the sake of scikit-learn's interface; X is never changed
        """
        return Transformer.transform(self, X)

    @WhereItInverts
    def inverse_transform(self: Holder, X: Any) -> Any:
        """Rows as they were before they were mapped (n, d).

        Parameters
        ----------
        X : rows as `transform` gives them
        """
        state = self._state()[0]
        keeps = is_sparse(X) and getattr(state.model, "keeps_sparse", False)
        if keeps and hasattr(state.plan, "check_sparse"):
            state.plan.check_sparse()  # what is not mapped sparse does not come back so
        rows: Any = X.tocsr() if keeps else X.toarray() if is_sparse(X) else np.asarray(X)
        width = len(state.model.names_out(tuple(f"x{j}" for j in range(self._columns()[0]))))
        if rows.ndim != 2 or rows.shape[1] != width:
            remedy = "As transform gives. (Shape of the passed X data is not correct.)"
            raise bad(self._owner, "X", f"rows of {width} columns", Said(f"shape {rows.shape}"), remedy)
        if rows.dtype.kind != "f":
            rows = rows.astype(np.float64)
        return state.model.inverse(rows)

    def get_feature_names_out(self: Any, input_features: Any = None) -> Array:
        """The names of the columns that `transform` gives.

        Parameters
        ----------
        input_features : names of the columns, where the table had none; else they must be those
        """
        state = self._state()[0]
        width, names = self._columns()
        if input_features is not None:
            names = _given_names(self._owner, tuple(input_features), width, names)
        names = names or tuple(f"x{j}" for j in range(width))
        return np.array(state.model.names_out(names), dtype=object)


def _cells_of(X: Any) -> Any:
    """The type of the cells of an array; None of any other table."""
    return X.dtype if isinstance(X, np.ndarray) else None


def _given_names(
    owner: str, given: tuple[Any, ...], width: int, names: tuple[Any, ...] | None
) -> tuple[Any, ...] | None:
    if names is not None and given != names:
        rule = "those of the training table (input_features is not equal to feature_names_in_)"
        raise bad(owner, "input_features", rule, list(given), "Leave them out.")
    if len(given) != width:
        rule = f"{width} names (input_features should have length equal to number of features ({width}))"
        raise bad(owner, "input_features", rule, Said(str(len(given))), "Give one name a column.")
    return given
