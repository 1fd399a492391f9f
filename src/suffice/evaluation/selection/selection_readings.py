"""The curve of a search that has been made: ours or scikit-learn's, read from what the search has kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice.core.errors import Said, bad
from suffice.evaluation.scores.named_scores import LARGER_IS_BETTER
from suffice.evaluation.selection.complexity_curve import ComplexityCurve
from suffice.evaluation.selection.parameter_grid import GridSearch
from suffice.evaluation.selection.selection_curve import OWNER, SelectionCurve


def read_selection(search: Any, parameter: str | None = None, scoring: str | None = None) -> SelectionCurve:
    """Scores against the values of the parameter that was searched.

    Parameters
    ----------
    search : what `grid_search` or `complexity_curve` gave; or a fitted LassoCV, ElasticNetCV, RidgeCV (with
        store_cv_results), LogisticRegressionCV or GridSearchCV, ours or scikit-learn's
    parameter : its name, where there were several; all others must have been held fixed
    scoring : the name of another score, where `grid_search` was used

    >>> from suffice import LassoCV
    >>> X = np.arange(40.0).reshape(20, 2) % 7
    >>> curve = read_selection(LassoCV(alphas=[1.0, 0.1], cv=4).fit(X, X[:, 0]))
    >>> curve.parameter, curve.values, curve.best
    ('alpha', array([1. , 0.1]), 1)
    """
    if isinstance(search, GridSearch):
        return _from_grid(search, parameter, scoring)
    if isinstance(search, ComplexityCurve):
        return _from_complexity(search)
    for names, read in READINGS:
        if all(hasattr(search, name) for name in names):
            return read(search, parameter)
    rule = "a search that has been made, such as grid_search(...) or a fitted LassoCV"
    raise bad(OWNER, "search", rule, Said(type(search).__name__), "Give numbers to SelectionCurve.of.")


def _from_grid(search: GridSearch, parameter: str | None, scoring: str | None) -> SelectionCurve:
    name, values = _varied([dict(candidate) for candidate in search.candidates], parameter)
    asked = scoring or search.scoring
    scores = [result.values(asked) for result in search.results]
    words = asked.replace("_", " ")
    return SelectionCurve.of(name, values, scores, larger=asked in LARGER_IS_BETTER, scoring=words)


def _from_complexity(curve: ComplexityCurve) -> SelectionCurve:
    test, training = (np.stack([getattr(one, name) for one in curve.errors]) for name in ("test", "training"))
    words = curve.errors[0].loss.replace("_", " ")
    found = SelectionCurve.of(curve.parameter, curve.values, test, larger=False, scoring=words, training=training)
    return found._replace(test_ratio=curve.errors[0].test_ratio)


def _varied(candidates: list[dict[str, Any]], parameter: str | None) -> tuple[str, list[Any]]:
    """The parameter that varies, and its values; refuses where there are several."""
    names = sorted({name for candidate in candidates for name in candidate})
    tried = {name: [candidate.get(name) for candidate in candidates] for name in names}
    moved = [name for name, values in tried.items() if any(value != values[0] for value in values)] or names
    chosen = moved[0] if parameter is None and len(moved) == 1 else parameter
    if chosen not in names or len(moved) > 1:
        rule = f"the one parameter that varied, of {names}"
        raise bad(OWNER, "parameter", rule, parameter, "Search one parameter at a time.")
    return chosen, tried[chosen]


def _mean_squares(search: Any, parameter: str | None) -> SelectionCurve:
    """LassoCV and ElasticNetCV; of several ratios, the chosen one."""
    alphas, errors = np.asarray(search.alphas_), np.asarray(search.mse_path_)
    if errors.ndim == 3:
        r = int(np.flatnonzero(np.asarray(search.l1_ratio) == search.l1_ratio_)[0])
        alphas, errors = alphas[r] if alphas.ndim == 2 else alphas, errors[r]
    return SelectionCurve.of("alpha", alphas, errors, larger=False, scoring="mean squared error")


def _left_out(search: Any, parameter: str | None) -> SelectionCurve:
    """RidgeCV: what it kept of each row and penalty; the mean over targets where there are several."""
    kept = np.asarray(search.cv_results_)
    errors = kept.mean(axis=1) if kept.ndim == 3 else kept
    return SelectionCurve.of("alpha", search.alphas, errors.T, larger=False, scoring="squared error")


def _logistic(search: Any, parameter: str | None) -> SelectionCurve:
    """LogisticRegressionCV: the score of each fold and C, under the chosen ratio."""
    scores = search.scores_
    table = np.asarray(next(iter(scores.values())) if isinstance(scores, dict) else scores)
    Cs = np.asarray(search.Cs_)
    if table.ndim == 3 and table.shape[1] == len(Cs):  # scikit-learn's (folds, Cs, ratios)
        table = np.moveaxis(table, 2, 1)
    if table.ndim == 3:
        ratios = np.atleast_1d(np.asarray(search.l1_ratios_, dtype=np.float64))
        chosen = float(np.ravel(search.l1_ratio_)[0])
        table = table[:, int(np.flatnonzero(ratios == chosen)[0])]
    name = str(search.scoring or "accuracy")
    sign = -1.0 if name.startswith("neg_") else 1.0
    words = name.removeprefix("neg_").replace("_", " ")
    return SelectionCurve.of("C", Cs, sign * table.T, larger=sign > 0.0, scoring=words)


def _candidates(search: Any, parameter: str | None) -> SelectionCurve:
    """GridSearchCV of scikit-learn, with the training scores where it kept them."""
    found = search.cv_results_
    name, values = _varied([dict(candidate) for candidate in found["params"]], parameter)

    def folds(part: str) -> Any:
        kept = [key for key in found if key.startswith("split") and key.endswith(f"_{part}_score")]
        return np.stack([found[key] for key in kept], axis=1) if kept else None

    words = str(search.scoring or "score").replace("_", " ")
    return SelectionCurve.of(name, values, folds("test"), larger=True, scoring=words, training=folds("train"))


Reader = Callable[[Any, str | None], SelectionCurve]
READINGS: tuple[tuple[tuple[str, ...], Reader], ...] = (
    (("alphas_", "mse_path_"), _mean_squares),
    (("Cs_", "scores_"), _logistic),
    (("cv_results_", "best_params_"), _candidates),
    (("cv_results_", "alpha_"), _left_out),
)
