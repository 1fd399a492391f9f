"""Choice among parameters by cross-validation: candidates that read the same summaries cost no pass over the rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import clone, is_regressor
from sklearn.model_selection import ParameterGrid

from suffice.core.errors import Said, bad
from suffice.core.folds import DrawnFolds, RowFolds
from suffice.estimators.boundary.opening import are_rows
from suffice.estimators.folds.fold_models import FoldModels, Splits, adds, read_folds
from suffice.evaluation.scores.named_scores import LARGER_IS_BETTER, read_scoring, value_of
from suffice.evaluation.selection.cross_validation import ADDED, CrossValidation, _scored, cross_validate, read_rows

RULES = ("best", "one_standard_error")


@dataclass(frozen=True)
class GridSearch:
    """The candidates with their scores, the chosen one, and an estimator of it that has learned from all rows."""

    candidates: tuple[Mapping[str, Any], ...]
    results: tuple[CrossValidation, ...]
    scoring: str
    best: int
    estimator: Any  # fitted on all rows with the chosen parameters
    reads: int  # of all rows, for learning and testing together; the final estimator needs none where folds add

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The chosen ones."""
        return self.candidates[self.best]

    def __str__(self) -> str:
        """A line for each candidate."""
        lines = [
            f"{'>' if i == self.best else ' '} {result.mean(self.scoring):.6f} +- "
            f"{result.standard_error(self.scoring):.6f}  {dict(candidate)}"
            for i, (candidate, result) in enumerate(zip(self.candidates, self.results, strict=True))
        ]
        return "\n".join([f"{self.scoring}, rows read {self.reads} times", *lines])


def grid_search(
    estimator: Any,
    grid: Mapping[str, Sequence[Any]] | Iterable[Mapping[str, Any]],
    X: Any,
    y: Any = None,
    *,
    cv: Any = 5,
    scoring: Any = None,
    rule: str = "best",
    groups: Any = None,
    sample_weight: Any = None,
    target: Any = None,
) -> GridSearch:
    """Choose parameters by their mean score over the splits.

    Parameters
    ----------
    estimator : a classifier or a regressor; it is not changed
    grid : parameter -> values, of which all combinations are tried, or the candidates one by one
    X, y, cv, groups, sample_weight, target : as for `cross_validate`
    scoring : the name of a score, ours or scikit-learn's, or several, of which the first decides; None is the log loss
        of classifiers, the accuracy of those without probabilities, and the mean squared error of regressors
    rule : "best", or "one_standard_error" for the first candidate within one standard error of the best one: list the
        simplest first

    >>> from suffice import MultinomialNB
    >>> X, y = np.array([[3, 0], [0, 3], [2, 1], [1, 2]] * 5), np.array(["a", "b"] * 10)
    >>> found = grid_search(MultinomialNB(), {"alpha": [0.1, 1.0, 10.0]}, X, y)
    >>> found.parameters, found.reads
    ({'alpha': 0.1}, 2)
    """
    candidates = _candidates(grid)
    if rule not in RULES:
        raise bad("grid_search", "rule", f"among {RULES}", rule, "Correct it.")
    if are_rows(X, target):
        return _over_source(estimator, candidates, X, y, cv, scoring, rule, sample_weight, target)
    splits = read_rows(estimator, X, y, cv, groups)
    if adds(estimator) and splits.folds is not None:
        results, final, reads = _added(estimator, candidates, X, y, sample_weight, splits, scoring)
        first, best = _best(estimator, results, scoring, rule)
        return GridSearch(candidates, results, first, best, final[best], reads)
    tried = [clone(estimator).set_params(**candidate) for candidate in candidates]
    results = tuple(
        cross_validate(one, X, y, cv=splits.pairs, sample_weight=sample_weight, scoring=scoring) for one in tried
    )
    first, best = _best(estimator, results, scoring, rule)
    weights = {} if sample_weight is None else {"sample_weight": sample_weight}
    reads = sum(result.reads for result in results) + 1
    return GridSearch(candidates, results, first, best, tried[best].fit(X, y, **weights), reads)


