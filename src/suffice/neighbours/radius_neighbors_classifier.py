"""RadiusNeighborsClassifier: the classes of all rows within a radius vote."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import StrOptions

from suffice.core.block import Array, Coded
from suffice.core.errors import Said, bad
from suffice.estimators.design.kind_rows import kind_door
from suffice.estimators.glue.memory_probabilistic import MemoryProbabilistic
from suffice.estimators.state.fitted import Found
from suffice.estimators.state.origin import label_array
from suffice.neighbours.k_neighbors_classifier import coded_classes, left_out_score
from suffice.neighbours.near.neighbour_door import NeighbourRows
from suffice.neighbours.near.neighbour_options import (
    CONSTRAINTS,
    RADIUS,
    check_metric_options,
    given_table,
    near_rows,
    tag_metric,
)
from suffice.neighbours.near.radius_votes import RadiusReadings, RadiusVotePlan, RadiusVotes
from suffice.neighbours.near.vote_weights import read_votes
from suffice.sources.engines.memory import MemorySource


class RadiusNeighborsClassifier(RadiusReadings, MemoryProbabilistic):
    """Classes by a vote of all rows within a radius. In memory: it keeps the rows.

    Parameters
    ----------
    radius : how far a row may be to vote; a row on the rim does
    weights, algorithm, leaf_size, p, metric, metric_params, n_jobs : as in `KNeighborsClassifier`
    outlier_label : what rows without neighbours are: a label, "most_frequent", or None, which refuses them

    Attributes
    ----------
    classes_, outlier_label_, effective_metric_, effective_metric_params_, n_samples_fit_, outputs_2d_,
        n_features_in_, feature_names_in_ : as in scikit-learn
    distance_ : the distance, as a value

    Examples
    --------
    >>> from suffice import RadiusNeighborsClassifier
    >>> model = RadiusNeighborsClassifier(radius=1.0).fit([[0], [1], [2], [3]], [0, 0, 1, 1])
    >>> model.predict([[1.5]]), model.predict_proba([[1.0]]).round(3)
    (array([0]), array([[0.667, 0.333]]))
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **CONSTRAINTS,
        "radius": RADIUS,
        "weights": [StrOptions({"uniform", "distance"}), callable, None],
        "outlier_label": [Integral, str, "array-like", None],
    }
    _door = kind_door(NeighbourRows())
    _not_saved: ClassVar[tuple[str, ...]] = ("n_jobs",)

    def __init__(
        self,
        radius: float = 1.0,
        *,
        weights: Any = "uniform",
        algorithm: str = "auto",
        leaf_size: int = 30,
        p: float = 2,
        metric: Any = "minkowski",
        outlier_label: Any = None,
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.radius = radius
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.outlier_label = outlier_label
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    def predict(self, X: Any, prior: Any = None, costs: Any = None, reject: Any = None, at_least: Any = None) -> Array:
        """The class of most votes; rows without neighbours get `outlier_label`, or are refused.

        Parameters
        ----------
        X : rows like those of training
        prior, costs, reject, at_least : decide by them, as other classifiers with probabilities do
        """
        if X is None:
            return self._labels(self._state()[0].model.shares(self._state()[0].model.counts(None)))
        state, checked = self._state(X)
        places = state.map(checked, state.model.likeliest, None)
        alone = np.flatnonzero(places < 0)
        if not len(alone):
            return super().predict(X, prior, costs, reject, at_least)
        self._strange(alone)
        near = np.flatnonzero(places >= 0)
        some = super().predict(_rows(X, near), prior, costs, reject, at_least).tolist() if len(near) else []
        labels: list[Any] = [self.outlier_label] * len(places)
        for i, label in zip(near.tolist(), some, strict=True):
            labels[i] = label
        return label_array(labels)

    def predict_proba(self, X: Any) -> Array:
        """p(class | x) of each row and class (n, K); zeros, with a warning, where an outlier's label is no class."""
        model = self._state()[0].model
        found = super().predict_proba(X) if X is not None else np.asarray(model.shares(model.counts(None)))
        alone = np.flatnonzero(~found.any(axis=1))
        if len(alone):
            self._strange(alone)
        return found

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of rows whose label is right; without X, of training rows that are left out one by one.

        Parameters
        ----------
        X, y, sample_weight : rows, their labels and weights
        """
        return left_out_score(self, super().score, X, y, sample_weight)

    def _labels(self, shares: Array) -> Array:
        """Labels of the largest shares."""
        alone = np.flatnonzero(~shares.any(axis=1))
        if len(alone):
            self._strange(alone)
        labels = self.classes_[shares.argmax(axis=1)].tolist()
        return label_array([self.outlier_label if i in alone else label for i, label in enumerate(labels)])

    def _strange(self, alone: Array) -> None:
        """Rows without neighbours are refused, or told of where their label is no class."""
        if not self._state()[0].model.strange:
            rule = f"near some row of training (No neighbors found for test samples {alone[:5].tolist()}, "
            rule += "you can try using larger radius, giving a label for outliers, or considering removing them from "
            rule += "your dataset.)"
            raise bad(self._owner, "X", rule, Said(f"row {alone[0]}, which is not"), "Give outlier_label.")
        words = f"Outlier label {self.outlier_label} is not in training classes. All class probabilities of outliers"
        warnings.warn(f"{self._owner}: {words} will be assigned with 0.", UserWarning, stacklevel=3)

    def _plan(self) -> RadiusVotePlan:
        return RadiusVotePlan(self._owner)

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        """Keep the rows."""
        check_metric_options(self)
        block = source.block(slice(0, source.table.n))
        (X,), w = block.parts, block.w
        assert isinstance(block.y, Coded)
        codes, classes = coded_classes(block.y, w)
        near = near_rows(self, X, w, plan)
        outlier, strange = self._outlier(codes, near.weight, classes)
        table = given_table(self, X, near)
        votes = read_votes(self.weights)
        return Found(RadiusVotes(near, codes, classes, float(self.radius), votes, outlier, strange, table))

    def _outlier(self, codes: Array, w: Array | None, classes: tuple[Any, ...]) -> tuple[int | None, bool]:
        """The class of rows without neighbours, and whether their label is none."""
        label = self.outlier_label
        if label is None:
            return None, False
        if isinstance(label, str) and label == "most_frequent":
            return int(np.bincount(codes, w).argmax()), False
        if not np.isscalar(label):
            rule = "one label (outlier_label should be a scalar)"
            raise refuse_type(self._owner, rule, label)
        if type(label) is not type(classes[0]) and not _alike(label, classes[0]):
            rule = f"of the type of the labels ({type(classes[0]).__name__}; dtype of outlier_label is inconsistent)"
            raise refuse_type(self._owner, rule, label)
        return (classes.index(label), False) if label in classes else (None, True)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        return tag_metric(super().__sklearn_tags__(), self.metric)


def refuse_type(owner: str, rule: str, label: Any) -> Exception:
    """A label of another type than the classes."""
    from suffice.core.errors import BadType, refusal

    return refusal(BadType, owner, "outlier_label", rule, label, "Give one like y.")


def _alike(a: Any, b: Any) -> bool:
    """Whether two labels are both numbers, or both texts."""
    return all(np.issubdtype(np.asarray(x).dtype, np.number) for x in (a, b))


def _rows(X: Any, at: Array) -> Any:
    """Some rows of a table."""
    if hasattr(X, "iloc"):
        return X.iloc[at]
    return X[at] if hasattr(X, "shape") else [X[i] for i in at.tolist()]
