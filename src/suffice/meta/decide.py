"""Decide: any classifier, with its decisions made late: prior, costs, refusal, outliers."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils._param_validation import HasMethods, Interval

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.decision.decision import Decision
from suffice.decision.outliers import Outliers
from suffice.decision.posterior import Posterior
from suffice.decision.reading import read_prior, uniform
from suffice.estimators.all_or_nothing import all_or_nothing
from suffice.estimators.origin import label_array
from suffice.meta.around import AroundClassifier
from suffice.meta.assumed_prior import told_prior, trained_prior
from suffice.meta.densities import Densities, log_density
from suffice.meta.task import read_task

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
            self._validate_params()
            estimator = self._estimator()
            given = self._fit_params(estimator, sample_weight, params)
            task = read_task(type(self).__name__, estimator, X, y, sample_weight, given)
            model = task.train(estimator)
            told = told_prior(model)
            prior = trained_prior(model, task.prior) if told is None else told
            self.densities_ = self._densities(model, X, task.weights)
            self.estimator_, self.prior_ = model, self._stated_prior(model, prior)
            for name in ("n_features_in_", "feature_names_in_"):
                if hasattr(model, name):
                    setattr(self, name, getattr(model, name))
            return self

    def posterior(self, X: Any) -> Posterior:
        """p(class | x) with the class prior it assumes: the learned one."""
        model = self._model()
        return Posterior(self._proba(X), self._learned(model))

    def predict_proba(self, X: Any) -> Array:
        """p(class | x) of each row and class (n, K), under `prior`."""
        if self.prior is None:
            return self._proba(X)
        new = read_prior(self._owner, self.prior, self.classes_.tolist())
        return self.posterior(X).shift(new).proba

    def predict_log_proba(self, X: Any) -> Array:
        """log p(class | x) of each row and class (n, K), under `prior`."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

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
        wishes = self._wishes(prior, costs, reject, at_least, outliers)
        actions = self._actions(X, wishes)
        if all(wishes[name] is None for name in ("reject", "at_least", "outliers")):
            return np.asarray(self.classes_[actions])
        return label_array((*self.classes_.tolist(), self.unexplained, self.refusal))[actions]

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
        actions = self._actions(X, self._wishes(prior, costs, reject, at_least, outliers))
        return np.asarray(REASONS[np.where(actions < 0, -actions, 0)])

    def expected_cost(self, X: Any) -> Array:
        """The expected cost of each answer (n, K), and of refusing as one more column if `reject` is given."""
        decision = self._decision(self._wishes())
        return decision.expected_cost(self._posterior(X, decision))

    def _proba(self, X: Any) -> Array:
        return np.asarray(self._model().predict_proba(X), dtype=np.float64)

    def _posterior(self, X: Any, decision: Decision) -> Posterior:
        """The posterior, where its prior may stay unknown if the decision does not exchange it."""
        if decision.prior is not None:
            return self.posterior(X)
        proba = self._proba(X)
        return Posterior(proba, uniform(proba.shape[1]))

    def _wishes(self, *given: Any) -> dict[str, Any]:
        """The arguments given, and the parameters where there are none."""
        padded = (*given, *[None] * (len(WISHES) - len(given)))
        return {name: getattr(self, name) if wish is None else wish for name, wish in zip(WISHES, padded, strict=True)}

    def _decision(self, wishes: Mapping[str, Any]) -> Decision:
        four = {name: wish for name, wish in wishes.items() if name != "outliers"}
        return Decision.read(self._owner, self.classes_.tolist(), **four)

    def _actions(self, X: Any, wishes: Mapping[str, Any]) -> Array:
        """Class numbers, -1 where classes are too close, -2 where no class explains the row."""
        decision, limit = self._decision(wishes), self._limit(wishes["outliers"])
        actions = decision.decide(self._posterior(X, decision))
        return actions if limit is None else limit.mark(actions, log_density(self._owner, self._model(), X))

    def _densities(self, model: Any, X: Any, weights: Array | None) -> Densities | None:
        """Of the rows of training, where a share of them is to be refused."""
        if not isinstance(self.outliers, Real):
            return None
        return Densities.of(log_density(self._owner, model, X), weights)

    def _limit(self, outliers: Any) -> Outliers | None:
        if outliers is None or isinstance(outliers, Outliers):
            return outliers
        kept: Densities | None = getattr(self, "densities_", None)
        if kept is None:
            remedy = "Give outliers= before `fit`, or Outliers(least) with a log density."
            raise bad(
                self, "outliers", "None or Outliers where the densities of training were not kept", outliers, remedy
            )
        return Outliers(kept.quantile(self._owner, outliers))
