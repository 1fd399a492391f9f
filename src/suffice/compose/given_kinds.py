"""Kinds of columns, told to a model wherever it reads columns."""

from __future__ import annotations

from collections.abc import Mapping
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
    if not kinds:
        return model
    fresh = clone(model)
    _tell(fresh, kinds)
    return fresh


def _tell(model: Any, kinds: Mapping[Any, Any]) -> None:
    if isinstance(model, Chain):
        _tell(model.steps[0], kinds)
        return
    for name, value in model.get_params(deep=False).items():
        if name == "kinds" and value is None:
            model.set_params(kinds=dict(kinds))
        elif isinstance(value, BaseEstimator):
            _tell(value, kinds)
        elif isinstance(value, list):
            for member in value:
                if isinstance(member, tuple) and isinstance(member[-1], BaseEstimator):
                    _tell(member[-1], kinds)
