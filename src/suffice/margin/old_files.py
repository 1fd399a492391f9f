"""Files of perceptrons and support vector machines as they were before all models shared one form."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import BadFile
from suffice.core.registry import saved
from suffice.estimators.state.fitted import FittedModel, Found, Plan
from suffice.estimators.state.loaded import SavedModel
from suffice.estimators.state.old_files import OldModel
from suffice.estimators.state.origin import Origin
from suffice.margin.perceptron.dual_scores import DualScores
from suffice.margin.perceptron.linear_function import LinearFunction
from suffice.margin.perceptron.linear_scores import LinearScores
from suffice.margin.plans import DualPlan, LinePlan, MachinePlan, PerceptronPlan
from suffice.margin.svc.support_vectors import SupportVectors
from suffice.sources.tables.numbers import number_schema
from suffice.spaces.kernels import Kernel


class OldScores(OldModel):
    """A model with a name and an origin of its own."""

    name: str  # of the estimator that learned it
    origin: Origin

    @abstractmethod
    def _now(self) -> tuple[Plan, Any, dict[str, Any]]:
        """Its plan, its model, and the parameters that are known."""

    def now(self) -> SavedModel:
        """The same as it is written now."""
        plan, model, parameters = self._now()
        schema = number_schema(self.origin.names, self.origin.width)
        return SavedModel(self.name, FittedModel(plan, schema, Found(model)), self.origin, parameters)

    def _check(self, **kinds: type[Any]) -> None:
        """Refuse a file whose pieces are not what they should be."""
        expected: dict[str, type[Any]] = {"name": str, "origin": Origin, **kinds}
        for piece, kind in expected.items():
            if not isinstance(getattr(self, piece), kind):
                raise BadFile(f"its {piece} is no {kind.__name__}")


@saved
@dataclass(frozen=True)
class SavedScores(OldScores):
    """Linear scores: those of `Perceptron`."""

    name: str
    classes: tuple[Any, ...]
    coef: Array  # (K', d)
    intercept: Array  # (K',)
    origin: Origin

    def __post_init__(self) -> None:
        """Refuse pieces that make no model."""
        self._check(classes=tuple, coef=np.ndarray)
        K = len(self.classes)
        shape = (1 if K == 2 else K, self.origin.width)
        if self.coef.shape != shape or np.shape(self.intercept) != shape[:1]:
            raise BadFile(f"its coefficients are not of shape {shape}")

    def _now(self) -> tuple[Plan, Any, dict[str, Any]]:
        return PerceptronPlan(self.name), LinearScores(self.classes, self.coef, self.intercept), {}


@saved
@dataclass(frozen=True)
class SavedLine(OldScores):
    """A linear function: that of `PerceptronRegressor`."""

    name: str
    coef: Array  # (d,)
    intercept: float
    origin: Origin

    def __post_init__(self) -> None:
        """Refuse pieces that make no model."""
        self._check(coef=np.ndarray, intercept=float)
        if self.coef.shape != (self.origin.width,):
            raise BadFile(f"its coefficients are not of shape {(self.origin.width,)}")

    def _now(self) -> tuple[Plan, Any, dict[str, Any]]:
        return LinePlan(self.name), LinearFunction(self.coef, self.intercept), {}


@saved
@dataclass(frozen=True)
class KernelScores(OldScores):
    """Scores by a kernel: those of `KernelPerceptron`."""

    name: str
    kernel: Kernel
    vectors: Array  # (m, d); (m,) numbers of rows where kernel values were given
    coef: Array  # (K', m)
    intercept: Array  # (K',)
    classes: tuple[Any, ...]
    origin: Origin

    def __post_init__(self) -> None:
        """Refuse pieces that make no model."""
        self._check()
        self._now()

    def _now(self) -> tuple[Plan, Any, dict[str, Any]]:
        model = DualScores(self.kernel, self.vectors, self.coef, self.intercept, self.classes)
        return DualPlan(self.name), model, {"kernel": self.kernel}


@saved
@dataclass(frozen=True)
class VectorMachine(OldScores):
    """A support vector machine."""

    name: str
    kernel: Kernel
    centre: Array  # (d,)
    vectors: Array  # (m, d) about the centre; (m,) numbers of rows where kernel values were given
    coef: Array  # (m, P)
    intercept: Array  # (P,)
    classes: tuple[Any, ...]
    origin: Origin
    shape: str = "ovr"
    break_ties: bool = False

    def __post_init__(self) -> None:
        """Refuse pieces that make no model."""
        self._check()
        self._now()

    def _now(self) -> tuple[Plan, Any, dict[str, Any]]:
        model = SupportVectors(
            self.kernel,
            self.centre,
            self.vectors,
            self.coef,
            self.intercept,
            self.classes,
            shape=self.shape,
            break_ties=bool(self.break_ties),
        )
        known = {"kernel": self.kernel, "decision_function_shape": self.shape, "break_ties": bool(self.break_ties)}
        return MachinePlan(self.name), model, known
