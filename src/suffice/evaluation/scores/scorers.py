"""Scorers: the scores of this room as scikit-learn's model selection asks for them, `scorer(estimator, X, y)`.

They carry the names of scikit-learn's scorers. Unlike those, they know all classes of the estimator, so that a fold
without one of them is scored like any other, and a row the estimator refuses to answer is left out, not wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import nan
from typing import Any

import numpy as np

from suffice.core.errors import bad, shown
from suffice.decision.curves.contingency import checked_beta
from suffice.decision.curves.coverage_curve import CoverageCurve
from suffice.decision.curves.many_class_auc import hand_till_auc, one_vs_rest_auc
from suffice.decision.curves.precision_recall import PrecisionRecallCurve
from suffice.decision.curves.ranked_scores import rank_scores
from suffice.decision.curves.roc_curve import RocCurve
from suffice.evaluation.scores.class_scores import ClassScores
from suffice.evaluation.scores.classification_scores import Scores
from suffice.evaluation.scores.estimate import Estimate
from suffice.evaluation.scores.regression_scores import RegressionScores

Read = Callable[["Scorer", Any, Any, Any, Any], float]  # scorer, estimator, X, y, sample_weight
ByClass = Callable[[Scores, "Scorer"], ClassScores]


@dataclass(frozen=True)
class Scorer:
    """A callable that scores a fitted estimator on some rows; more is better.

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_score
    >>> from suffice import GaussianNB
    >>> cross_val_score(GaussianNB(), *load_iris(return_X_y=True), scoring=scorer("f1_macro"), cv=3).round(4)
    array([0.9191, 0.9392, 0.9606])
    """

    name: str
    positive: Any = None
    beta: float = 1.0

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The score of the estimator's predictions for the rows X, whose true answers are y."""
        return SCORERS[self.name](self, estimator, X, y, sample_weight)


def scorer(name: str, *, positive: Any = None, beta: float = 1.0) -> Scorer:
    """A scorer by its name.

    Parameters
    ----------
    name : as in scikit-learn, and "cohen_kappa", "f", "f_macro", "f_micro", "f_weighted"
    positive : the class that "precision", "recall", "f1" and "f" are about
    beta : of the F scores without a number: how many times as much recall counts as precision
    """
    if name not in SCORERS:
        raise bad("scorer", "name", f"one of {', '.join(SCORERS)}", name)
    if name in ONE_CLASS and positive is None:
        remedy = f"Or ask for {name}_macro, {name}_weighted or {name}_micro."
        raise bad("scorer", "positive", f"a class for {name!r}", None, remedy)
    return Scorer(name, positive, checked_beta("scorer", beta))


def _answers(estimator: Any, X: Any, y: Any, w: Any) -> Scores:
    refusal = getattr(estimator, "refusal", None)
    return Scores.of(y, None, predicted=estimator.predict(X), sample_weight=w, refusal=refusal)


def _answered(read: Callable[[Scores], float], scorer: Scorer, estimator: Any, X: Any, y: Any, w: Any) -> float:
    return float(read(_answers(estimator, X, y, w)))


def _probable(read: Callable[[Scores], float], scorer: Scorer, estimator: Any, X: Any, y: Any, w: Any) -> float:
    return float(read(Scores.of(y, estimator.predict_proba(X), estimator.classes_, sample_weight=w)))


def _by_class(
    read: Callable[[ClassScores], Estimate], score: ByClass, scorer: Scorer, estimator: Any, X: Any, y: Any, w: Any
) -> float:
    return read(score(_answers(estimator, X, y, w), scorer)).value


def _of_one(score: ByClass, scorer: Scorer, estimator: Any, X: Any, y: Any, w: Any) -> float:
    found = score(_answers(estimator, X, y, w), scorer)
    known = list(estimator.classes_)
    if scorer.positive not in known:
        raise bad("scorer", "positive", f"one of the classes {shown(tuple(known))}", scorer.positive)
    return float(found[scorer.positive].value) if scorer.positive in found.labels else nan


def _ranking(read: Callable[[CoverageCurve], float], scorer: Scorer, estimator: Any, X: Any, y: Any, w: Any) -> float:
    """Two classes, the second of the estimator's (or `positive`) being positive."""
    classes = np.asarray(estimator.classes_).tolist()
    if len(classes) != 2:
        raise bad("scorer", "classes of the estimator", f"two for {scorer.name!r}", shown(tuple(classes)))
    if hasattr(estimator, "decision_function"):
        scores = np.asarray(estimator.decision_function(X))
    else:
        scores = np.asarray(estimator.predict_proba(X))[:, 1]
    if scorer.positive == classes[0]:
        classes, scores = classes[::-1], -scores
    return read(CoverageCurve.read("scorer", scores, np.asarray(y), w, classes))


def _many(read: Callable[[Any], float], scorer: Scorer, estimator: Any, X: Any, y: Any, w: Any) -> float:
    return read(rank_scores(estimator.predict_proba(X), np.asarray(y), w, estimator.classes_))


def _numbers(
    read: Callable[[RegressionScores], float], scorer: Scorer, estimator: Any, X: Any, y: Any, w: Any
) -> float:
    return float(read(RegressionScores.of(y, estimator.predict(X), w)))


AVERAGES: dict[str, Callable[[ClassScores], Estimate]] = {
    "macro": lambda scores: scores.macro,
    "micro": lambda scores: scores.micro,
    "weighted": lambda scores: scores.weighted,
}
CLASS_SCORES: dict[str, ByClass] = {
    "precision": lambda scores, scorer: scores.precision,
    "recall": lambda scores, scorer: scores.recall,
    "f1": lambda scores, scorer: scores.f(1.0),
    "f": lambda scores, scorer: scores.f(scorer.beta),
}
ONE_CLASS = frozenset(CLASS_SCORES)
SCORERS: dict[str, Read] = {
    "accuracy": partial(_answered, lambda scores: scores.accuracy.value),
    "balanced_accuracy": partial(_answered, lambda scores: scores.balanced_accuracy.value),
    "matthews_corrcoef": partial(_answered, lambda scores: scores.matthews.value),
    "cohen_kappa": partial(_answered, lambda scores: scores.kappa.value),
    **{name: partial(_of_one, score) for name, score in CLASS_SCORES.items()},
    **{
        f"{name}_{average}": partial(_by_class, read, score)
        for name, score in CLASS_SCORES.items()
        for average, read in AVERAGES.items()
    },
    "neg_log_loss": partial(_probable, lambda scores: -scores.log_loss.value),
    "neg_brier_score": partial(_probable, lambda scores: -scores.brier.value),
    "roc_auc": partial(_ranking, lambda curve: RocCurve(curve).auc),
    "average_precision": partial(_ranking, lambda curve: PrecisionRecallCurve(curve).average_precision),
    "roc_auc_ovo": partial(_many, hand_till_auc),
    "roc_auc_ovo_weighted": partial(_many, partial(hand_till_auc, average="weighted")),
    "roc_auc_ovr": partial(_many, one_vs_rest_auc),
    "roc_auc_ovr_weighted": partial(_many, partial(one_vs_rest_auc, average="weighted")),
    "r2": partial(_numbers, lambda scores: scores.r2.value),
    "neg_mean_squared_error": partial(_numbers, lambda scores: -scores.mean_squared_error.value),
    "neg_root_mean_squared_error": partial(_numbers, lambda scores: -scores.root_mean_squared_error.value),
    "neg_mean_absolute_error": partial(_numbers, lambda scores: -scores.mean_absolute_error.value),
}
