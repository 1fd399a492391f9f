"""CalibratedClassifier: any classifier, with probabilities that come true."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.frozen import FrozenEstimator
from sklearn.utils._param_validation import HasMethods, StrOptions
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.validation import check_is_fitted

from suffice.compose.around import AroundClassifier
from suffice.compose.calibration.calibrated_model import Calibrated, CalibratedModel
from suffice.compose.calibration.calibrating import MAPS, calibrate, read_learner
from suffice.compose.calibration.calibration_splits import held_out_models, read_held_out
from suffice.compose.calibration.responses import RESPONSES, ClassScorer, read_response
from suffice.compose.task import Task, read_task, routed
from suffice.core.errors import bad
from suffice.estimators.boundary.all_or_nothing import all_or_nothing
from suffice.estimators.boundary.table_rows import count_rows


class CalibratedClassifier(AroundClassifier):
    """A classifier whose scores are mapped to probabilities by rows it has not learned from.

        p(class | x) = map(score(x)),   map learned from the scores of rows held out in turn (cross-fitting)

    The classifier itself is then trained on all rows. One-pass classifiers learn the folds and the whole in one pass,
    however many folds there are; others are trained once more for each fold.

    Parameters
    ----------
    estimator : a classifier with `decision_function` or `predict_proba`, ours or scikit-learn's; None: `NaiveBayes()`.
        One in a `FrozenEstimator` is taken as it is, and all rows are used for the map
    map : "smooth_isotonic" (rising, never 0 or 1), "isotonic" (as in scikit-learn), "logistic" (Platt), "means"
        (logistic from class means), "binned", "temperature"; a class such as `IsotonicMap`; or a function of scores,
        class numbers and weights, such as `partial(BinnedMap.of, bins=5)`
    cv : how to hold out rows: a number of folds, a splitter of scikit-learn, pairs of row numbers, None for 5
        stratified folds (fewer where a class has fewer rows), or "prefit" if the estimator was trained on other rows.
        Folds by number are drawn by a hash of the place of a row in its class: sorted rows do no harm
    ensemble : train a pair of classifier and map for each fold and average their probabilities, instead of one
        classifier on all rows
    response : what is mapped: "decision_function", "log_odds", "log_proba", "predict_proba"; "auto" takes decision
        values where there are any, else log-odds; for a temperature, log-probabilities where there are any
    refusal : the label that `predict` gives where it refuses

    Attributes
    ----------
    calibrated_classifiers_ : pairs of a trained classifier and its map: one, or one a fold with `ensemble`
    prior_ : share of each class, which the probabilities assume

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from suffice import CalibratedClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = CalibratedClassifier(GaussianNB()).fit(X, y)
    >>> GaussianNB().fit(X, y).predict_proba(X[:1]).round(3), model.predict_proba(X[:1]).round(3)
    (array([[1., 0.]]), array([[0.993, 0.007]]))

    References
    ----------
    A. Niculescu-Mizil and R. Caruana, Predicting good probabilities with supervised learning (2005).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "estimator": [HasMethods(["fit", "predict_proba"]), HasMethods(["fit", "decision_function"]), None],
        "map": [StrOptions(set(MAPS)), callable],
        "cv": ["cv_object", StrOptions({"prefit"})],
        "ensemble": ["boolean"],
        "response": [StrOptions({"auto", *RESPONSES})],
        "refusal": "no_validation",
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        map: Any = "smooth_isotonic",
        cv: Any = None,
        ensemble: bool = False,
        response: str = "auto",
        refusal: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.estimator = estimator
        self.map = map
        self.cv = cv
        self.ensemble = ensemble
        self.response = response
        self.refusal = refusal

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> Self:
        """Learn the classifier and the map from these rows.

        Parameters
        ----------
        X : table that the estimator takes
        y : one label a row, of at least two classes
        sample_weight : one weight a row, at least 0, for the estimator and for the map
        params : for the estimator's `fit`, or with metadata routing for whoever requests them
        """
        with all_or_nothing(self):
            self._begin()
            estimator = self._inner()
            if isinstance(sample_weight, (int, float, np.number)):  # one for all rows
                sample_weight = np.full(count_rows(X), sample_weight)
            fit_params, split_params = routed(self, estimator, sample_weight, params)
            task = read_task(self._owner, estimator, X, y, sample_weight, fit_params)
            pairs = self._pairs(estimator, task, split_params)
            model = CalibratedModel(tuple(pairs), tuple(task.classes.tolist()), task.prior)
            return self._hold(model, pairs[0].estimator, task.classes, X)

    @property
    def calibrated_classifiers_(self) -> list[Calibrated]:
        """Pairs of a trained classifier and its map: one, or one a fold with `ensemble`."""
        return list(self._state()[0].model.pairs)

    def _pairs(self, estimator: Any, task: Task, split_params: Any) -> list[Calibrated]:
        learner, wishes = read_learner(self.map)
        answers = wishes if self.response == "auto" else (self.response,)
        scorer = ClassScorer(self._owner, read_response(self._owner, estimator, answers), tuple(task.classes.tolist()))
        if isinstance(estimator, FrozenEstimator):
            return [calibrate(estimator, scorer, learner, task, [(estimator, np.arange(task.n))])]
        splits = read_held_out(self._owner, self.cv, task, split_params)
        whole, models = held_out_models(estimator, task, splits, whole=not self.ensemble)
        held_out = [(model, test) for model, (_, test) in zip(models, splits.pairs, strict=True)]
        if self.ensemble:
            return [calibrate(model, scorer, learner, task, [(model, test)]) for model, test in held_out]
        return [calibrate(whole, scorer, learner, task, held_out)]

    def _inner(self) -> Any:
        """The estimator to train, or a frozen one."""
        if isinstance(self.cv, str) and self.estimator is not None and not isinstance(self.estimator, FrozenEstimator):
            check_is_fitted(self.estimator)
            return FrozenEstimator(self.estimator)
        return super()._inner()

    def _parameters(self) -> dict[str, Any]:
        """Parameters as they may be saved; a splitter decided about the rows of training alone."""
        if not isinstance(self.map, str):
            remedy = "A file holds numbers and a description, never code."
            raise bad(self, "map", f"one of {', '.join(MAPS)} to be saved", self.map, remedy)
        given = super()._parameters()
        return given if isinstance(self.cv, (Integral, str)) else {name: given[name] for name in given if name != "cv"}

    def get_metadata_routing(self) -> MetadataRouter:
        """Who gets which arguments of `fit`, where scikit-learn's metadata routing is switched on."""
        router = MetadataRouter(owner=self).add_self_request(self)
        to_fit, to_split = (MethodMapping().add(caller="fit", callee=callee) for callee in ("fit", "split"))
        return router.add(estimator=self._inner(), method_mapping=to_fit).add(splitter=self.cv, method_mapping=to_split)
