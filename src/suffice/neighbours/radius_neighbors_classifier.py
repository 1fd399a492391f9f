"""RadiusNeighborsClassifier: the classes of all rows within a radius vote."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import StrOptions

from suffice.core.block import Array, Coded
from suffice.estimators.boundary.label_tables import LabelsOrTable, tag_several_labels
from suffice.estimators.boundary.targets import Target
from suffice.estimators.design.kind_rows import kind_door
from suffice.estimators.faces.multi_output import answered_labels, no_prior, told_by_output
from suffice.estimators.glue.memory_probabilistic import MemoryProbabilistic
from suffice.estimators.state.fitted import Found
from suffice.estimators.state.origin import label_array
from suffice.neighbours.near.left_out_score import left_out_score
from suffice.neighbours.near.lone_rows import read_lone, warn_of_lone
from suffice.neighbours.near.neighbour_door import NeighbourRows
from suffice.neighbours.near.neighbour_options import (
    CONSTRAINTS,
    RADIUS,
    check_metric_options,
    given_table,
    near_rows,
    tag_metric,
)
from suffice.neighbours.near.radius_votes import OutputRadiusVotes, RadiusReadings, RadiusVotePlan, RadiusVotes
from suffice.neighbours.near.vote_weights import read_votes
from suffice.neighbours.near.voters import voter_classes
from suffice.sources.engines.memory import MemorySource


class RadiusNeighborsClassifier(RadiusReadings, MemoryProbabilistic):
    """Classes by a vote of all rows within a radius. In memory: it keeps the rows.

    y may be a table of several labels a row (n, q): one search answers them all.

    Parameters
    ----------
    radius : how far a row may be to vote; a row on the rim does
    weights, algorithm, leaf_size, p, metric, metric_params, n_jobs : as in `KNeighborsClassifier`
    outlier_label : what rows without neighbours are: a label, "most_frequent", or None, which refuses them; of several
        labels a row, that goes for each, or a list has one for each

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
    _target: Target = LabelsOrTable(warn=True)
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
        X : rows like those of training; None takes those, each left out of its own vote
        prior, costs, reject, at_least : decide by them, as other classifiers with probabilities do
        """
        state, checked = self._state(X)
        model, wishes = state.model, (prior, costs, reject, at_least)
        decides = X is not None and any(wish is not None for wish in wishes)
        if decides and hasattr(model, "edges"):
            raise no_prior(self._owner)
        places = model.places(self._left_out()) if X is None else state.map(checked, model.likeliest, None)
        self._tell_lone(places >= 0)
        labels = answered_labels(model, self._origin, places)
        if not decides:
            return labels
        near = np.flatnonzero(places >= 0)
        if len(near) == len(places):
            return super().predict(X, *wishes)
        labels = labels.astype(object)
        labels[near] = super().predict(_rows(X, near), *wishes) if len(near) else []
        return label_array(labels.tolist())

    def predict_proba(self, X: Any) -> Any:
        """p(class | x) of each row and class (n, K); zeros, with a warning, where an outlier's label is no class.

        Of several labels a row, one array each.

        Parameters
        ----------
        X : rows like those of training; None takes those, each left out of its own vote
        """
        found = super().predict_proba(X) if X is not None else told_by_output(self._state()[0].model, self._left_out())
        each = found if isinstance(found, list) else [found]
        self._tell_lone(np.column_stack([shares.any(axis=1) for shares in each]))
        return found

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of rows whose label is right, of several labels all; without X, of training rows left out one by one.

        Parameters
        ----------
        X, y, sample_weight : rows, their labels and weights
        """
        return left_out_score(self, super().score, X, y, sample_weight)

    def _left_out(self) -> Array:
        """What the others say of each row of training (n, K)."""
        model = self._state()[0].model
        return np.asarray(model.shares(model.counts(None)))

    def _tell_lone(self, met: Array) -> None:
        """Tell of rows without neighbours whose label is no class; `met` (n,) or (n, q), where some class has votes."""
        if not met.all():
            warn_of_lone(self._owner, self._state()[0].model.odd_labels)

    def _plan(self) -> RadiusVotePlan:
        return RadiusVotePlan(self._owner)

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        """Keep the rows."""
        check_metric_options(self)
        block = source.block(slice(0, source.table.n))
        (X,), w = block.parts, block.w
        assert isinstance(block.y, Coded)
        codes, classes = voter_classes(block.y, w)
        near = near_rows(self, X, w, plan)
        table, votes, radius = given_table(self, X, near), read_votes(self.weights), float(self.radius)
        if codes.ndim == 1:
            ((place, label),) = read_lone(self._owner, self.outlier_label, [codes], near.weight, [classes])
            return Found(RadiusVotes(near, codes, classes, radius, votes, place, label is not None, table, label))
        lone = read_lone(self._owner, self.outlier_label, list(codes.T), near.weight, list(classes))
        places, labels = zip(*lone, strict=True)
        strange = any(label is not None for label in labels)
        return Found(OutputRadiusVotes(near, codes, classes, radius, votes, places, strange, labels, table))

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        return tag_metric(tag_several_labels(super().__sklearn_tags__()), self.metric)


def _rows(X: Any, at: Array) -> Any:
    """Some rows of a table."""
    if hasattr(X, "iloc"):
        return X.iloc[at]
    return X[at] if hasattr(X, "shape") else [X[i] for i in at.tolist()]
