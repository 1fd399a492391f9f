"""ClassImputer: missing numbers by the means, medians or modes of the classes."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.core.block import Array
from suffice.estimators.boundary.distance_rows import DistanceRows
from suffice.estimators.glue.one_pass_transformer import OnePassSupervisedTransformer
from suffice.features.missing.class_fill import CENTRES, ClassFillPlan
from suffice.features.missing.fill_readings import ClassFillReadings


class ClassImputer(ClassFillReadings, OnePassSupervisedTransformer):
    """Fills a missing cell by the classes, as probable as the other cells of its row make them: one pass, mergeable.

        x_j = sum_k p(k | cells that are there) centre_kj

    Training rows are filled as new ones are, without looking at their class. Filling them by their known class
    (`known_class=True`) tells the class to whoever learns from them: a column of noise then separates the classes, in
    training alone.

    Parameters
    ----------
    centre : "mean", "median" or "mode" of the cells of a class
    known_class : whether `fit_transform` fills training rows by their known class; it warns
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    centres_ : of each class and column (K, d)
    classes_ : the labels
    n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import ClassImputer
    >>> nan = float("nan")
    >>> X, y = [[1.0, 10.0], [1.2, nan], [5.0, 30.0], [5.2, 32.0]], ["a", "a", "b", "b"]
    >>> ClassImputer().fit(X, y).transform([[5.1, nan]]).round(6).tolist()
    [[5.1, 31.0]]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "centre": [StrOptions(set(CENTRES))],
        "known_class": ["boolean"],
        "ledger": "no_validation",
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }
    _door = DistanceRows({"dtype": ["float64", "float32"], "ensure_all_finite": "allow-nan"})

    def __init__(
        self, centre: str = "mean", *, known_class: bool = False, threads: int | None = None, ledger: Any = None
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.centre = centre
        self.known_class = known_class
        self.threads = threads
        self.ledger = ledger

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Learn from rows and fill them; by their known class only where that was asked for.

        Parameters
        ----------
        X, y, sample_weight : as for `fit`
        """
        self.fit(X, y, sample_weight)
        if not self.known_class:
            return self.transform(X)
        told = "training rows are filled by their known class, which tells it to what learns from them."
        warnings.warn(f"{self._owner}: {told} New rows are not.", UserWarning, stacklevel=2)
        state, rows = self._state(X)
        place = {label: k for k, label in enumerate(state.model.labels)}
        classes = np.array([place[label] for label in np.asarray(y, dtype=object).tolist()], dtype=np.intp)
        filled: Array = state.model.filled(np.asarray(state.block(rows).parts[0], dtype=np.float64), classes)
        return filled

    def _plan(self) -> ClassFillPlan:
        return ClassFillPlan(self._owner, self.centre)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
