"""The model that a training is asked for by name: its plan, its parameters, what it predicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sklearn.base import is_classifier, is_regressor

from suffice.app.learning.model_names import build, read_settings
from suffice.app.learning.option_errors import usage
from suffice.app.learning.training_task import Wanted
from suffice.compose.calibration.calibrated_classifier import CalibratedClassifier
from suffice.estimators.glue.estimator import Estimator
from suffice.estimators.state.described import plain


def wanted_model(
    named: str, settings: Sequence[str], calibrate: str | None, kinds: Mapping[str, Any], key: str | bool | None
) -> Wanted:
    """The model of a name, ready to be trained.

    Parameters
    ----------
    named : as --model says it
    settings : as --set says them
    calibrate : how scores are mapped to probabilities; None for not at all
    kinds : of columns, as they were declared
    key : of a ledger, or True where one is drawn; None for no ledger
    """
    estimator = predictor(named, settings, kinds)
    if calibrate is not None:
        estimator = _calibrated(estimator, calibrate)
    if key:
        if "ledger" not in estimator.get_params(deep=False):
            raise usage("--ledger", f"a {type(estimator).__name__} keeps no ledger; NaiveBayes does.")
        estimator.set_params(ledger=key)
    name, numbers = type(estimator).__name__, bool(is_regressor(estimator))
    if not isinstance(estimator, Estimator):  # an ensemble: it reads rows by its members
        return Wanted(name, None, {}, numbers, estimator)
    return Wanted(estimator._owner, estimator._plan(), plain(estimator._parameters()), numbers, estimator)


def predictor(named: str, settings: Sequence[str], kinds: Mapping[str, Any] | None = None) -> Any:
    """A classifier or a regressor by its name."""
    estimator = build(named, read_settings(settings), kinds=kinds)
    if not (is_classifier(estimator) or is_regressor(estimator)):
        raise usage("--model", f"{named} predicts no column; transform, cluster and sample take such models.")
    return estimator


def _calibrated(estimator: Any, method: str) -> Any:
    if is_regressor(estimator):
        raise usage("--calibrate", "probabilities are calibrated, and this model predicts numbers.")
    return CalibratedClassifier(estimator, map=method.replace("-", "_"))
