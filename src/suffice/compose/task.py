"""What a classifier inside another estimator is trained on: rows, labels, weights, and arguments of `fit`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.utils._metadata_requests import _routing_enabled
from sklearn.utils.metadata_routing import process_routing
from sklearn.utils.validation import _check_method_params, column_or_1d, has_fit_parameter

from suffice.core.block import Array
from suffice.core.by_class import canonical
from suffice.core.errors import Said, bad, in_our_name
from suffice.estimators.boundary.odd_cells import refuse_complex
from suffice.estimators.boundary.table_rows import count_rows, indexable_rows, take_rows
from suffice.estimators.boundary.targets import read_weights
from suffice.estimators.state.origin import Origin, label_type
from suffice.sources.tables.labels import code_labels


@dataclass(frozen=True)
class Task:
    """Rows to learn from, with the classes of their labels."""

    X: Any
    y: Any
    codes: Array  # (n,) class numbers
    classes: Array  # (K,)
    weights: Array | None  # (n,)
    params: Mapping[str, Any]  # of `fit`; those with one entry a row go with the rows

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.codes)

    @cached_property
    def met(self) -> Array:
        """Weight of the rows of each class (K,)."""
        return np.bincount(self.codes, self.weights, len(self.classes)).astype(np.float64)

    @property
    def prior(self) -> Array:
        """Share of each class (K,), by weight."""
        return np.asarray(self.met / self.met.sum())

    def train(self, estimator: Any, rows: Array | None = None) -> Any:
        """A fresh copy of the estimator, trained on some rows, or on all."""
        if rows is None:
            return clone(estimator).fit(self.X, self.y, **self.params)
        return clone(estimator).fit(*self._some(rows), **self._their_params(rows))

    def _some(self, rows: Array) -> tuple[Any, Any]:
        return take_rows(self.X, rows), take_rows(self.y, rows)

    def _their_params(self, rows: Array) -> dict[str, Any]:
        return dict(_check_method_params(self.codes, self.params, rows))


def read_task(owner: str, estimator: Any, X: Any, y: Any, sample_weight: Any, params: Mapping[str, Any]) -> Task:
    """Labels and weights checked, of one length with the rows; the rows are the estimator's to check."""
    if y is None:
        note = "a label for each row (fit requires y to be passed, but the target y is None)"
        raise bad(owner, "y", note, y, "Give one label a row.")
    refuse_complex(owner, X)
    X, y = indexable_rows(X), indexable_rows(y)
    kind = label_type(y)
    if len(getattr(y, "shape", ())) == 2:
        with in_our_name(owner):
            y = column_or_1d(y, warn=True)
    coded = code_labels(y)
    with in_our_name(owner):
        n, rows = len(coded.codes), count_rows(X)
    if rows != n:
        both = f"(Found input variables with inconsistent numbers of samples: [{rows}, {n}])"
        raise bad(owner, "X and y", f"of one length {both}", Said(f"{rows} and {n}"), "Give one label a row.")
    weights = read_weights(owner, sample_weight, n)
    labels = _labels(owner, estimator, coded.labels[0])
    place = {label: k for k, label in enumerate(labels)}
    codes = np.array([place[label] for label in coded.labels[0]], dtype=np.int32)[coded.codes[:, 0]]
    return Task(X, y, codes, Origin(0, label_type=kind).classes(labels), weights, params)


def _labels(owner: str, estimator: Any, met: Any) -> tuple[Any, ...]:
    """The classes: those of a frozen classifier, else those that are met."""
    labels = canonical(met)
    if isinstance(estimator, FrozenEstimator):
        known = tuple(np.asarray(estimator.classes_).tolist())
        strange = [label for label in labels if label not in known]
        if strange:
            raise bad(owner, "y", f"of the classes {list(known)} that the estimator knows", strange[0])
        return known
    if len(labels) < 2:
        raise bad(owner, "y", "of at least two classes", Said("one class"), "There is nothing to tell apart.")
    return labels


def routed(owner: Any, estimator: Any, sample_weight: Any, params: Mapping[str, Any]) -> tuple[Any, Any]:
    """Arguments for the estimator's `fit` and for the splitter's `split`."""
    if _routing_enabled():
        given = process_routing(owner, "fit", sample_weight=sample_weight, **params)
        return given["estimator"]["fit"], given["splitter"]["split"]
    if sample_weight is None:
        return dict(params), {}
    if not has_fit_parameter(estimator, "sample_weight"):
        if isinstance(estimator, FrozenEstimator):
            return dict(params), {}
        rule = "None for an estimator that takes no weights"
        raise bad(owner, "sample_weight", rule, Said(f"weights for {type(estimator).__name__}"))
    return {**params, "sample_weight": np.asarray(sample_weight)}, {}


def fit_arguments(owner: Any, estimator: Any, sample_weight: Any, params: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments for the `fit` of the only estimator inside."""
    if _routing_enabled():
        return dict(process_routing(owner, "fit", sample_weight=sample_weight, **params)["estimator"]["fit"])
    return dict(routed(owner, estimator, sample_weight, params)[0])
