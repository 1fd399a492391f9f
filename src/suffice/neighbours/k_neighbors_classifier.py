"""KNeighborsClassifier: the classes of the k nearest rows vote.

p(c | x) = (smoothing + sum of weights of neighbours of class c) / (the same over all classes)
"""

from __future__ import annotations

from dataclasses import replace
from numbers import Real
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval, StrOptions

from suffice.core.block import Array, Coded
from suffice.estimators.boundary.label_tables import LabelsOrTable, tag_several_labels
from suffice.estimators.boundary.targets import Target
from suffice.estimators.design.kind_rows import kind_door
from suffice.estimators.faces.multi_output import answered_labels, told_by_output
from suffice.estimators.glue.memory_probabilistic import MemoryProbabilistic
from suffice.estimators.state.fitted import Found
from suffice.neighbours.near.class_votes import ClassVotePlan, ClassVoteReadings, ClassVotes, OutputVotes
from suffice.neighbours.near.k_choice import CANDIDATES, LEAVE_ONE_OUT, best_number, read_candidates
from suffice.neighbours.near.left_out_score import left_out_score
from suffice.neighbours.near.neighbour_door import NeighbourRows
from suffice.neighbours.near.neighbour_options import (
    CONSTRAINTS,
    NUMBER,
    check_metric_options,
    given_table,
    near_rows,
    tag_metric,
)
from suffice.neighbours.near.vote_weights import read_votes
from suffice.neighbours.near.voters import voter_classes
from suffice.sources.engines.memory import MemorySource


class KNeighborsClassifier(ClassVoteReadings, MemoryProbabilistic):
    """Classes by a vote of the k nearest rows. In memory: it keeps the rows.

    y may be a table of several labels a row (n, q): one search answers them all.

    Parameters
    ----------
    n_neighbors : how many vote; "leave-one-out" chooses the number with the fewest errors of rows left out
        (of several labels a row, all must be right)
    weights : "uniform"; "distance", one over it; or a function of distances
    algorithm : auto, brute, kd_tree or ball_tree: the answer is the same
    leaf_size : rows that a tree does not divide further
    p : of the Minkowski distance
    metric : a name, a `Distance`, a function of two rows, or "precomputed"
    metric_params : of a distance by name
    n_jobs : threads; None takes all processors
    smoothing : votes that each class has before any neighbour: 0 for counts, 1 for Laplace's rule
    candidates : numbers that "leave-one-out" tries; None takes 1 to 30, fewer where there are fewer rows

    Attributes
    ----------
    classes_, effective_metric_, effective_metric_params_, n_samples_fit_, outputs_2d_, n_features_in_,
        feature_names_in_ : as in scikit-learn
    n_neighbors_ : how many vote
    candidates_, errors_ : what "leave-one-out" tried, and the share of rows that were wrong
    distance_ : the distance, as a value

    Examples
    --------
    >>> from suffice import KNeighborsClassifier
    >>> model = KNeighborsClassifier(n_neighbors=3).fit([[0], [1], [2], [3]], [0, 0, 1, 1])
    >>> model.predict([[1.1]]), model.predict_proba([[0.9]]).round(3)
    (array([0]), array([[0.667, 0.333]]))

    References
    ----------
    T. Cover and P. Hart, Nearest neighbor pattern classification (1967).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **CONSTRAINTS,
        "n_neighbors": [*NUMBER, StrOptions({LEAVE_ONE_OUT})],
        "weights": [StrOptions({"uniform", "distance"}), callable, None],
        "smoothing": [Interval(Real, 0, None, closed="left")],
        "candidates": CANDIDATES,
    }
    _target: Target = LabelsOrTable(warn=True)
    _door = kind_door(NeighbourRows())
    _not_saved: ClassVar[tuple[str, ...]] = ("n_jobs",)

    def __init__(
        self,
        n_neighbors: Any = 5,
        *,
        weights: Any = "uniform",
        algorithm: str = "auto",
        leaf_size: int = 30,
        p: float = 2,
        metric: Any = "minkowski",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        smoothing: float = 0.0,
        candidates: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.smoothing = smoothing
        self.candidates = candidates

    def predict(self, X: Any, prior: Any = None, costs: Any = None, reject: Any = None, at_least: Any = None) -> Array:
        """The label of least expected cost, as other classifiers with probabilities decide.

        Parameters
        ----------
        X : rows like those of training; None takes those, each left out of its own vote
        prior, costs, reject, at_least : decide by them
        """
        if X is not None:
            return super().predict(X, prior, costs, reject, at_least)
        model = self._state()[0].model
        return answered_labels(model, self._origin, model.best(model.left_out()))

    def predict_proba(self, X: Any) -> Any:
        """p(class | x) of each row and class (n, K); of several labels a row, one array each.

        Parameters
        ----------
        X : rows like those of training; None takes those, each left out of its own vote
        """
        if X is not None:
            return super().predict_proba(X)
        model = self._state()[0].model
        return told_by_output(model, model.shares(model.left_out()))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of rows whose label is right, of several labels all; without X, of training rows left out one by one.

        Parameters
        ----------
        X, y, sample_weight : rows, their labels and weights
        """
        return left_out_score(self, super().score, X, y, sample_weight)

    def _plan(self) -> ClassVotePlan:
        return ClassVotePlan(self._owner)

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        """Keep the rows, and choose how many vote."""
        check_metric_options(self)
        block = source.block(slice(0, source.table.n))
        (X,), w = block.parts, block.w
        assert isinstance(block.y, Coded)
        codes, classes = voter_classes(block.y, w)
        near = near_rows(self, X, w, plan)
        table = given_table(self, X, near)
        chosen = isinstance(self.n_neighbors, str)
        model = (ClassVotes if codes.ndim == 1 else OutputVotes)(
            near,
            codes,
            classes,
            1 if chosen else int(self.n_neighbors),
            read_votes(self.weights),
            float(self.smoothing),
            table,
        )
        if not chosen:
            return Found(model)
        tried = read_candidates(self._owner, self.candidates, near.total)
        errors = model.left_out_errors(tried.tolist())
        return Found(replace(model, k=best_number(tried, errors), errors=errors, candidates=tried))

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        return tag_metric(tag_several_labels(super().__sklearn_tags__()), self.metric)
