"""Models read from files: the verbs of the estimator they were, one class a face, without scikit-learn."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from os import PathLike
from typing import Any, Self

from suffice.core.errors import BadFile, Said, refusal
from suffice.estimators.algebras.one_pass import OnePass
from suffice.estimators.boundary.all_or_nothing import all_or_nothing
from suffice.estimators.boundary.opening import answer_engines
from suffice.estimators.boundary.targets import ClassTarget, NoTarget, NumberTarget, Target
from suffice.estimators.faces.classifier import Classifier
from suffice.estimators.faces.clusterer import Clusterer
from suffice.estimators.faces.density import Density
from suffice.estimators.faces.placement import Placement
from suffice.estimators.faces.probabilistic import Probabilistic
from suffice.estimators.faces.regressor import Regressor
from suffice.estimators.faces.several_labels import SeveralLabels
from suffice.estimators.faces.transformer import Transformer
from suffice.estimators.state.class_labels import Declared
from suffice.estimators.state.described import make
from suffice.estimators.state.fitted import FittedModel, Found, Plan
from suffice.estimators.state.loaded import SavedModel
from suffice.estimators.state.origin import Origin
from suffice.sources.tables.table import Table


class Loaded(OnePass):
    """A model read from a file: it predicts and is saved again; it learns on, merges and forgets if it kept a summary.

    What its estimator tells beyond its face (coefficients, explanations) it tells too: the plan names those readings.
    """

    threads: int | None = None
    refusal: Any = None
    ledger: Any = None  # the key, where the user holds it
    _target: Target = NoTarget()

    def __init__(self, value: SavedModel) -> None:
        """Take what the file held; raises where it makes no model."""
        self.name = value.name
        self.parameters, self.target = dict(value.parameters), value.target
        self.refusal = self.parameters.get("refusal")
        self._adopt(value.fitted, value.origin)

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None) -> Self:
        """Learn from more rows, in place.

        Parameters
        ----------
        X, y, sample_weight, target : as for the estimator
        """
        if not self._held_has("partial_fit"):
            self._learn_on(X, y, sample_weight, target)
            return self
        return self._by_held("partial_fit", X, y, sample_weight=sample_weight)

    def merge(self, *others: Any) -> Self:
        """Add the rows that other models have learned from, in place; a model around another has that one do it.

        Parameters
        ----------
        others : models of the same kind, estimators or loaded from files
        """
        return self._by_held("merge", *others) if self._held_has("merge") else super().merge(*others)

    def forget(self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None) -> Self:
        """Take rows away that were learned before, in place; a model around another has that one do it.

        Parameters
        ----------
        X, y, sample_weight, target : the rows, as they were given when learned
        """
        if not self._held_has("forget"):
            return super().forget(X, y, sample_weight, target=target)
        return self._by_held("forget", X, y, sample_weight)

    def _held_has(self, verb: str) -> bool:
        """Whether it is a model around another whose estimator passes a verb on."""
        state = self._fitted.state
        return isinstance(state, Found) and hasattr(state.model, "helds") and hasattr(self.estimator(), verb)

    def _by_held(self, verb: str, *given: Any, **named: Any) -> Self:
        """What the estimator that was saved does with what it holds."""
        with all_or_nothing(self):
            inner = self.estimator()
            inner.ledger = self.ledger
            value = getattr(inner, verb)(*given, **named)._saved()
            self._adopt(value.fitted, value.origin)
            if verb == "forget":
                self.receipt_ = inner.receipt_
            return self

    def estimator(self) -> Any:
        """The scikit-learn estimator that was saved, with its parameters, still fitted. Imports scikit-learn."""
        value = self._saved()
        made = make(value.name, value.parameters)
        if not isinstance(made._plan(), type(value.fitted.plan)):
            raise refusal(
                BadFile,
                "estimator",
                "the file",
                f"what {self.name} learns",
                Said("what another estimator does"),
                "",
                "must hold",
            )
        return made._restore(value)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to a file again."""
        from suffice.persistence import save

        save(self._saved(), path)

    def __getattr__(self, name: str) -> Any:
        """What the plan's readings tell, and the parameters of the estimator."""
        fitted = vars(self).get("_fitted")
        for readings in () if fitted is None else fitted.plan.readings():
            found = inspect.getattr_static(readings, name, None)
            if hasattr(found, "__get__"):
                return found.__get__(self, type(self))
        if name in vars(self).get("parameters", ()):
            return self.parameters[name]
        raise AttributeError(f"{type(self).__name__} of {vars(self).get('name')} has no attribute {name!r}")

    def __dir__(self) -> list[str]:
        """What it tells, its plan's readings included."""
        return sorted(
            {*super().__dir__(), *(name for readings in self._fitted.plan.readings() for name in dir(readings))}
        )

    def __repr__(self) -> str:
        """What it is."""
        return f"<{self.name} from a file: {self._origin.width} columns>"

    def __str__(self) -> str:
        """What its plan shows of it."""
        show = getattr(self._fitted.plan, "show", None)
        return repr(self) if show is None else str(show(self))

    @property
    def _owner(self) -> str:
        return self.name

    @property
    def _before(self) -> FittedModel:
        return self._fitted

    def _plan(self) -> Plan:
        return self._fitted.plan

    def _state(self, X: Any = None) -> tuple[FittedModel, Any]:
        return self._fitted, None if X is None else self._check_X(X, first=False)

    def _check_X(self, X: Any, *, first: bool, learning: bool = True) -> Any:
        self._origin.check_width(self._owner, X)
        if isinstance(X, Table) and not hasattr(X, "X"):  # a chunk of a file, as the plan reads it
            return self._fitted.plan.chunk(X, X.infer())[0]
        return X

    def _columns(self) -> tuple[int, tuple[Any, ...] | None]:
        return self._origin.width, self._origin.names

    def _meet(self, names: tuple[Any, ...]) -> None:
        """Columns are known by their names."""

    def _declare(self, labels: tuple[Any, ...]) -> Declared:
        return Declared()

    def _adopt(self, fitted: FittedModel, origin: Origin) -> Self:
        fitted.model  # noqa: B018  (what cannot be estimated is refused before it is kept)
        self._fitted, self._origin = fitted, origin
        return self

    def _saved(self) -> SavedModel:
        parameters = {**self.parameters, "refusal": self.refusal} if "refusal" in self.parameters else self.parameters
        return SavedModel(self.name, self._fitted, self._origin, parameters, self.target)


