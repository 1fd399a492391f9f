"""`compare`: several models by cross-validation on the same splits, without refitting where summaries add."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor

from suffice.compose.given_kinds import give_kinds
from suffice.core.block import Array
from suffice.core.errors import Said, SufficeError, bad
from suffice.estimators.boundary.opening import refuse_rows
from suffice.estimators.boundary.table_rows import count_rows
from suffice.estimators.folds.fold_models import Splits, adds, read_splits, some_rows
from suffice.evaluation.comparing.model_comparison import ComparedModel, ModelComparison
from suffice.evaluation.comparing.usual_models import SLOW, SLOWER, last_of, names_of, usual_models
from suffice.evaluation.scores.classification_scores import Scores
from suffice.evaluation.scores.named_scores import LARGER_IS_BETTER, SCORES
from suffice.evaluation.scores.regression_scores import RegressionScores
from suffice.evaluation.selection.cross_validation import (
    ADDED,
    REFITTED,
    CrossValidation,
    fold_estimators,
    split_scores,
)

OWNER = "compare"
NUMBERS = 30  # different whole numbers above which a target is a quantity, not a class


def compare(
    X: Any,
    y: Any,
    models: Any = None,
    *,
    cv: Any = 10,
    scoring: str | None = None,
    sample_weight: Any = None,
    groups: Any = None,
    kinds: Mapping[Any, Any] | None = None,
) -> ModelComparison:
    """Compare models on rows that they have not learned from: scores with intervals, tests, ties, time, disagreements.

    All models are tested on the same splits. Where the summaries of a model add, its folds are summarized once and
    nothing is fitted again. Ten folds are the default because the test has as many degrees of freedom, less one.

    Parameters
    ----------
    X, y : rows, of any kinds, and one label or number each
    models : estimators, or name -> estimator; None takes one of each way to learn that fits the target: class shares
        alone, naive Bayes, a tree, a forest, logistic regression and nearest neighbours; or ridge regression, nearest
        neighbours, a tree and a forest for numbers. Of these, what cannot take the rows is left out and told
    cv : number of folds, a splitter of scikit-learn, or pairs of row numbers
    scoring : the score that decides, "accuracy" or "mean_squared_error" unless given
    sample_weight : one weight a row, for learning and for scoring
    groups : for splitters that keep groups together
    kinds : mapping column -> kind, for models that take kinds and were told none

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import DecisionTreeClassifier, GaussianNB, compare
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.normal(size=(80, 2)), np.repeat(["low", "high"], 40)
    >>> X[:40] += 1.5
    >>> found = compare(X, y, [GaussianNB(), DecisionTreeClassifier(random_state=0)])
    >>> found.best.name, found.ties, found["GaussianNB"].result.path
    ('GaussianNB', ('GaussianNB', 'DecisionTreeClassifier'), 'folds added')
    >>> len(found.disagreements()) == found.pairs[0].errors.only_first + found.pairs[0].errors.only_second
    True

    References
    ----------
    C. Nadeau and Y. Bengio, Inference for the generalization error (2003).
    """
    refuse_rows(OWNER, X)
    truth = _truth(X, y)
    classes = _are_classes(models, truth)
    score = _scoring(scoring, classes)
    splits = read_splits(OWNER, cv, truth, len(truth), groups, classes=classes)
    run = partial(_tested, X=X, y=truth, w=sample_weight, splits=splits, kinds=kinds)
    found, left_out = _usual(run, classes, len(truth)) if models is None else (_named(run, models), {})
    if not found:
        raise bad(
            OWNER, "models", "at least one that takes these rows", Said(f"none ({next(iter(left_out.values()))})")
        )
    sign = -1.0 if score in LARGER_IS_BETTER else 1.0
    found.sort(key=lambda one: _order(sign * float(getattr(one.result.total, score).value)))
    ratio = float(np.mean([len(test) / len(train) for train, test in splits.pairs]))
    weights = None if sample_weight is None else np.asarray(sample_weight)
    return ModelComparison(tuple(found), score, truth, weights, ratio, left_out)


def _usual(run: Any, classes: bool, n: int) -> tuple[list[ComparedModel], dict[str, str]]:
    """The usual models that take the rows, and why others do not."""
    models = usual_models(classes)
    found, left_out = [], {}
    for name, model in zip(names_of(models), models, strict=True):
        if n > SLOW and isinstance(last_of(model), SLOWER):
            left_out[name] = f"slow with more than {SLOW:,} rows; name it to compare it"
            continue
        try:
            found.append(run(name, model))
        except SufficeError as error:
            left_out[name] = str(error)
    return found, left_out


def _named(run: Any, models: Any) -> list[ComparedModel]:
    return [run(name, model) for name, model in _by_name(models).items()]


def _by_name(models: Any) -> dict[str, Any]:
    if isinstance(models, Mapping):
        found = {str(name): model for name, model in models.items()}
    else:
        some = list(models) if isinstance(models, (list, tuple)) else [models]
        found = dict(zip(names_of(some), some, strict=True))
    if not found:
        raise bad(OWNER, "models", "at least one estimator", Said("none"), "Leave it out for the usual ones.")
    return found


def _are_classes(models: Any, y: Array) -> bool:
    """Whether classes are predicted: what the models say, or what the target shows."""
    if models is None:
        return shows_classes(y)
    found = _by_name(models)
    for name, model in found.items():
        if isinstance(model, type) or not (is_classifier(model) or is_regressor(model)):
            raise bad(OWNER, "models", "classifiers or regressors", Said(f"{name}"), "Give estimators that predict.")
    kinds = {is_classifier(model) for model in found.values()}
    if len(kinds) > 1:
        told = next(name for name, model in found.items() if is_regressor(model))
        raise bad(OWNER, "models", "all classifiers or all regressors", Said(f"{told} among classifiers"))
    return bool(kinds.pop())


def shows_classes(y: Array) -> bool:
    """Whether a target holds classes: symbols, or whole numbers of which few are different."""
    whole = y.dtype.kind in "iu" or (y.dtype.kind == "f" and bool((y == np.round(y)).all()))
    return y.dtype.kind not in "iuf" or (whole and len(np.unique(y)) <= NUMBERS)


def _truth(X: Any, y: Any) -> Array:
    n = count_rows(X)
    truth = np.asarray(y)
    if truth.dtype.kind in "US":
        truth = truth.astype(object)
    if truth.ndim != 1 or len(truth) != n:
        raise bad(OWNER, "y", f"one label or number for each of the {n} rows", Said(f"shape {truth.shape}"))
    return truth


def _scoring(scoring: str | None, classes: bool) -> str:
    names = SCORES[Scores if classes else RegressionScores]
    if scoring is None:
        return "accuracy" if classes else "mean_squared_error"
    if scoring not in names:
        raise bad(OWNER, "scoring", f"one of {', '.join(names)}", scoring)
    return scoring


def _tested(name: str, model: Any, *, X: Any, y: Any, w: Any, splits: Splits, kinds: Any) -> ComparedModel:
    """A model, fitted and tested split by split."""
    begun, model = perf_counter(), give_kinds(model, kinds)
    added = adds(model) and splits.folds is not None
    fitted = fold_estimators(model, X, y, w, splits)
    tests = [test for _, test in splits.pairs]
    scores = tuple(split_scores(one, X, y, w, test) for one, test in zip(fitted, tests, strict=True))
    result = CrossValidation(scores, ADDED if added else REFITTED, 2 if added else len(scores))
    seconds = perf_counter() - begun
    return ComparedModel(name, model, result, _answers(fitted, X, splits), seconds)


def _answers(fitted: Any, X: Any, splits: Splits) -> Array | None:
    """The answer to each row (n,), where each is tested once; labels as objects, so that all models answer alike."""
    if splits.folds is None:
        return None
    parts = [np.asarray(one.predict(some_rows(X, test))) for one, (_, test) in zip(fitted, splits.pairs, strict=True)]
    kind = np.float64 if is_regressor(fitted[0]) else object
    out = np.empty(len(splits.folds), dtype=kind)
    for (_, test), part in zip(splits.pairs, parts, strict=True):
        out[test] = part
    return out


def _order(value: float) -> float:
    return np.inf if np.isnan(value) else value
