"""What scikit-learn's naive Bayes and discriminant classes share: declared classes, numbers only, one family."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any, ClassVar, Self

from sklearn.base import ClassifierMixin
from sklearn.utils.metadata_routing import UNUSED

from suffice.bayes.class_priors import ClassPrior, weighed_prior
from suffice.bayes.learner import Bayes
from suffice.bayes.naive.declared_classes import first_classes, same_classes
from suffice.bayes.naive.fixed_plan import FixedPlan
from suffice.core.block import Array
from suffice.core.by_class import ByClass, canonical
from suffice.core.errors import BadInput, bad
from suffice.core.learner import Learned, Source, learn
from suffice.core.summary import Together
from suffice.estimators.algebras.one_pass import OnePass
from suffice.estimators.boundary.all_or_nothing import all_or_nothing
from suffice.estimators.boundary.odd_cells import odd_cell
from suffice.estimators.boundary.targets import LabelColumn, Target
from suffice.estimators.faces.probabilistic import Probabilistic
from suffice.estimators.glue.estimator import Estimator
from suffice.estimators.glue.one_pass_classifier import CONSTRAINTS, OnePassClassifier
from suffice.estimators.state.class_labels import Declared
from suffice.estimators.state.origin import column_names, label_type
from suffice.families.family import Family
from suffice.families.product import Group, Product
from suffice.sources.engines.memory import MemorySource
from suffice.sources.tables.parts import WORDS


class DropIn(OnePass, Probabilistic, ClassifierMixin, Estimator):  # type: ignore[misc]
    """A classifier of scikit-learn: the same parameters, attributes and messages, on a summary that adds."""

    _parameter_constraints: ClassVar[dict[str, Any]] = CONSTRAINTS
    _target: Target = LabelColumn()
    __metadata_request__fit: ClassVar[dict[str, Any]] = {"target": UNUSED}
    __metadata_request__partial_fit: ClassVar[dict[str, Any]] = {"target": UNUSED, "classes": UNUSED}

    fit = OnePassClassifier.fit
    learn = OnePassClassifier.learn

    @abstractmethod
    def _family(self) -> Family:
        """The family of all columns."""

    @abstractmethod
    def _class_prior(self) -> ClassPrior:
        """How class shares are found."""

    def partial_fit(
        self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None, *, target: Any = None
    ) -> Self:
        """Learn from more rows: the same model as `fit` on all of them.

        Parameters
        ----------
        X, y, sample_weight, target : as for `fit`
        classes : all classes that may ever come; needed in the first call, and the same ever after
        """
        with all_or_nothing(self):  # of two threads that begin, one declares the classes and the other learns on
            self._validate_params()
            if self._before is not None:
                if classes is not None:
                    same_classes(self._owner, classes, self.classes_)
                return self._learn_on(X, y, sample_weight, target)  # type: ignore[no-any-return]
            given = first_classes(self._owner, classes)
            declared = Declared(tuple(given.tolist()), closed=True)
            fitted, origin = self._summarize(X, y, sample_weight, target, declared)
            return self._adopt(fitted, replace(origin, label_type=label_type(given)))

    def _declare(self, labels: tuple[Any, ...]) -> Declared:
        return Declared(canonical(labels))

    def _plan(self) -> FixedPlan:
        return FixedPlan(self._bayes(), self._owner, column_names(self))

    def _bayes(self) -> Bayes:
        prior = weighed_prior(self._owner, self._class_prior(), getattr(self, "class_weight", None))
        return Bayes(Product((Group(0, self._family()),)), prior)

    def _learn(self, plan: Any, source: Source) -> tuple[Any, Learned]:
        """One pass. The columns of files are known only now, so that the plan is made again."""
        if isinstance(source, MemorySource):
            try:
                return super()._learn(plan, source)
            except BadInput as error:
                raise (None if getattr(plan, "gaps", False) else self._named(source)) or error from None
        schema, summary = learn(plan, source)
        self._know(plan.columns(schema))
        plan = self._plan()
        return plan, Learned(plan.named(schema), summary)

    def _named(self, source: MemorySource) -> BadInput | None:
        """A sentence about the cell that the pass stumbled over, by the name of its column."""
        X: Any = getattr(source.table, "X", None)
        if X is None or hasattr(X, "tocsr") or X.dtype.kind != "f":
            return None
        kind = "discriminant" if "missing" in self.get_params(deep=False) else "classifier"
        return odd_cell(self._owner, X, kind, column_names(self))

    def _know(self, names: tuple[Any, ...]) -> None:
        """The columns of files, once they were read; later ones must be as many."""
        if self._before is None:
            super()._meet(names)
        elif len(names) != self.n_features_in_:
            rule = f"{self.n_features_in_}, as in training"
            raise bad(self._owner, "the number of columns", rule, len(names), "Give it the same.")

    def _meet(self, names: tuple[Any, ...]) -> None:
        """Columns of files; of words, the schema has one, named by all of theirs, or by none once they were met."""
        if names == WORDS.names and "n_features_in_" in vars(self):
            return
        super()._meet(names[0] if len(names) == 1 and isinstance(names[0], tuple) else names)

    @property
    def _by_class(self) -> ByClass:
        """The summary over the classes, those without rows too; of a model found in passes, what it was read from."""
        state = self._state()[0]
        return state.declared.over(state.summary if state.adds else state.model.moments)

    @property
    def _part(self) -> Any:
        """The summary of the only part."""
        both = self._by_class.summary
        assert isinstance(both, Together)
        return both.parts[0]

    @property
    def _read_by(self) -> Any:
        """The family that the summary is read by."""
        return self._state()[0].model.factors.groups[0].family

    @property
    def _distribution(self) -> Any:
        """The only distribution."""
        return self._state()[0].model.factors.distributions[0]

    @property
    def class_count_(self) -> Array:
        """Weight of each class (K,)."""
        return self._by_class.tally.weight.value
