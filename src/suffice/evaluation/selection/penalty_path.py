"""CoefficientPath: the coefficients of a linear model against its penalty; one pass over the rows where it can."""

from __future__ import annotations

import copy
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.folds.fold_models import adds

OWNER = "coefficient_path"


class CoefficientPath(NamedTuple):
    """Coefficients of each penalty and column."""

    parameter: str
    penalties: Array  # (m,) in the order they were given
    coef: Array  # (m, p)
    names: tuple[str, ...]  # p columns
    reads: int  # of all rows


def coefficient_path(
    estimator: Any, X: Any, y: Any, penalties: Any, *, parameter: str = "alpha", target: int = 0
) -> CoefficientPath:
    """The coefficients under each penalty: models of ours that add read the rows once, others are fitted for each.

    Parameters
    ----------
    estimator : a linear model with `coef_` and a penalty: Ridge, Lasso, ElasticNet, LogisticRegression (by "C"), ours
        or scikit-learn's; it is not changed
    X, y : rows
    penalties : (m,) values of the parameter
    parameter : its name
    target : the target, or the class, whose coefficients are wanted, where there are several

    >>> from suffice import Ridge
    >>> X = np.arange(12.0).reshape(6, 2)
    >>> path = coefficient_path(Ridge(), X, X[:, 0], [1e-9, 35.0, 1e9])
    >>> path.coef.round(3).tolist(), path.reads
    ([[0.5, 0.5], [0.4, 0.4], [0.0, 0.0]], 1)
    """
    values = np.asarray(penalties, dtype=np.float64)
    if values.ndim != 1 or not len(values):
        raise bad(OWNER, "penalties", "a list of numbers", penalties)
    if not hasattr(estimator, "get_params") or parameter not in estimator.get_params():
        raise bad(OWNER, "parameter", "one of the estimator's parameters", parameter)
    models, reads = _models(estimator, X, y, parameter, values.tolist())
    coef = np.stack([_coefficients(model, target) for model in models])
    names = getattr(models[0], "feature_names_in_", None)
    if names is None or len(names) != coef.shape[1]:
        names = [f"x{j}" for j in range(coef.shape[1])]
    return CoefficientPath(parameter, values, coef, tuple(map(str, names)), reads)


def _models(estimator: Any, X: Any, y: Any, parameter: str, values: list[float]) -> tuple[list[Any], int]:
    first = clone(estimator).set_params(**{parameter: values[0]}).fit(X, y)
    others = [{parameter: value} for value in values[1:]]
    if adds(estimator) and not others:
        return [first], 1
    if adds(estimator):
        plan = copy.copy(first).set_params(**others[-1])._plan()
        if first.fitted_.replan(plan) is not first.fitted_ or values[-1] == values[0]:
            return [first, *(copy.copy(first).set_params(**other) for other in others)], 1
    return [first, *(clone(estimator).set_params(**other).fit(X, y) for other in others)], len(values)


def _coefficients(model: Any, target: int) -> Array:
    if not hasattr(model, "coef_"):
        raise bad(OWNER, "estimator", "a linear model with coef_", Said(type(model).__name__))
    coef = np.asarray(model.coef_, dtype=np.float64)
    if coef.ndim == 1:
        return coef
    if not 0 <= target < len(coef):
        raise bad(OWNER, "target", f"a number from 0 to {len(coef) - 1}", target)
    return np.asarray(coef[target])


def read_path(path: Any, owner: object = OWNER) -> CoefficientPath:
    """A path as it comes: a `CoefficientPath`, or penalties (m,) and coefficients (p, m) as `lasso_path` gives them."""
    if isinstance(path, CoefficientPath):
        return path
    try:
        penalties, coef = (np.asarray(side, dtype=np.float64) for side in path[:2])
    except (TypeError, ValueError):
        raise bad(owner, "path", "a CoefficientPath, or penalties and coefficients", path) from None
    if penalties.ndim != 1 or coef.ndim != 2 or coef.shape[1] != len(penalties):
        got = Said(f"shapes {penalties.shape} and {coef.shape}")
        raise bad(owner, "path", "penalties (m,) and coefficients (p, m)", got)
    names = tuple(f"x{j}" for j in range(len(coef)))
    return CoefficientPath("alpha", penalties, coef.T, names, 0)
