"""ModelAverage: classifiers weighed by how probable they are once the rows were seen.

    p(class | x) = sum_m P(m | rows) p(class | x, m),     P(m | rows) ~ P(m) p(rows | m)

Reference: J. Hoeting, D. Madigan, A. Raftery, C. Volinsky, Bayesian model averaging: a tutorial (1999).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import ClassifierMixin, clone
from sklearn.utils import get_tags
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.metaestimators import _BaseComposition
from sklearn.utils.validation import validate_data

from suffice.bayes.inference.model_evidence import exact_evidence, joint_log_likelihood, label_log_likelihood
from suffice.bayes.inference.model_posterior import ModelPosterior
from suffice.bayes.naive.featureless import Featureless
from suffice.bayes.naive.naive_bayes import NaiveBayes
from suffice.bayes.readings.parameter_counts import count_parameters
from suffice.compose.around import origin_of
from suffice.compose.around_plan import AroundPlan
from suffice.compose.around_readings import Averages
from suffice.compose.averaged_model import AveragedModel
from suffice.compose.held import Held, to_save
from suffice.core.block import Array
from suffice.core.errors import bad, in_our_name
from suffice.core.schema import Schema
from suffice.decision.decide.posterior import Posterior
from suffice.estimators.boundary.all_or_nothing import all_or_nothing
from suffice.estimators.boundary.targets import read_weights
from suffice.estimators.faces.probabilistic import Probabilistic
from suffice.estimators.glue.estimator import Estimator
from suffice.estimators.state.described import plain
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.estimators.state.loaded import SavedModel


class ModelAverage(Averages, Probabilistic, ClassifierMixin, Estimator, _BaseComposition):  # type: ignore[misc]
    """Bayesian model averaging over classifiers with `predict_proba`.

    Evidence is of one kind for all models, because kinds speak of different things and are never mixed:

        exact   log p(X, y | m), parameters integrated: for naive Bayes of ours whose priors are conjugate and proper
        joint   log p(X, y | m, fit) - k / 2 log n, the Bayesian information criterion: for models with `score_samples`
                that describe the cells as they are, not cut to levels
        labels  log p(y | X, m, fit) - k / 2 log n: for any classifier; overconfident ones pay dearly

    Parameters
    ----------
    estimators : list of (name, classifier); None weighs `NaiveBayes()` against `Featureless()`
    prior : probability of each model before the rows, name -> probability or in their order; None: equal
    evidence : "exact", "joint" or "labels"; "auto" takes the first of them that all models can give
    n_parameters : name -> number of learned parameters, for models whose numbers cannot be counted
    refusal : the label that `predict` gives where it refuses

    Attributes
    ----------
    models_ : the fitted classifiers, in order
    posterior_ : `ModelPosterior`: log evidence, weights, the best model, Bayes factors
    evidence_ : "exact", "joint" or "labels"
    classes_, n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import ModelAverage, NaiveBayes
    >>> from suffice.families import Categorical, Dirichlet
    >>> X = {"a": ["x", "x", "y", "y"] * 5, "b": ["u", "v"] * 10}
    >>> y = ["+", "+", "-", "-"] * 5
    >>> models = [(f"{a}", NaiveBayes(by_kind={"categorical": Categorical(Dirichlet(a))})) for a in (0.1, 10.0)]
    >>> model = ModelAverage(models).fit(X, y)
    >>> model.evidence_, model.posterior_.best
    ('exact', '0.1')
    """

    _in_its_own_way: ClassVar[bool] = True  # it divides rows by itself, in memory
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "estimators": [list, tuple, None],
        "prior": "no_validation",
        "evidence": [StrOptions({"auto", "exact", "joint", "labels"})],
        "n_parameters": [Mapping, None],
        "refusal": "no_validation",
    }

    def __init__(
        self,
        estimators: Any = None,
        prior: Any = None,
        evidence: str = "auto",
        n_parameters: Mapping[str, int] | None = None,
        refusal: Any = None,
    ) -> None:
        """Keep the parameters."""
        self.estimators = estimators
        self.prior = prior
        self.evidence = evidence
        self.n_parameters = n_parameters
        self.refusal = refusal

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters, those of the models included."""
        if self.estimators is None:
            return super().get_params(deep=False)  # type: ignore[no-any-return]
        return self._get_params("estimators", deep=deep)  # type: ignore[no-any-return]

    def set_params(self, **params: Any) -> Self:
        """Change parameters, those of the models by `name__parameter`."""
        if self.estimators is None and "estimators" not in params:
            return super().set_params(**params)
        return self._set_params("estimators", **params)  # type: ignore[no-any-return]

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit every model and weigh them.

        Parameters
        ----------
        X : table that all models can read
        y : one label a row
        sample_weight : one weight a row, at least 0; weight w counts as w copies
        """
        with all_or_nothing(self):
            self._begin()
            members = self._members()
            weights = {} if sample_weight is None else {"sample_weight": sample_weight}
            models = [clone(model).fit(X, y, **weights) for _, model in members]
            classes = max((model.classes_ for model in models), key=len)
            labels = np.asarray(y, dtype=object).ravel()
            w = read_weights("ModelAverage", sample_weight, len(labels))
            evidence, found = self._weigh(models, X, labels, w)
            weighed = ModelPosterior.of(dict(zip([name for name, _ in members], found, strict=True)), self.prior)
            shares = _shares(classes, labels, w)
            kept = AveragedModel(
                self._owner, tuple(map(Held, models)), weighed, evidence, tuple(classes.tolist()), shares
            )
            self._look_like(models)
            return self._adopt(self._fitted_value(kept), origin_of(self, classes, X))

    def posterior(self, X: Any, prior: Any = None) -> Posterior:
        """The averaged posterior; another class prior is exchanged in each model before averaging.

        Parameters
        ----------
        X : table
        prior : (K,) probabilities in class order; None: the shares of training
        """
        told = super().posterior(X)
        return told if prior is None else told.shift(prior)

    def _members(self) -> list[tuple[str, Any]]:
        if self.estimators is None:
            return [("naive", NaiveBayes()), ("featureless", Featureless())]
        members = list(self.estimators)
        if not members or not all(map(_is_named, members)):
            raise bad(self, "estimators", "a list of at least one (name, classifier)", self.estimators, "Name one.")
        names = [name for name, _ in members]
        if len(set(names)) < len(names):
            raise bad(self, "estimators", "a list of models with names of their own", names, "Rename one.")
        for name, model in members:
            if not hasattr(model, "predict_proba"):
                raise bad(self, f"model {name!r}", "a classifier with predict_proba", model, "Calibrate its scores.")
        return members

    def _look_like(self, models: list[Any]) -> None:
        """Number and names of columns, where some model has met some."""
        for attribute in ("n_features_in_", "feature_names_in_"):
            owners = [model for model in models if hasattr(model, attribute)]
            if owners:
                setattr(self, attribute, getattr(owners[0], attribute))

    def _check_X(self, X: Any, *, first: bool, learning: bool = True) -> Any:
        """Number and names of columns; the models check the cells."""
        if len(getattr(X, "shape", ())) == 2 and hasattr(self, "n_features_in_"):
            with in_our_name(self._owner):
                validate_data(self, X, reset=False, skip_check_array=True)
        return X

    def _plan(self) -> AroundPlan:
        return AroundPlan(self._owner, tells=("average",))

    def _fitted_value(self, model: AveragedModel) -> FittedModel:
        return FittedModel(self._plan(), Schema(()), Found(model))

    def _parameters(self) -> dict[str, Any]:
        """Without the models, which are held."""
        told = {name: getattr(self, name) for name in ("prior", "evidence", "n_parameters", "refusal")}
        return {**told, "named": self.estimators is not None}

    @classmethod
    def _made_of(cls, parameters: Mapping[str, Any]) -> Self:
        return cls(None, **{name: value for name, value in parameters.items() if name != "named"})

    def _saved(self) -> SavedModel:
        fitted = self._state()[0]
        for name, held in zip(fitted.model.weighed.names, fitted.model.helds, strict=True):
            if not hasattr(held.bare, "_saved"):
                rule = "one of suffice's in an average to be saved"
                raise bad(self, f"model {name!r}", rule, held.bare, "Leave it out.")
        return SavedModel(self._owner, to_save(self._owner, fitted), self._origin, plain(self._parameters()))

    def _restore(self, value: SavedModel) -> Self:
        """Take on what a file held, the models as estimators."""
        model: AveragedModel = value.fitted.model.holding(Held.restored)
        models = [held.value for held in model.helds]
        if value.parameters.get("named", True):
            self.estimators = list(zip(model.weighed.names, models, strict=True))
        self._look_like(models)
        return self._adopt(self._fitted_value(model), value.origin)

    def _weigh(self, models: list[Any], X: Any, labels: Array, w: Array | None) -> tuple[str, list[float]]:
        """The kind of evidence asked for, or the first that all models can give, and what they give."""
        tried = [self.evidence] if self.evidence in WEIGHINGS else list(WEIGHINGS)
        for kind in tried:
            found = [WEIGHINGS[kind](model, X, labels, w) for model in models]
            known = [value for value in found if value is not None]
            if len(known) == len(found):
                return kind, list(np.subtract(known, 0.0 if kind == "exact" else self._charges(models, labels, w)))
        at = [value is None for value in found].index(True)
        raise bad(self, f"model {self._members()[at][0]!r}", NEEDS[tried[0]], models[at], "Or use 'auto'.")

    def _charges(self, models: list[Any], labels: Array, w: Array | None) -> list[float]:
        """What the parameters of each model cost: k / 2 log n."""
        n, given = float(len(labels) if w is None else w.sum()), self.n_parameters or {}
        pairs = zip((name for name, _ in self._members()), models, strict=True)
        counts = [given[name] if name in given else count_parameters("ModelAverage", name, m) for name, m in pairs]
        return [0.5 * k * np.log(max(n, 1.0)) for k in counts]

    def __sklearn_tags__(self) -> Any:
        """What all of its models can read."""
        tags = super().__sklearn_tags__()
        named = [model for _, model in filter(_is_named, self.estimators or ())]  # `fit` refuses others
        inner = [get_tags(model).input_tags for model in named or (NaiveBayes(),)]
        for name in ("allow_nan", "sparse", "string", "categorical"):
            setattr(tags.input_tags, name, all(getattr(each, name) for each in inner))
        return tags


def _is_named(member: Any) -> bool:
    """Whether a member is a pair of its name and a model."""
    return isinstance(member, (tuple, list)) and len(member) == 2


def _exactly(model: Any, X: Any, labels: Array, w: Array | None) -> float | None:
    return exact_evidence(model, X, w)


WEIGHINGS: dict[str, Callable[[Any, Any, Array, Array | None], float | None]] = {
    "exact": _exactly,
    "joint": joint_log_likelihood,
    "labels": label_log_likelihood,
}
NEEDS = {
    "exact": "a naive Bayes whose families all have proper conjugate priors, given in full",
    "joint": "a classifier with score_samples that describes the cells as they are",
}


def _shares(classes: Array, labels: Array, w: Array | None) -> Array:
    """Shares of the classes among the rows (K,)."""
    weight = np.ones(len(labels)) if w is None else w
    shares = np.array([weight[labels == label].sum() for label in classes])
    return np.asarray(shares / shares.sum())