class LoadedProbabilistic(Probabilistic, Loaded):
    """A classifier with probabilities."""

    _target: Target = ClassTarget()

    def __repr__(self) -> str:
        """What it is."""
        return f"<{self.name} from a file: {len(self.classes_)} classes, {self._origin.width} columns>"


class LoadedClassifier(Classifier, Loaded):
    """A classifier by scores."""

    _target: Target = ClassTarget()

    def __repr__(self) -> str:
        """What it is."""
        return f"<{self.name} from a file: {len(self.classes_)} classes, {self._origin.width} columns>"


class LoadedSeveralLabels(SeveralLabels, Loaded):
    """A classifier of rows with several labels."""


class LoadedRegressor(Regressor, Loaded):
    """A regressor."""

    _target: Target = NumberTarget()


class LoadedDensity(Density, Loaded):
    """A density."""


class LoadedTransformer(Transformer, Loaded):
    """A transformer; some learn from labels or numbers, as their plan says."""

    @property
    def _target(self) -> Target:  # type: ignore[override]
        return getattr(self._fitted.plan, "target", NoTarget())


class LoadedPlacement(Placement, Loaded):
    """A map."""


class LoadedSupervisedTransformer(Transformer, Loaded):
    """A transformer that learned from rows with labels."""

    _target: Target = ClassTarget()


class LoadedNumberTransformer(Transformer, Loaded):
    """A transformer that learned from rows with numbers to predict."""

    _target: Target = NumberTarget()


class LoadedClusterer(Clusterer, Loaded):
    """A clusterer."""


FACES: Mapping[str, type[Loaded]] = {
    "probabilistic": LoadedProbabilistic,
    "classifier": LoadedClassifier,
    "several_labels": LoadedSeveralLabels,
    "regressor": LoadedRegressor,
    "density": LoadedDensity,
    "transformer": LoadedTransformer,
    "placement": LoadedPlacement,
    "supervised_transformer": LoadedSupervisedTransformer,
    "number_supervised_transformer": LoadedNumberTransformer,
    "clusterer": LoadedClusterer,
}

for _face in FACES.values():
    answer_engines(_face)