def _candidates(grid: Any, owner: str = "grid_search") -> tuple[Mapping[str, Any], ...]:
    try:
        candidates = tuple(ParameterGrid(grid) if isinstance(grid, Mapping) else (dict(one) for one in grid))
    except (TypeError, ValueError) as error:
        rule = f"a mapping of parameters to lists of values, or a list of mappings ({error})"
        raise bad(owner, "grid", rule, grid, "Correct it.") from None
    if not candidates:
        raise bad(owner, "grid", "of at least one candidate", grid, "Give it values to try.")
    return candidates


def _added(
    estimator: Any,
    candidates: Sequence[Mapping[str, Any]],
    X: Any,
    y: Any,
    sample_weight: Any,
    splits: Splits,
    scoring: Any,
) -> tuple[tuple[CrossValidation, ...], list[Any], int]:
    """Results, final estimators and reads: candidates are read from one pass as far as its summaries can say."""
    draw = partial(RowFolds, splits.folds)
    models, reads = _read(
        estimator, candidates, partial(FoldModels.of, X=X, y=y, sample_weight=sample_weight, draw=draw)
    )
    asked = read_scoring("grid_search", scoring)
    named = [asked.of(model.estimators, splits, X, y, sample_weight) for model in models]
    results = tuple(
        CrossValidation(one, ADDED, reads, other) for one, other in zip(_scored(models, draw), named, strict=True)
    )
    return results, [model.whole() for model in models], reads


def _read(estimator: Any, candidates: Sequence[Mapping[str, Any]], summarized: Any) -> tuple[list[FoldModels], int]:
    """The models of all candidates, and how often rows are read to learn and to test them."""
    passes: list[FoldModels] = []
    models: list[FoldModels] = []
    for candidate in candidates:
        found = next((read for one in passes if (read := one.read_by(candidate)) is not None), None)
        if found is None:
            found = summarized(clone(estimator).set_params(**candidate))
            passes.append(found)
        models.append(found)
    return models, len(passes) + 1


def _over_source(
    estimator: Any,
    candidates: tuple[Mapping[str, Any], ...],
    X: Any,
    y: Any,
    cv: Any,
    scoring: Any,
    rule: str,
    sample_weight: Any,
    target: Any,
) -> GridSearch:
    """Over files, or rows on an engine: candidates that read the same summaries cost no pass there either."""
    given = {"X": X, "y": y, "sample_weight": sample_weight, "target": target}
    if adds(estimator):
        draw = partial(DrawnFolds, read_folds("grid_search", cv))
        models, reads = _read(estimator, candidates, partial(FoldModels.of, **given, draw=draw))
        results = tuple(CrossValidation(one, ADDED, reads) for one in _scored(models, draw))
        first, best = _best(estimator, results, scoring, rule)
        return GridSearch(candidates, results, first, best, models[best].whole(), reads)
    tried = [clone(estimator).set_params(**candidate) for candidate in candidates]
    results = tuple(cross_validate(one, **given, cv=cv) for one in tried)
    first, best = _best(estimator, results, scoring, rule)
    reads = sum(result.reads for result in results) + 1
    return GridSearch(candidates, results, first, best, tried[best].fit(**given), reads)


def _best(estimator: Any, results: Sequence[CrossValidation], scoring: Any, rule: str) -> tuple[str, int]:
    """The score that decides, and the number of the chosen candidate."""
    if scoring is None:
        probable = not np.isnan(results[0].mean("log_loss")) if not is_regressor(estimator) else False
        first = "mean_squared_error" if is_regressor(estimator) else "log_loss" if probable else "accuracy"
    else:
        named = next(iter(results[0].named), None)
        first = scoring if isinstance(scoring, str) else str(named) if callable(scoring) else next(iter(scoring))
    return first, _chosen(results, first, rule)


def _chosen(results: Sequence[CrossValidation], scoring: str, rule: str) -> int:
    """The number of the chosen candidate."""
    theirs = scoring in results[0].named
    if not theirs:
        value_of(results[0].scores[0], scoring)  # a name that is none is refused
    sign = -1.0 if theirs or scoring in LARGER_IS_BETTER else 1.0
    means = sign * np.array([result.mean(scoring) for result in results])
    if np.isnan(means).all():
        rule_ = "one that some candidate has"
        raise bad("grid_search", f"the score {scoring!r}", rule_, Said("none"), "Ask for another score.")
    best = int(np.nanargmin(means))
    if rule == "best":
        return best
    return int(np.flatnonzero(means <= means[best] + results[best].standard_error(scoring))[0])
