"""NaiveBayes: one naive Bayes for tables of every kind.

p(class k | x) ~ p_k prod_j p(x_j | k)^(v_j)        over the cells that are present
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import validate_data

from suffice.bayes.generative import Generative
from suffice.bayes.options import read_by_kind, read_class_prior, read_feature_weights
from suffice.bayes.plan import NaivePlan
from suffice.bayes.tables import show_tables
from suffice.core.errors import Said, bad
from suffice.estimators.classifier import OnePassClassifier
from suffice.estimators.foreign import in_our_name
from suffice.estimators.origin import library
from suffice.estimators.vectorizers import read_analyzer
from suffice.sources.grid import Grid, as_array
from suffice.sources.table import Table, open_table


class NaiveBayes(Generative, OnePassClassifier):
    """Naive Bayes that reads the kinds of columns from the table and mixes families; missing cells are left out.

    One pass: models add, merge and forget exactly. Booleans are Bernoulli, symbols categorical with room for the
    unseen, numbers and dates normal with a unit-free prior, texts multinomial with one word for all unknown ones.

    Parameters
    ----------
    kinds : mapping column -> kind, overriding what the column shows; a list of values, lowest first, is an ordinal
    families : mapping column -> family, overriding the kind's
    by_kind : mapping kind -> family, overriding the default of a kind
    prior : None counts class shares; "uniform", label -> share, or pseudo-counts to count with, such as Dirichlet(1)
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

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **OnePassClassifier._parameter_constraints,
        "kinds": [Mapping, None],
        "families": [Mapping, None],
        "by_kind": [Mapping, None],
        "prior": "no_validation",
        "feature_weights": [Mapping, None],
        "analyzer": "no_validation",
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

    def __str__(self) -> str:
        """The tables of conditional probabilities once fitted."""
        return show_tables(self.fitted_, self._words) if "fitted_" in vars(self) else repr(self)

    def _plan(self) -> NaivePlan:
        return NaivePlan(
            families=dict(self.families or {}),
            by_kind=read_by_kind(self._owner, self.by_kind or {}),
            prior=read_class_prior(self._owner, self.prior),
            weights=read_feature_weights(self._owner, self.feature_weights or {}),
            kinds=dict(self.kinds or {}),
            analyzer=read_analyzer(self._owner, self.analyzer),
        )

    def _check_X(self, X: Any, *, first: bool, learning: bool) -> Any:
        """A table as it is; scikit-learn looks at the number and the names of its columns only."""
        if isinstance(X, Table) and not first:  # rows of a file, open already
            return X
        if isinstance(X, Mapping) and not hasattr(X, "tocsr"):  # some sparse matrices are mappings too
            return self._check_mapping(X, first)
        if library(X) is not None or not hasattr(X, "shape"):
            X = _read(X)
        shape: tuple[int, ...] = X.shape
        if len(shape) != 2:
            as_array(X)  # says what to do
        if shape[1] == 0:
            note = f"(Found array with 0 feature(s) (shape={tuple(shape)}) while a minimum of 1 is required.)"
            raise bad(self._owner, "X", f"a table with columns {note}", Said("none"), "Give it columns to learn from.")
        with in_our_name(self._owner):
            validate_data(self, X, reset=first, skip_check_array=True)
        return X

    def _check_mapping(self, X: Mapping[Any, Any], first: bool) -> Mapping[Any, Any]:
        if first:
            self.n_features_in_, self.feature_names_in_ = len(X), np.array(list(X), dtype=object)
        return X

    def _parameters(self) -> dict[str, Any]:
        return {**super()._parameters(), "analyzer": self.analyzer and read_analyzer(self._owner, self.analyzer)}

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


def _read(X: Any) -> Any:
    """Lists as arrays, and tables that only speak Arrow as Arrow's; tables of two columns of one name are refused."""
    table: Any = X if hasattr(X, "tocsr") else open_table(X)
    if hasattr(X, "shape"):
        return X
    return table.X if isinstance(table, Grid) else table.frame.to_native()
