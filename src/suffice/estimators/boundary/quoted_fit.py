"""Estimators that stand on classes of scikit-learn's: `fit` is all or nothing, and refusals are in our name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.utils._param_validation import InvalidParameterError

from suffice.core.errors import Said, SufficeError, bad, in_our_name
from suffice.estimators.boundary.all_or_nothing import all_or_nothing
from suffice.estimators.boundary.doors import AnyTable
from suffice.estimators.boundary.odd_cells import READ_BY_PROGRAMS, date_column, odd_column, refuse_complex
from suffice.estimators.boundary.plain_arrays import as_numpy, is_mapping
from suffice.estimators.boundary.targets import ClassTarget, NumberTarget, read_weights
from suffice.estimators.state.origin import library


def fit_in_our_name(estimator: Any, fit: Callable[..., Any], X: Any, args: Any, kwargs: Any) -> Any:
    """Call `fit`; what it refuses is said as an estimator of ours says it."""
    y = args[0] if args else kwargs.get("y")
    X = as_numpy(X)
    with all_or_nothing(estimator):
        try:
            return fit(estimator, X, *args, **kwargs)
        except (SufficeError, InvalidParameterError, NotFittedError):  # told already, and known by their class
            raise
        except (TypeError, ValueError) as error:
            given = inspect.signature(fit).bind_partial(estimator, X, *args, **kwargs).arguments
            _blame(estimator, X, y, given.get("sample_weight"))
            with in_our_name(type(estimator).__name__):
                raise date_column(estimator, X) or odd_column(estimator, X, str(error)) or error from None


def answer_in_our_name(estimator: Any, X: Any, error: Exception) -> Exception:
    """What to raise where an answer was refused by a class of another library: the error as ours says it."""
    if any(isinstance(error, told) for told in (NotFittedError, InvalidParameterError)):
        return error
    owner = getattr(estimator, "_owner", type(estimator).__name__)
    try:
        refuse_complex(owner, X)
        if library(X) not in (None, "scipy") and not str(error).startswith(READ_BY_PROGRAMS):
            AnyTable(allow_nan=True).check(_Stand(owner), X, first=True)
        with in_our_name(owner):
            raise date_column(estimator, X) or odd_column(estimator, X, str(error)) or error
    except SufficeError as told:
        return told


def _blame(estimator: Any, X: Any, y: Any, weights: Any) -> None:
    """Read rows, targets and weights as other estimators do: what is wrong with one of them is then said."""
    owner = type(estimator).__name__
    refuse_complex(owner, X)
    if is_mapping(X):  # members of some ensembles are given some rows, which a mapping cannot be asked for
        remedy = "Make a data frame of it."
        raise bad(owner, "X", "an array, a sparse matrix or a data frame", Said("a mapping of columns"), remedy)
    if not hasattr(X, "tocsr"):
        AnyTable(allow_nan=True).check(_Stand(owner), X, first=True)
    if is_classifier(estimator) and np.ndim(y) != 2:  # whether several labels a row are taken is said already
        ClassTarget().read(owner, y)
    elif is_regressor(estimator):
        NumberTarget().read(owner, y)
    if weights is not None and np.ndim(weights) <= 1:
        read_weights(owner, weights, len(y))


class _Stand:
    """In the place of an estimator, of which a check would change attributes."""

    def __init__(self, owner: str) -> None:
        self._owner = owner

    def __sklearn_tags__(self) -> Any:
        from sklearn.base import BaseEstimator

        return BaseEstimator().__sklearn_tags__()
