"""Decide: any classifier, with its decisions made late: prior, costs, refusal, outliers."""

from __future__ import annotations

from dataclasses import replace
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils._param_validation import HasMethods, Interval
from sklearn.utils.validation import check_is_fitted

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.schema import Schema
from suffice.decision.outliers import Outliers
from suffice.decision.reading import read_prior
from suffice.estimators.all_or_nothing import all_or_nothing
from suffice.estimators.faces.probabilistic import wishes_of
from suffice.estimators.fitted import FittedModel, Found
from suffice.estimators.origin import Origin, label_type
from suffice.meta.around import AroundClassifier
from suffice.meta.around_plan import AroundPlan
from suffice.meta.assumed_prior import told_prior, trained_prior
from suffice.meta.decided_model import DecidedModel
from suffice.meta.densities import Densities, log_density
from suffice.meta.held import Held
from suffice.meta.task import fit_arguments, read_task

REASONS = np.array(["answered", "ambiguous", "outlier"])  # by minus the action, where it is a refusal
WISHES = ("prior", "costs", "reject", "at_least", "outliers")


class Decide(AroundClassifier):
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
            told = told_prior(model)
            prior = self._stated_prior(model, trained_prior(model, task.prior) if told is None else told)
            densities = self._densities(model, X, task.weights)
            kept = DecidedModel(self._owner, Held(model), tuple(np.asarray(model.classes_).tolist()), prior, densities)
            return self._hold(kept, model, X, label_type(np.asarray(model.classes_)))

    @property
    def estimator_(self) -> Any:
        """The trained classifier."""
        return self._state()[0].model.held.live

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
        return self._decided(X, self._given(prior, costs, reject, at_least, outliers))

    def reasons(
        self,
        X: Any,
        prior: Any = None,
        costs: Any = None,
        reject: Any = None,
        at_least: Any = None,
        outliers: Any = None,
    ) -> Array:
        """Why a row got an answer or none: "answered", "ambiguous" (classes too close), "outlier" (no class fits)."""
        state, X = self._state(X)
        actions = self._actions(state, X, wishes_of(state, self._given(prior, costs, reject, at_least, outliers)))
        return np.asarray(REASONS[np.where(actions < 0, -actions, 0)])

    def expected_cost(self, X: Any) -> Array:
        """The expected cost of each answer (n, K), and of refusing as one more column if `reject` is given."""
        state, X = self._state(X)
        decision = self._decision(state, wishes_of(state))
        return decision.expected_cost(self._posterior(state, X, needed=decision.prior is not None))

    def _given(self, *wishes: Any) -> dict[str, Any]:
        """What is asked for now; a share of outliers as a limit."""
        given = dict(zip(WISHES, wishes, strict=True))
        return {**given, "outliers": self._limit(given["outliers"], self._holding()[0].model.densities)}

    def _state(self, X: Any = None) -> tuple[FittedModel, Any]:
        """Parameters may have changed since: they are wishes, and nothing is trained again."""
        fitted, X = self._holding(), X
        wishes = {name: getattr(self, name) for name in WISHES if getattr(self, name) is not None}
        if "outliers" in wishes:
            wishes["outliers"] = self._limit(self.outliers, fitted[0].model.densities)
        plan = AroundPlan(self._owner, wishes, self.unexplained)
        return replace(fitted[0], plan=plan), X

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
        classes, told = np.asarray(model.classes_), told_prior(model)
        known = told is not None or self.learned_prior is not None
        prior = self._stated_prior(model, np.asarray(told)) if known else None
        kept = DecidedModel(self._owner, Held(model), tuple(classes.tolist()), prior, None)
        names = getattr(model, "feature_names_in_", None)
        named = None if names is None else tuple(names.tolist())
        origin = Origin(int(getattr(model, "n_features_in_", 1)), named, None, label_type(classes))
        return FittedModel(AroundPlan(self._owner), Schema(()), Found(kept)), origin

    def __sklearn_is_fitted__(self) -> bool:
        """Fitted is also who was given a fitted classifier."""
        try:
            self._holding()
        except NotFittedError:
            return False
        return True

    @property
    def _origin(self) -> Origin:  # type: ignore[override]
        return self._met if "_met" in vars(self) else self._holding()[1]

    @_origin.setter
    def _origin(self, origin: Origin) -> None:
        self._met = origin

    def _stated_prior(self, model: Any, prior: Array) -> Array:
        if self.learned_prior is None:
            return prior
        return read_prior(self._owner, self.learned_prior, np.asarray(model.classes_).tolist())

    def _densities(self, model: Any, X: Any, weights: Array | None) -> Densities | None:
        """Of the rows of training, where a share of them is to be refused."""
        if not isinstance(self.outliers, Real):
            return None
        return Densities.of(log_density(self._owner, model, X), weights)

    def _limit(self, outliers: Any, kept: Densities | None) -> Outliers | None:
        if outliers is None or isinstance(outliers, Outliers):
            return outliers
        if kept is None:
            remedy = "Give outliers= before `fit`, or Outliers(least) with a log density."
            raise bad(
                self, "outliers", "None or Outliers where the densities of training were not kept", outliers, remedy
            )
        return Outliers(kept.quantile(self._owner, outliers))
