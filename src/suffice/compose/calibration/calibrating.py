"""Maps from scores to probabilities, learned from rows that the classifier has not seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np

from suffice.compose.calibration.calibrated_model import Calibrated
from suffice.compose.calibration.responses import ClassScorer
from suffice.compose.held import Held
from suffice.compose.task import Task
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.decision.maps.binned_map import BinnedMap
from suffice.decision.maps.isotonic_map import IsotonicMap
from suffice.decision.maps.logistic_map import LogisticMap
from suffice.decision.maps.score_map import ScoreMap
from suffice.decision.maps.temperature_map import TemperatureMap
from suffice.estimators.boundary.table_rows import take_rows

Learn = Callable[[Array, Array, Array | None], ScoreMap]  # from scores, class numbers and weights
Wishes = tuple[str, ...]  # responses, the best first

SCORES: Wishes = ("decision_function", "log_odds")
LOGS: Wishes = ("log_proba", "decision_function")

MAPS: dict[str, tuple[Learn, Wishes]] = {
    "binned": (BinnedMap.of, SCORES),
    "isotonic": (IsotonicMap.of, SCORES),
    "logistic": (LogisticMap.of, SCORES),
    "means": (LogisticMap.of_means, SCORES),
    "smooth_isotonic": (partial(IsotonicMap.of, smoothing=1.0), SCORES),
    "temperature": (TemperatureMap.of, LOGS),
}


def read_learner(map: Any) -> tuple[Learn, Wishes]:
    """How a map is learned, and from what."""
    if isinstance(map, str):
        return MAPS[map]
    if isinstance(map, type) and issubclass(map, ScoreMap):
        return getattr(map, "of"), LOGS if issubclass(map, TemperatureMap) else SCORES  # noqa: B009
    return map, SCORES


def calibrate(
    model: Any, scorer: ClassScorer, learn: Learn, task: Task, held_out: Iterable[tuple[Any, Array]]
) -> Calibrated:
    """The map of a model, learned from the scores that other models give to the rows held out from them."""
    parts = [(scorer(fold, take_rows(task.X, rows)), rows) for fold, rows in held_out]
    scores, rows = (np.concatenate(side) for side in zip(*parts, strict=True))
    scorer = scorer.bounded(scores)
    weights = None if task.weights is None else task.weights[rows]
    map = learn(scorer.within(scores), task.codes[rows], weights)
    if not isinstance(map, ScoreMap):
        rule = "a function that returns a map from scores to probabilities"
        raise bad(scorer.owner, "map", rule, Said(type(map).__name__))
    return Calibrated(Held(model), scorer, map)
