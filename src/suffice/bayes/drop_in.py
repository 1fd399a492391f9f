"""What scikit-learn's naive Bayes classes share: declared classes, checked arrays, class shares."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.utils.multiclass import unique_labels
from sklearn.utils.validation import validate_data

from suffice.bayes.class_priors import ClassPrior, LearnedPrior, OrderedPrior
from suffice.bayes.evidence import Evidence
from suffice.bayes.fixed_plan import FixedPlan
from suffice.bayes.learner import Bayes
from suffice.core.block import Array
from suffice.core.by_class import ByClass, canonical
from suffice.core.errors import BadInput, NegativeCounts, Said, bad
from suffice.core.summary import Together
from suffice.estimators.all_or_nothing import all_or_nothing
from suffice.estimators.declared import Declared
from suffice.estimators.fitted import FittedModel
from suffice.estimators.foreign import in_our_name
from suffice.estimators.glue.one_pass_classifier import OnePassClassifier
from suffice.estimators.origin import Origin, column_names, label_type
from suffice.families.family import Family
from suffice.families.product import Group, Product


class DropInNB(Evidence, OnePassClassifier):
    """A naive Bayes of scikit-learn: the same parameters, attributes and messages, on a summary that adds."""

    @abstractmethod
    def _family(self) -> Family:
        """The family of all columns."""

    @abstractmethod
    def _given_shares(self) -> Any:
        """Class shares fixed by the user, in the order of the classes; None to count them."""

    @abstractmethod
    def _array_rules(self, learning: bool) -> dict[str, Any]:
        """Options of scikit-learn's array check."""

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more rows: the same model as `fit` on all of them.

        Parameters
        ----------
        X : array or sparse matrix (n, d)
        y : one label a row
        classes : all classes that may ever come; needed in the first call, and the same ever after
        sample_weight : one weight a row
        """
        with all_or_nothing(self):
            self._validate_params()
            first = "fitted_" not in vars(self)
            given = self._read_classes(classes, first)
            if given is None or not first:
                return self._learn_on(X, y, sample_weight)
            declared = Declared(tuple(given.tolist()), closed=True)
            fitted, origin = self._summarize(X, y, sample_weight, declared)
            return self._adopt(fitted, replace(origin, label_type=label_type(given)))

    def _read_classes(self, classes: Any, first: bool) -> Array | None:
        if classes is None and first:
            raise BadInput(
                f"{self._owner}: classes must be passed on the first call to partial_fit, got None. Give all labels "
                "that may ever come, or use NaiveBayes, which meets them as they come."
            )
        if classes is None:
            return None
        with in_our_name(self._owner):
            given: Array = unique_labels(classes)
        if not first and not np.array_equal(self.classes_, given):
            raise BadInput(
                f"{self._owner}: classes must be those of the first call (`classes={classes!r}` is not the same as on "
                f"last call to partial_fit, was: {self.classes_!r}), got others. Leave them out."
            )
        return given

    def _declare(self, labels: Sequence[Any]) -> Declared:
        return Declared(canonical(labels))

    def _plan(self) -> FixedPlan:
        product = Product((Group(0, self._family()),))
        return FixedPlan(Bayes(product, self._class_prior()), self._owner, column_names(self))

    def _class_prior(self) -> ClassPrior:
        given = self._given_shares()
        return LearnedPrior() if given is None else OrderedPrior(self._read_shares(given), self._owner)

    def _read_shares(self, given: Any) -> tuple[float, ...]:
        try:
            shares = np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError):
            raise bad(self._owner, "the class shares", "numbers", given, "Give one share a class.") from None
        if shares.ndim != 1:
            raise bad(
                self._owner, "the class shares", "a list of numbers", Said(f"shape {shares.shape}"), "One a class."
            )
        if not (shares >= 0).all() or not np.isfinite(shares).all():
            rule = "finite and at least 0 (Priors must be non-negative)"
            raise bad(self._owner, "the class shares", rule, given, "Correct the share.")
        return tuple(shares.tolist())

    def _check_X(self, X: Any, *, first: bool, learning: bool) -> Any:
        with in_our_name(self._owner):
            return validate_data(self, X, reset=first, **self._array_rules(learning))

    def _summarize(
        self, X: Any, y: Any, sample_weight: Any, declared: Declared | None = None
    ) -> tuple[FittedModel, Origin]:
        try:
            return super()._summarize(X, y, sample_weight, declared)
        except NegativeCounts as error:
            named = f"{self._owner}: X must not be negative (Negative values in data passed to {self._owner} (input X))"
            raise NegativeCounts(str(error) if self._owner in str(error) else f"{named}. {error}") from None

    @property
    def _by_class(self) -> ByClass:
        """The summary over the classes, those without rows included."""
        state, _ = self._state()
        return state.declared.over(state.summary)

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
