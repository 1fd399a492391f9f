"""ModelAverage: classifiers weighed by how probable they are once the rows were seen.

    p(class | x) = sum_m P(m | rows) p(class | x, m),     P(m | rows) ~ P(m) p(rows | m)

Reference: J. Hoeting, D. Madigan, A. Raftery, C. Volinsky, Bayesian model averaging: a tutorial (1999).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os import PathLike
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import ClassifierMixin, clone
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.metaestimators import _BaseComposition
from sklearn.utils.validation import check_is_fitted, validate_data

from suffice.bayes.inference.averaging import Averaging
from suffice.bayes.inference.model_evidence import describes_cells, exact_evidence
from suffice.bayes.inference.model_posterior import ModelPosterior
from suffice.bayes.inference.saved_average import SavedAverage
from suffice.bayes.naive.featureless import Featureless
from suffice.bayes.naive.naive_bayes import NaiveBayes
from suffice.bayes.readings.parameter_counts import count_parameters
from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.estimators.boundary.all_or_nothing import all_or_nothing
from suffice.estimators.boundary.scikit_checks import in_our_name
from suffice.estimators.boundary.weights import read_weights
from suffice.estimators.state.origin import Origin, column_names, label_type


class ModelAverage(Averaging, ClassifierMixin, _BaseComposition):  # type: ignore[misc]
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
            return super().set_params(**params)  # type: ignore[no-any-return]
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
            self._validate_params()
            members = self._members()
            weights = {} if sample_weight is None else {"sample_weight": sample_weight}
            self.models_ = [clone(model).fit(X, y, **weights) for _, model in members]
            self._note_columns(X, first=True)
            self.classes_ = max((model.classes_ for model in self.models_), key=len)
            labels = np.asarray(y, dtype=object).ravel()
            w = read_weights("ModelAverage", sample_weight, len(labels))
            self.evidence_, found = self._weigh(X, labels, w)
            names = [name for name, _ in members]
            self.posterior_ = ModelPosterior.of(dict(zip(names, found, strict=True)), self.prior)
            self.class_prior_ = _shares(self.classes_, labels, w)
            return self

    def _members(self) -> list[tuple[str, Any]]:
        if self.estimators is None:
            return [("naive", NaiveBayes()), ("featureless", Featureless())]
        members = list(self.estimators)
        if not members:
            raise bad(self, "estimators", "a list of at least one (name, classifier)", self.estimators, "Name one.")
        names = [name for name, _ in members]
        if len(set(names)) < len(names):
            raise bad(self, "estimators", "a list of models with names of their own", names, "Rename one.")
        for name, model in members:
            if not hasattr(model, "predict_proba"):
                raise bad(self, f"model {name!r}", "a classifier with predict_proba", model, "Calibrate its scores.")
        return members

    def _note_columns(self, X: Any, first: bool) -> None:
        """Number and names of columns, where X has some; the models check the cells."""
        if first:
            for attribute in ("n_features_in_", "feature_names_in_"):
                self.__dict__.pop(attribute, None)  # of an earlier fit
                owners = [model for model in self.models_ if hasattr(model, attribute)]
                if owners:
                    setattr(self, attribute, getattr(owners[0], attribute))
        elif len(getattr(X, "shape", ())) == 2 and hasattr(self, "n_features_in_"):
            with in_our_name("ModelAverage"):
                validate_data(self, X, reset=False, skip_check_array=True)

    def _look_at(self, X: Any) -> None:
        check_is_fitted(self, "posterior_")
        self._note_columns(X, first=False)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the average to a file: numbers and a description, never code. `suffice.load` reads it."""
        from suffice.persistence import save

        save(self._saved(), path)

    def _saved(self) -> SavedAverage:
        check_is_fitted(self, "posterior_")
        for name, model in zip(self.posterior_.names, self.models_, strict=True):
            if not hasattr(model, "_saved"):
                raise bad(self, f"model {name!r}", "one of suffice's in an average to be saved", model, "Leave it out.")
        width, names = getattr(self, "n_features_in_", 0), column_names(self)
        parameters = {name: getattr(self, name) for name in ("prior", "evidence", "n_parameters", "refusal")}
        return SavedAverage(
            tuple(model._saved() for model in self.models_),
            self.posterior_,
            self.evidence_,
            tuple(self.classes_.tolist()),
            self.class_prior_,
            Origin(width, names, None, label_type(self.classes_)),
            parameters,
            self.estimators is not None,
        )

    @classmethod
    def _restored(cls, value: SavedAverage, models: list[Any]) -> Self:
        """The estimator that was saved, with its fitted models."""
        members = list(zip(value.posterior.names, models, strict=True)) if value.named else None
        made = cls(members, **value.parameters)
        made.models_, made.posterior_, made.evidence_ = models, value.posterior, value.evidence
        made.classes_, made.class_prior_ = value.origin.classes(value.classes), value.class_prior
        made._note_columns(None, first=True)
        return made

    def _weigh(self, X: Any, labels: Array, w: Array | None) -> tuple[str, list[float]]:
        """The kind of evidence asked for, or the first that all models can give, and what they give."""
        tried = [self.evidence] if self.evidence in WEIGHINGS else list(WEIGHINGS)
        for kind in tried:
            found = [WEIGHINGS[kind](model, X, labels, w) for model in self.models_]
            known = [value for value in found if value is not None]
            if len(known) == len(found):
                return kind, list(np.subtract(known, 0.0 if kind == "exact" else self._charges(labels, w)))
        at = [value is None for value in found].index(True)
        raise bad(self, f"model {self._members()[at][0]!r}", NEEDS[tried[0]], self.models_[at], "Or use 'auto'.")

    def _charges(self, labels: Array, w: Array | None) -> list[float]:
        """What the parameters of each model cost: k / 2 log n."""
        n, given = float(len(labels) if w is None else w.sum()), self.n_parameters or {}
        pairs = zip((name for name, _ in self._members()), self.models_, strict=True)
        counts = [given[name] if name in given else count_parameters("ModelAverage", name, m) for name, m in pairs]
        return [0.5 * k * np.log(max(n, 1.0)) for k in counts]

    def __sklearn_tags__(self) -> Any:
        """What all of its models can read."""
        tags = super().__sklearn_tags__()
        members = (NaiveBayes(),) if not self.estimators else (model for _, model in self.estimators)
        inner = [model.__sklearn_tags__().input_tags for model in members]
        for name in ("allow_nan", "sparse", "string", "categorical"):
            setattr(tags.input_tags, name, all(getattr(each, name) for each in inner))
        return tags


def label_log_likelihood(model: Any, X: Any, labels: Array, w: Array | None = None) -> float:
    """log p(y | X) of a fitted classifier."""
    places = {label: i for i, label in enumerate(model.classes_.tolist())}
    at = np.array([places.get(label, -1) for label in labels.tolist()])
    with np.errstate(divide="ignore"):
        logs = np.where(at < 0, -np.inf, np.log(model.predict_proba(X)[np.arange(len(at)), at]))
    live = np.ones(len(at), dtype=bool) if w is None else w > 0  # a class of weight 0 may be unknown to a model
    return float(np.sum(logs[live] if w is None else (w[live] * logs[live])))


def joint_log_likelihood(model: Any, X: Any, labels: Array, w: Array | None = None) -> float | None:
    """log p(X, y) of a fitted classifier that has a density of the cells as they are; None of any other."""
    if not hasattr(model, "score_samples") or not describes_cells(model):
        return None
    logs = np.asarray(model.score_samples(X))
    return label_log_likelihood(model, X, labels, w) + float(logs.sum() if w is None else (w @ logs))


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
