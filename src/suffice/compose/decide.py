"""Decide: any classifier, with its decisions made late: prior, costs, refusal, outliers."""

from __future__ import annotations

from dataclasses import replace
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils._param_validation import HasMethods, Interval
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from suffice.compose.around import AroundClassifier, origin_of
from suffice.compose.around_plan import AroundPlan
from suffice.compose.around_readings import WISHES, Reasons
from suffice.compose.assumed_prior import told_prior, trained_prior
from suffice.compose.decided_model import DecidedModel
from suffice.compose.densities import Densities, log_density
from suffice.compose.held import Held
from suffice.compose.learning_on import (
    aligned,
    check_no_share,
    decided_models,
    passes_on,
    to_change,
    weights_by_class,
)
from suffice.compose.task import fit_arguments, read_task
from suffice.core.block import Array
from suffice.core.schema import Schema
from suffice.decision.decide.outliers import Outliers
from suffice.decision.decide.read_wishes import read_prior
from suffice.estimators.boundary.all_or_nothing import all_or_nothing
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.estimators.state.origin import Origin


class Decide(Reasons, AroundClassifier):
    """Around any classifier with probabilities: the answer of least expected cost, or none, chosen when predicting.

        answer(x) = argmin_a sum_c costs[c, a] p(c | x),   p(c | x) ~ p_learned(c | x) prior(c) / learned_prior(c)

    All but the last of the parameters can be changed at any time, by `set_params` or as arguments of `predict`; nothing
    is trained again. A classifier that has been trained is used as it is: `Decide(model, costs=...).predict(X)`.

    Parameters
    ----------
    estimator : a classifier with `predict_proba`, ours or scikit-learn's, trained or not; None: `NaiveBayes()`
    prior : class prior to assume: label -> share, array in class order, or "uniform"; None: the learned one
    costs : costs[true, answer] as array, label -> label -> cost, or one table a row; what is not named costs 0 for
        right, 1 for wrong
    reject : cost of refusing, in the unit of `costs`; None: always answer
    at_least : probability of the answer below which nothing is answered
    outliers : refuse rows that no class explains: the share of the training rows to count as such, or `Outliers` with
        the lowest log density; the classifier must know p(x), as generative ones do; None: never
    refusal : the label given where classes are too close to answer
    unexplained : the label given to outliers
    learned_prior : class prior that the classifier's probabilities assume, in the same forms as `prior`; None: what the
        classifier tells, or else the class shares of the training rows, as its `class_weight` counts them

    Attributes
    ----------
    estimator_ : the trained classifier
    classes_ : (K,) labels
    prior_ : (K,) class prior that its probabilities assume
    densities_ : log densities of the training rows where `outliers` is a share, else None
    receipt_ : what the last `forget` of the classifier left

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from suffice import Decide, GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> model = Decide(GaussianNB(), at_least=0.9, refusal=-1, outliers=0.01, unexplained=-2).fit(X, y)
    >>> model.predict(X)[[0, 70, 117]], model.reasons(X)[[0, 70, 117]].tolist()
    (array([ 0, -1, -2]), ['answered', 'ambiguous', 'outlier'])
    >>> model.predict(X, at_least=0.6)[70]
    np.int64(2)
    """

    _in_its_own_way: ClassVar[bool] = False  # rows go to the classifier as they are, those on an engine too
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "estimator": [HasMethods(["fit", "predict_proba"]), None],
        "prior": "no_validation",
        "costs": "no_validation",
        "reject": [Real, None],
        "at_least": [Interval(Real, 0, 1, closed="both"), None],
        "outliers": [Interval(Real, 0, 1, closed="left"), Outliers, None],
        "refusal": "no_validation",
        "unexplained": "no_validation",
        "learned_prior": "no_validation",
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        prior: Any = None,
        costs: Any = None,
        reject: Any = None,
        at_least: Any = None,
        outliers: Any = None,
        refusal: Any = None,
        unexplained: Any = None,
        learned_prior: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.estimator = estimator
        self.prior = prior
        self.costs = costs
        self.reject = reject
        self.at_least = at_least
        self.outliers = outliers
        self.refusal = refusal
        self.unexplained = unexplained
        self.learned_prior = learned_prior

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> Self:
        """Train the classifier, and note the prior and, if `outliers` is a share, the densities of its rows.

        Parameters
        ----------
        X : table that the estimator takes
        y : one label a row, of at least two classes
        sample_weight : one weight a row, at least 0
        params : for the estimator's `fit`, or with metadata routing for whoever requests them
        """
        with all_or_nothing(self):
            self._begin()
            estimator = self._inner()
            given = fit_arguments(self, estimator, sample_weight, params)
            task = read_task(self._owner, estimator, X, y, sample_weight, given)
            model = task.train(estimator)
            return self._hold_trained(model, task.met, self._densities(model, X, task.weights), X)

    @available_if(passes_on("partial_fit"))  # type: ignore[untyped-decorator]
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more rows, where the classifier can; the prior is told anew.

        Parameters
        ----------
        X, y, sample_weight : as for `fit`
        classes : all classes that will come, for classifiers that need to know them at first
        """
        given = {"classes": classes, "sample_weight": sample_weight}
        with all_or_nothing(self):
            before, model = self._to_change()
            model.partial_fit(X, y, **{name: value for name, value in given.items() if value is not None})
            return self._changed(before, model, y, sample_weight, 1.0, X)

    @available_if(passes_on("forget"))  # type: ignore[untyped-decorator]
    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Take rows away that were learned before, where the classifier can; the prior is told anew.

        Parameters
        ----------
        X, y, sample_weight : the rows, as they were given when learned
        """
        with all_or_nothing(self):
            before, model = self._to_change()
            model.forget(X, y, sample_weight)
            self._changed(before, model, y, sample_weight, -1.0, X)
            self.receipt_ = model.receipt_
            return self

    @available_if(passes_on("merge"))  # type: ignore[untyped-decorator]
    def merge(self, *others: Any) -> Self:
        """Add the rows that other models have learned from, where the classifier can; the prior is told anew.

        Parameters
        ----------
        others : models of the same kind, estimators or loaded from files
        """
        with all_or_nothing(self):
            before, model = self._to_change()
            kept = decided_models(self._owner, others)
            model.merge(*(other.held.live for other in kept))
            classes = np.asarray(model.classes_).tolist()
            met = [one for one in (aligned(each, classes) for each in (before, *kept) if each) if one is not None]
            return self._hold_trained(model, np.sum(met, axis=0) if len(met) == len(kept) + 1 else None, None)

    def _to_change(self) -> tuple[DecidedModel | None, Any]:
        """What was trained, and a copy of it that may change; at the beginning nothing, and an untrained estimator."""
        self._validate_params()
        check_no_share(self._owner, self.outliers)
        if not self.__sklearn_is_fitted__():
            return None, clone(self._inner())
        before: DecidedModel = self._holding()[0].model
        model = to_change(before.held.live)
        if self.ledger is not None:  # the key of a ledger, which is in no file
            model.ledger = self.ledger
        return before, model

    def _changed(
        self, before: DecidedModel | None, model: Any, y: Any, sample_weight: Any, sign: float, X: Any
    ) -> Self:
        """Rows were added or taken away: where the classifier tells no prior, the weight of each class follows."""
        if told_prior(model) is not None:
            return self._hold_trained(model, None, None, X)
        classes = np.asarray(model.classes_).tolist()
        met = np.zeros(len(classes)) if before is None else aligned(before, classes)
        if met is not None:
            met = met + sign * weights_by_class(self._owner, classes, y, sample_weight)
        return self._hold_trained(model, met, None, X)

    def _hold_trained(self, model: Any, met: Array | None, densities: Densities | None, X: Any = None) -> Self:
        """Take on a classifier that was trained here, with the prior it assumes."""
        classes, told = np.asarray(model.classes_), told_prior(model)
        if told is None and met is not None:
            told = trained_prior(model, met / met.sum())
        prior = self._stated_prior(model, told)
        kept = DecidedModel(self._owner, Held(model), tuple(classes.tolist()), prior, met, densities)
        return self._hold(kept, model, classes, X)

    @property
    def estimator_(self) -> Any:
        """The trained classifier."""
        if "fitted_" not in vars(self):
            raise AttributeError(f"{self._owner} has no estimator_ before it is fitted.")
        return self.fitted_.model.held.live

    @property
    def densities_(self) -> Densities | None:
        """Log densities of the training rows where `outliers` is a share, else None."""
        kept: Densities | None = self._state()[0].model.densities
        return kept

    def predict(
        self,
        X: Any,
        prior: Any = None,
        costs: Any = None,
        reject: Any = None,
        at_least: Any = None,
        outliers: Any = None,
    ) -> Array:
        """The label of least expected cost for each row, `refusal` or `unexplained` where none is answered.

        Parameters
        ----------
        X : table that the estimator takes
        prior, costs, reject, at_least, outliers : in place of the parameters of that name; None leaves them in force
        """
        limit = self._holding()[0].model.limit(outliers)
        return self._decided(X, dict(zip(WISHES, (prior, costs, reject, at_least, limit), strict=True)))

    def _plan(self) -> AroundPlan:
        return AroundPlan(self._owner, unexplained=self.unexplained, tells=("reasons",))

    def _state(self, X: Any = None) -> tuple[FittedModel, Any]:
        """Parameters may have changed since: they are wishes, and nothing is trained again."""
        fitted = self._holding()[0]
        wishes = {name: getattr(self, name) for name in WISHES if getattr(self, name) is not None}
        if "outliers" in wishes:
            wishes["outliers"] = fitted.model.limit(self.outliers)
        return replace(fitted, plan=replace(self._plan(), wishes=wishes)), X

    def _holding(self) -> tuple[FittedModel, Origin]:
        """What was trained here, or the classifier given if that has been trained."""
        if "fitted_" in vars(self):
            return self.fitted_, self._origin
        if self.estimator is not None:
            try:
                check_is_fitted(self.estimator)
            except NotFittedError:
                pass
            else:
                return self._elsewhere(self.estimator)
        raise NotFittedError(
            f"This {self._owner} instance is not fitted yet. Call 'fit' with appropriate arguments before using this "
            "estimator, or give it a classifier that is."
        )

    def _elsewhere(self, model: Any) -> tuple[FittedModel, Origin]:
        """A classifier that was trained elsewhere; it tells its prior, or that is stated, or it stays unknown."""
        classes = np.asarray(model.classes_)
        prior = self._stated_prior(model, told_prior(model))
        kept = DecidedModel(self._owner, Held(model), tuple(classes.tolist()), prior)
        return FittedModel(self._plan(), Schema(()), Found(kept)), origin_of(model, classes)

    def __sklearn_is_fitted__(self) -> bool:
        """Fitted is also who was given a fitted classifier."""
        try:
            self._holding()
        except NotFittedError:
            return False
        return True

    @property
    def _origin(self) -> Origin:
        return self._met if "_met" in vars(self) else self._holding()[1]

    @_origin.setter
    def _origin(self, origin: Origin) -> None:
        self._met = origin

    def _stated_prior(self, model: Any, prior: Array | None) -> Array | None:
        if self.learned_prior is None:
            return prior
        return read_prior(self._owner, self.learned_prior, np.asarray(model.classes_).tolist())

    def _densities(self, model: Any, X: Any, weights: Array | None) -> Densities | None:
        """Of the rows of training, where a share of them is to be refused."""
        if not isinstance(self.outliers, Real):
            return None
        return Densities.of(log_density(self._owner, model, X), weights)
