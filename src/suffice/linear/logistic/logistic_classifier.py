"""What the logistic classifiers share: parameters, weights of classes, passes under a penalty, warnings."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.core.block import Coded
from suffice.core.by_class import ByClass
from suffice.core.errors import Said, bad
from suffice.core.learner import Passes, Source
from suffice.estimators.boundary.class_weights import class_weights
from suffice.estimators.boundary.opening import open_for
from suffice.estimators.design.gap_choice import takes_gaps
from suffice.estimators.design.missing_option import MISSING_RULE, gap_door
from suffice.estimators.glue.one_pass_classifier import SHARED_CONSTRAINTS
from suffice.estimators.glue.passes_classifier import PassesClassifier
from suffice.estimators.state.fitted import Found
from suffice.linear.coefficient_tests import CoefficientTests
from suffice.linear.design import Design
from suffice.linear.logistic.constant_column import about_zero
from suffice.linear.logistic.logistic_learner import LogisticModel
from suffice.linear.logistic.logistic_passes import learn_logistic
from suffice.linear.logistic.logistic_plan import LogisticPlan
from suffice.linear.logistic.logistic_readings import LogisticReadings
from suffice.linear.logistic.logistic_results import logistic_results
from suffice.linear.logistic.logistic_start import FirstLook
from suffice.linear.logistic.proximal_newton import CoefficientPenalty
from suffice.sources.engines.memory import MemorySource
from suffice.sources.engines.wrapped_sources import ClassWeighted

SOLVERS = {"lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga"}
PENALISING = {"liblinear"}  # those whose intercepts bear the penalty, as coefficients of a column `intercept_scaling`


class Separable(ConvergenceWarning):  # type: ignore[misc]
    """The classes can be told apart without error, so that no coefficients are the best."""


class LogisticClassifier(LogisticReadings, PassesClassifier):
    """A classifier whose log odds are linear."""

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **SHARED_CONSTRAINTS,
        "dual": ["boolean"],
        "tol": [Interval(Real, 0, None, closed="left")],
        "fit_intercept": ["boolean"],
        "intercept_scaling": [Interval(Real, 0, None, closed="neither")],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "random_state": ["random_state"],
        "solver": [StrOptions(SOLVERS)],
        "max_iter": [Interval(Integral, 0, None, closed="left")],
        "verbose": ["verbose"],
        "n_jobs": [None, Integral],
        "kinds": [Mapping, None],
        "missing": MISSING_RULE,
    }
    _not_saved: ClassVar[tuple[str, ...]] = ("random_state",)  # draws nothing here, and cannot always be saved

    fit_intercept: bool
    intercept_scaling: float
    solver: str
    class_weight: Any
    kinds: Mapping[Any, Any] | None
    missing: str | None
    _door = property(gap_door)
    max_iter: int
    tol: float

    def results(self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None) -> CoefficientTests:
        """Standard errors, tests, intervals and criteria, from one pass over the rows that were learned from.

        Parameters
        ----------
        X, y, sample_weight, target : the rows, as they were given to `fit`: no more is kept of them than coefficients
        """
        state, (C, l1_ratio) = self._state()[0], self._penalised()
        if l1_ratio > 0.0 and np.isfinite(C):
            rule = "without a penalty on sizes for results"
            raise bad(self._owner, "the model", rule, Said(f"l1_ratio={l1_ratio}"), "Use l1_ratio=0, or C=inf.")
        opened = open_for(self, X, y, sample_weight, target, state)
        plan: Any = opened.plan
        source = opened.source.read_as(state.schema)
        source = self._weighed(source, plan.design(state.schema))
        penalty = CoefficientPenalty(0.0, 0.0 if np.isinf(C) else 1.0 / C, self._constant)
        return logistic_results(source, state.model, penalty, bool(self.fit_intercept))

    @abstractmethod
    def _penalised(self) -> tuple[float, float]:
        """C and the share of the penalty on sizes that the model was found under."""

    def _plan(self) -> LogisticPlan:
        return LogisticPlan(self._owner, None, bool(self.fit_intercept), dict(self.kinds or {}), gaps=takes_gaps(self))

    def _weighed(self, source: Source, design: Design) -> Source:
        """Rows weigh so many times as much as `class_weight` says of their class."""
        return weighed_by(source, self._class_weights(source, design))

    def _class_weights(self, source: Source, design: Design) -> Mapping[Any, float] | None:
        """The weight of each class, "balanced" ones by the rows of this source."""
        if self.class_weight is None:
            return None
        if isinstance(source, MemorySource):
            assert isinstance(source.y, Coded)
            labels, codes = np.array(source.y.labels[0]), source.y.codes[:, 0]
            weights = class_weights(self._owner, self.class_weight, labels, codes, source.w)
            return dict(zip(source.y.labels[0], weights.tolist(), strict=True))
        if isinstance(self.class_weight, Mapping):
            return dict(self.class_weight)
        look = FirstLook(design).at(source)
        weight = look.tally.weight.value
        return dict(zip(look.labels, (weight.mean() / weight).tolist(), strict=True))

    @property
    def _constant(self) -> float:
        """The column that an intercept is the coefficient of, where it bears the penalty; else 0."""
        return float(self.intercept_scaling) if self.solver in PENALISING and self.fit_intercept else 0.0

    def _first(self, source: Source, design: Design) -> ByClass:
        """What a look at the rows finds; one class is refused."""
        look = FirstLook(design).at(source)
        if len(look.labels) < 2:
            rule = "of at least 2 classes (This solver needs samples of at least 2 classes in the data)"
            got = Said(f"1 class: {look.labels[0]!r}" if look.labels else "none")
            raise bad(self._owner, "y", rule, got, "Give it rows of another class.")
        return look

    def _under(
        self, source: Source, start: LogisticModel, look: ByClass, C: float, l1_ratio: float
    ) -> Passes[LogisticModel]:
        """Pass after pass, from a start, under a penalty."""
        strength, rows = 0.0 if np.isinf(C) else 1.0 / C, look.tally.rows
        constant = self._constant if strength else 0.0
        penalty = CoefficientPenalty(strength * l1_ratio, strength * (1.0 - l1_ratio), constant)
        start = about_zero(start) if constant else start
        return learn_logistic(
            source,
            start if self.fit_intercept else _without_intercept(start),
            penalty,
            intercept=bool(self.fit_intercept),
            rows=int(rows.sum()),
            rarest=int(rows.min()),
            max_iter=int(self.max_iter),
            tol=float(self.tol),
        )

    def _told(self, found: Passes[LogisticModel]) -> Found:
        """Say what there is to say of the passes, then keep their model."""
        if found.model.separated:
            warnings.warn(
                f"{self._owner}: the classes can be told apart without error, so that coefficients would grow without "
                "end; they were left where every row is all but certain. Use a finite C.",
                Separable,
                stacklevel=5,
            )
        elif not found.settled:
            warnings.warn(
                f"{self._owner}: coefficients were still changing after {found.passes} passes. Raise max_iter or tol.",
                ConvergenceWarning,
                stacklevel=5,
            )
        return Found(replace(found.model, before=None, known=None), found.passes, found.settled)


def weighed_by(source: Source, weights: Mapping[Any, float] | None) -> Source:
    """The source with rows that weigh so many times as much as their class says."""
    if weights is None:
        return source
    if not isinstance(source, MemorySource):
        return ClassWeighted(source, weights)
    assert isinstance(source.y, Coded)
    factor = np.array([weights[label] for label in source.y.labels[0]])[source.y.codes[:, 0]]
    return replace(source, w=np.asarray(factor * (1.0 if source.w is None else source.w)))


def _without_intercept(start: LogisticModel) -> LogisticModel:
    """Columns stay where they are: without an intercept nothing makes up for moving them."""
    theta = start.theta.copy()
    theta[:, 0] = 0.0
    return replace(start, centre=np.zeros_like(start.centre), theta=theta)
