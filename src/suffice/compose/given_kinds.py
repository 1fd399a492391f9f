"""Kinds of columns, told to a model wherever it reads columns."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from sklearn.base import BaseEstimator, clone

from suffice.compose.chain import Chain


def give_kinds(model: Any, kinds: Mapping[Any, Any] | None) -> Any:
    """A fresh copy of a model, told the kinds of columns where it takes some and was told none.

    A chain is told by its first step, an ensemble by its members.

    Parameters
    ----------
    model : an estimator; it is not changed
    kinds : mapping column -> kind, or the values of an ordinal column, lowest first

    >>> from suffice import Ridge, TableEncoder
    >>> give_kinds(Chain(TableEncoder(), Ridge()), {"notes": "categorical"})
    Chain(TableEncoder(kinds={'notes': 'categorical'}), Ridge())
    """
    return _retold(model, lambda told: dict(kinds) if told is None else told) if kinds else model


def kinds_of_columns(model: Any, names: Collection[Any]) -> Any:
    """A fresh copy of a model that was told kinds of more columns than a table has, such as those that name its rows.

    Parameters
    ----------
    model : an estimator; it is not changed
    names : of the columns of the table

    >>> from suffice import Tree
    >>> kinds_of_columns(Tree(kinds={"id": "identifier"}), ["age"])
    Tree()
    """
    return _retold(model, lambda told: {name: kind for name, kind in (told or {}).items() if name in names} or None)


def _retold(model: Any, change: Callable[[Any], Any]) -> Any:
    fresh = clone(model)
    _tell(fresh, change)
    return fresh


def _tell(model: Any, change: Callable[[Any], Any]) -> None:
    if isinstance(model, Chain):
        _tell(model.steps[0], change)
        return
    for name, value in model.get_params(deep=False).items():
        if name == "kinds":
            model.set_params(kinds=change(value))
        elif isinstance(value, BaseEstimator):
            _tell(value, change)
        elif isinstance(value, list):
            for member in value:
                if isinstance(member, tuple) and isinstance(member[-1], BaseEstimator):
                    _tell(member[-1], change)
