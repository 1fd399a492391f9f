"""Calibrate: columns as log odds or probabilities of a class, from counts and rankings that add.

F^c = P(+ | cell), classes balanced;     F^d = ln(F^c / (1 - F^c))
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from suffice.core.errors import Said, bad
from suffice.estimators.boundary.doors import AnyTable
from suffice.estimators.glue.one_pass_transformer import OnePassSupervisedTransformer
from suffice.features.calibrate.calibrate_plan import CalibratePlan, CalibrateReadings
from suffice.features.calibrate.column_maps import SMOOTHINGS
from suffice.features.calibrate.cross_fitting import cross_fitted
from suffice.features.discretise.strategies import read_strategy

NUMBERS, SPACES = ("isotonic", "logistic", "bins"), ("log_odds", "probability")


class Calibrate(CalibrateReadings, OnePassSupervisedTransformer):
    """Calibrated features: categorical, ordinal and quantitative columns on one scale that adds like evidence.

    One pass, mergeable, forgetting. `transform` maps rows by what all rows say; `fit_transform` maps each row by a
    model of the other folds (cross-fitting), so that a calibrated column does not leak the target.

    Parameters
    ----------
    numbers : "isotonic" (steps along the ROC hull), "logistic" (a line, for normal columns of one variance), or "bins"
        (discretise first)
    space : "log_odds" (adds; for linear and distance-based models) or "probability"
    smoothing : "smoothed" ((m + 1) / (m + 1 + c (n - m + 1)), as printed: a value without rows goes to 1 / (1 + c)),
        "neutral" (the same in the shares of the classes: it goes to 1/2), "prior" (no smoothing), "raw" (m / n)
    strength : number of rows that smoothing adds
    sigma : standard deviation of "logistic"; None: pooled within classes
    bins : strategy of `Discretizer` for "bins"
    cv : number of folds of `fit_transform`
    kinds : mapping column -> kind, overriding what the column shows
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    classes_ : labels; of two the second is the positive one, of more each is held against the rest
    maps_ : of each column

    Examples
    --------
    >>> from suffice import Calibrate
    >>> site = {"site": ["north"] * 4 + ["east"] * 4}
    >>> ill = [1, 1, 1, 0, 0, 0, 0, 1]
    >>> Calibrate(space="probability").fit(site, ill).transform({"site": ["north", "east", "west"]}).ravel().round(3)
    array([0.667, 0.333, 0.5  ])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = dict.fromkeys(
        ("numbers", "space", "smoothing", "strength", "sigma", "bins", "cv", "kinds", "threads", "ledger"),
        "no_validation",
    )
    _door = AnyTable(allow_nan=True)

    def __init__(
        self,
        numbers: str = "isotonic",
        *,
        space: str = "log_odds",
        smoothing: str = "smoothed",
        strength: float = 1.0,
        sigma: float | None = None,
        bins: str = "mdl",
        cv: int = 5,
        kinds: Mapping[Any, Any] | None = None,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.numbers = numbers
        self.space = space
        self.smoothing = smoothing
        self.strength = strength
        self.sigma = sigma
        self.bins = bins
        self.cv = cv
        self.kinds = kinds
        self.threads = threads
        self.ledger = ledger

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Fit all rows, and give each row as a model of the other folds maps it: the target does not leak.

        Parameters
        ----------
        X, y, sample_weight : as for `fit`, in memory
        """
        if isinstance(self.cv, bool) or not isinstance(self.cv, (int, np.integer)) or self.cv < 2:
            raise bad(self._owner, "cv", "a whole number of at least 2", self.cv)
        return cross_fitted(self, X, y, sample_weight, self.cv)

    def _plan(self) -> CalibratePlan:
        for name, known in (("numbers", NUMBERS), ("space", SPACES), ("smoothing", tuple(SMOOTHINGS))):
            if getattr(self, name) not in known:
                raise bad(self._owner, name, f"one of {known}", getattr(self, name))
        for name in ("strength", "sigma"):
            value = getattr(self, name)
            number = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
            if not ((number and 0 < value < np.inf) or (value is None and name == "sigma")):
                raise bad(self._owner, name, "a finite number above 0", Said(repr(value)))
        given = {"n_bins": 5, "objective": "information_gain", "stop": "mdl", "p": 0.05, "max_bins": None}
        strategy = read_strategy(self._owner, self.bins, given)
        sigma = None if self.sigma is None else float(self.sigma)
        return CalibratePlan(
            self._owner, self.kinds, self.numbers, self.space, self.smoothing, float(self.strength), sigma, strategy
        )

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        tags.transformer_tags.preserves_dtype = []
        return tags
