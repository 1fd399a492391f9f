"""Scores by name: our own, and any scorer of scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn.metrics import get_scorer

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.estimators.folds.fold_models import Splits, some_rows
from suffice.evaluation.scores.classification_scores import Scores
from suffice.evaluation.scores.regression_scores import RegressionScores

SCORES: dict[type[Any], tuple[str, ...]] = {
    Scores: ("accuracy", "balanced_accuracy", "brier", "kappa", "log_loss", "matthews"),
    RegressionScores: ("mean_absolute_error", "mean_squared_error", "r2", "root_mean_squared_error"),
}
OURS = frozenset(name for names in SCORES.values() for name in names)
LARGER_IS_BETTER = frozenset({"accuracy", "balanced_accuracy", "kappa", "matthews", "r2"})


def value_of(scores: Any, name: str) -> float:
    """One of our scores, by its name."""
    read = {full.removeprefix("mean_"): full for full in SCORES[type(scores)]} | {n: n for n in SCORES[type(scores)]}
    if name not in read:
        raise bad("cross_validate", "a score", f"among {sorted(SCORES[type(scores)])}", name, "Correct its name.")
    return float(getattr(scores, read[name]).value)


class NamedScorers(NamedTuple):
    """Scorers of scikit-learn; more is better."""

    scorers: Mapping[str, Any]

    def of(self, fitted: Sequence[Any], splits: Splits, X: Any, y: Any, sample_weight: Any) -> dict[str, Array]:
        """The scores of each split (K,), by name."""
        return {
            name: np.array(
                [
                    _score(scorer, model, X, y, sample_weight, test)
                    for model, (_, test) in zip(fitted, splits.pairs, strict=True)
                ]
            )
            for name, scorer in self.scorers.items()
        }


def read_scoring(owner: str, scoring: Any) -> NamedScorers:
    """A name, several names, name -> scorer, or a scorer; of our own scores nothing is asked."""
    if scoring is None:
        return NamedScorers({})
    if isinstance(scoring, Mapping):
        return NamedScorers({name: _scorer(owner, given) for name, given in scoring.items()})
    given = [scoring] if isinstance(scoring, str) or callable(scoring) else list(scoring)
    asked = {_name(one): one for one in given if not (isinstance(one, str) and one in OURS)}
    return NamedScorers({name: _scorer(owner, one) for name, one in asked.items()})


def _name(given: Any) -> str:
    return given if isinstance(given, str) else getattr(given, "__name__", type(given).__name__)


def _scorer(owner: str, given: Any) -> Any:
    if not isinstance(given, str):
        return given
    try:
        return get_scorer(given)
    except ValueError:
        rule = f"among {sorted(OURS)}, or a scorer of scikit-learn"
        raise bad(owner, "a score", rule, given, "Correct its name.") from None


def _score(scorer: Any, model: Any, X: Any, y: Any, sample_weight: Any, rows: Array) -> float:
    weights = {} if sample_weight is None else {"sample_weight": some_rows(np.asarray(sample_weight), rows)}
    return float(scorer(model, some_rows(X, rows), some_rows(y, rows), **weights))
