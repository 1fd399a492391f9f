"""What scikit-learn's naive Bayes classes share: declared classes, checked arrays, class shares."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.utils.multiclass import unique_labels
from sklearn.utils.validation import check_is_fitted, validate_data

from suffice.bayes.generative import Generative
from suffice.bayes.learner import Bayes, GivenPrior, LearnedPrior
from suffice.bayes.plan import FixedPlan
from suffice.core.block import Array, Coded
from suffice.core.by_class import ByClass, canonical
from suffice.core.errors import BadInput, NegativeCounts
from suffice.estimators.all_or_nothing import all_or_nothing
from suffice.estimators.classifier import OnePassClassifier
from suffice.estimators.fitted import Fitted
from suffice.families.family import Family
from suffice.families.product import Group, Product


class DropInNB(Generative, OnePassClassifier):
    """A naive Bayes of scikit-learn: the same parameters, attributes and messages, on a summary that adds."""

    def _family(self) -> Family:
        """The family of all columns."""
        raise NotImplementedError

    def _given_prior(self) -> Any:
        """Class shares fixed by the user, in the order of the classes; None to count them."""
        raise NotImplementedError

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
            self._declare_classes(classes, first)
            more = self._summarize(X, y, sample_weight, reset=first)
            return self._adopt(more if first else self.fitted_.merge([more]))

    def _declare_classes(self, classes: Any, first: bool) -> None:
        if classes is None and first:
            raise BadInput(
                f"{type(self).__name__}: classes must be passed on the first call to partial_fit. Give all labels that may "
                "ever come, or use NaiveBayes, which meets them as they come."
            )
        if classes is None:
            return
        given = unique_labels(classes)
        if first:
            self._declared = tuple(given.tolist())
        elif not np.array_equal(self.classes_, given):
            raise BadInput(
                f"{type(self).__name__}: `classes={classes!r}` is not the same as on last call to partial_fit, was: "
                f"{self.classes_!r}. Leave it out."
            )

    def _declare(self, labels: Coded, reset: bool) -> tuple[Any, ...] | None:
        seen = labels.labels[0]
        declared: tuple[Any, ...] | None = getattr(self, "_declared", None)
        if declared is None:
            return canonical(seen)
        strange = [label for label in seen if label not in set(declared)]
        if strange:
            raise BadInput(
                f"{type(self).__name__}: The target label(s) {strange} in y do not exist in the initial classes "
                f"{list(declared)}. Declare them in the first call."
            )
        return declared

    def _declared_classes(self, fitted: Fitted) -> tuple[Any, ...]:
        """All declared classes, or those with rows and those that `fit` met with weight 0."""
        declared: tuple[Any, ...] | None = getattr(self, "_declared", None)
        if declared is not None:
            return canonical((*declared, *fitted.summary.labels))
        had_rows = self.fitted_.summary.labels if "fitted_" in vars(self) else ()
        known = fitted.plan.learner(fitted.schema).classes or ()
        return canonical((*fitted.summary.labels, *(label for label in known if label not in set(had_rows))))

    def _plan(self, labels: tuple[Any, ...] | None) -> FixedPlan:
        family = self._family()
        bayes = Bayes(Product((Group(0, family),)), self._class_prior(labels or ()), labels)
        names = getattr(self, "feature_names_in_", None)
        return FixedPlan(bayes, family.storage, None if names is None else tuple(names.tolist()))

    def _class_prior(self, labels: tuple[Any, ...]) -> GivenPrior | LearnedPrior:
        given = self._given_prior()
        if given is None:
            return LearnedPrior()
        shares = np.asarray(given, dtype=np.float64)
        if len(shares) != len(labels):
            raise BadInput(
                f"{type(self).__name__}: Number of priors must match number of classes, got {len(shares)} for {len(labels)}."
            )
        return GivenPrior(dict(zip(labels, shares.tolist(), strict=True)))

    def _check_X(self, X: Any, reset: bool) -> Any:
        return validate_data(self, X, reset=reset, **self._array_rules(reset))

    def _array_rules(self, learning: bool) -> dict[str, Any]:
        """Options of scikit-learn's array check."""
        raise NotImplementedError

    def _summarize(self, X: Any, y: Any, sample_weight: Any, reset: bool = False) -> Fitted:
        try:
            return super()._summarize(X, y, sample_weight, reset)
        except NegativeCounts as error:
            named = f"Negative values in data passed to {type(self).__name__} (input X)"
            raise BadInput(str(error) if named in str(error) else f"{named}. {error}") from None

    @property
    def _by_class(self) -> ByClass:
        """The summary over the classes, those without rows included."""
        check_is_fitted(self, "fitted_")
        return self.fitted_.summary.align(self.fitted_.model.classes)

    @property
    def _part(self) -> Any:
        """The summary of the only part."""
        return self._by_class.summary.parts[0]  # type: ignore[attr-defined]

    @property
    def _distribution(self) -> Any:
        """The only distribution."""
        check_is_fitted(self, "fitted_")
        return self.fitted_.model.factors.distributions[0]

    @property
    def class_count_(self) -> Array:
        """Weight of each class (K,)."""
        return self._by_class.tally.weight.value
