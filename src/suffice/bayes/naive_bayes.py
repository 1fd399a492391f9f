"""NaiveBayes: one naive Bayes for tables of every kind.

p(class k | x) ~ p_k prod_j p(x_j | k)^(v_j)        over the cells that are present
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import validate_data

from suffice.bayes.duplicates import Duplicate, duplicate_features
from suffice.bayes.generative import Generative
from suffice.bayes.learner import GivenPrior, LearnedPrior
from suffice.bayes.plan import NaivePlan
from suffice.bayes.tables import show_tables
from suffice.bayes.rows import library, like_trained
from suffice.core.block import Array
from suffice.core.errors import BadInput, bad
from suffice.decision.reading import read_prior
from suffice.estimators.classifier import OnePassClassifier
from suffice.estimators.vectorizers import read_analyzer


class NaiveBayes(Generative, OnePassClassifier):
    """Naive Bayes that reads the kinds of columns from the table and mixes families; missing cells are left out.

    One pass: models add, merge and forget exactly. Booleans are Bernoulli, symbols categorical with room for the unseen,
    numbers and dates normal with a unit-free prior, texts multinomial with one word for all unknown ones.

    Parameters
    ----------
    kinds : mapping column -> kind, overriding what the column shows; a list of values, lowest first, is an ordinal
    families : mapping column -> family, overriding the kind's
    by_kind : mapping kind -> family, overriding the default of a kind
    prior : None learns class shares by counting; "uniform", label -> share, or a prior of `suffice.families` to count with
    feature_weights : mapping column -> weight v_j (1 by default, 0 leaves a column out)
    analyzer : how texts become words: an `Analyzer`, or a scikit-learn vectorizer whose options are taken over
    refusal : the label that `predict` gives where it refuses
    threads : number of threads; None takes all processors

    Examples
    --------
    >>> from suffice import NaiveBayes
    >>> X = {"fever": [39.2, 36.8, None, 36.6], "cough": [True, False, True, False]}
    >>> model = NaiveBayes().fit(X, ["flu", "well", "flu", "well"])
    >>> str(model.predict({"fever": [39.0], "cough": [None]})[0])
    'flu'

    References
    ----------
    P. Domingos and M. Pazzani, On the optimality of the simple Bayesian classifier under zero-one loss (1997).
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "kinds": [Mapping, None],
        "families": [Mapping, None],
        "by_kind": [Mapping, None],
        "prior": "no_validation",  # type: ignore[dict-item]
        "feature_weights": [Mapping, None],
        "analyzer": "no_validation",  # type: ignore[dict-item]
        "refusal": "no_validation",  # type: ignore[dict-item]
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }

    def __init__(
        self,
        kinds: Mapping[Any, Any] | None = None,
        families: Mapping[Any, Any] | None = None,
        by_kind: Mapping[str, Any] | None = None,
        prior: Any = None,
        feature_weights: Mapping[Any, float] | None = None,
        analyzer: Any = None,
        refusal: Any = None,
        threads: int | None = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.kinds = kinds
        self.families = families
        self.by_kind = by_kind
        self.prior = prior
        self.feature_weights = feature_weights
        self.analyzer = analyzer
        self.refusal = refusal
        self.threads = threads

    @property
    def schema_(self) -> Any:
        """The kinds of the columns; print it."""
        return self._state()[0].schema

    def duplicate_features(self, X: Any = None, at_least: float = 0.99) -> list[Duplicate]:
        """Columns whose evidence is counted twice: equal in the summary or, given rows, nearly equal within classes.

        Parameters
        ----------
        X : table; None finds exact copies from the summary alone
        at_least : correlation of the evidence within classes from which a pair is reported
        """
        state, X = self._state(X)
        return duplicate_features(state, X, at_least)

    def sample(self, n_samples: int = 1, random_state: Any = None) -> tuple[Any, Array]:
        """New rows and their labels, as a table like the one trained on.

        Parameters
        ----------
        n_samples : how many rows
        random_state : seed or `numpy.random.Generator`
        """
        columns, y = super().sample(n_samples, random_state)
        return like_trained(columns, self._backend), y

    def __str__(self) -> str:
        """The tables of conditional probabilities once fitted."""
        return show_tables(self.fitted_) if "fitted_" in vars(self) else repr(self)

    def _plan(self, labels: tuple[Any, ...] | None) -> NaivePlan:
        return NaivePlan(
            families=dict(self.families or {}),
            by_kind=dict(self.by_kind or {}),
            prior=self._class_prior(),
            weights=self._weights(),
            kinds=dict(self.kinds or {}),
            analyzer=read_analyzer(self, self.analyzer),
        )

    def _weights(self) -> dict[Any, float]:
        weights = dict(self.feature_weights or {})
        for name, value in weights.items():
            if not (isinstance(value, (int, float, np.number)) and np.isfinite(value) and value >= 0):
                raise bad(
                    self, f"the weight of column {name!r}", "a finite number of at least 0", value, "Use 1 for full."
                )
        return weights

    def _class_prior(self) -> GivenPrior | LearnedPrior:
        if self.prior is None:
            return LearnedPrior()
        if hasattr(self.prior, "over"):
            return LearnedPrior(self.prior)
        if isinstance(self.prior, str) and self.prior == "uniform":
            return GivenPrior()
        if isinstance(self.prior, Mapping):
            shares = read_prior(self, self.prior, tuple(self.prior))
            return GivenPrior(dict(zip(self.prior, shares.tolist(), strict=True)))
        raise bad(
            self, "prior", 'None, "uniform", label -> share, or a prior such as Dirichlet(1)', self.prior, "Choose one."
        )

    def _check_X(self, X: Any, reset: bool) -> Any:
        if isinstance(X, Mapping):
            return self._check_names(X, reset)
        if not hasattr(X, "shape") and not hasattr(X, "__arrow_c_stream__"):
            X = np.asarray(X)
        if getattr(X, "ndim", 2) != 2:
            raise BadInput(
                f"{type(self).__name__}: X must have rows and columns (Expected 2D array, got {X.ndim}D array instead). "
                "Reshape your data either using array.reshape(-1, 1) for one column or array.reshape(1, -1) for one row."
            )
        if reset and X.shape[0] == 0:
            raise BadInput(
                f"{type(self).__name__}: X must have a row at least, got 0 sample(s). Give it rows to learn from."
            )
        if X.shape[1] == 0:
            raise BadInput(
                f"{type(self).__name__}: X must have a column at least, got 0 feature(s) (shape={X.shape}) while a minimum "
                "of 1 is required. Give it a column to learn from."
            )
        validate_data(self, X, reset=reset, skip_check_array=True)
        if reset:
            self._backend = library(X)
        return X

    def _check_names(self, X: Mapping[Any, Any], reset: bool) -> Mapping[Any, Any]:
        names = list(X)
        if reset:
            self.n_features_in_, self._backend = len(names), "mapping"
            self.feature_names_in_ = np.array(names, dtype=object)
        return X

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags
