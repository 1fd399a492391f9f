"""What linear and quadratic discriminant analysis share: normal classes on a summary that adds."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

from suffice.bayes.discriminant_passes import in_passes
from suffice.bayes.discriminant_plan import DiscriminantPlan, JointEvidence, NotOffered, refuse_passes
from suffice.bayes.drop_in import DropInNB
from suffice.bayes.estimated_covariances import estimated
from suffice.bayes.generative import Generative
from suffice.bayes.learner import Bayes
from suffice.core.block import Array
from suffice.core.errors import BadInput, Said, bad
from suffice.estimators.declared import Declared
from suffice.estimators.fitted import FittedModel
from suffice.estimators.origin import Origin, column_names
from suffice.families.covariance_priors import CovariancePrior, NormalInverseWishart, VarianceRidge
from suffice.families.full_normal import FullNormal
from suffice.families.product import Group, Product
from suffice.families.shrinkage import GivenShrinkage, LedoitWolfShrinkage, OracleShrinkage, Shrinkage
from suffice.sources.grid import FiniteGrid, Grid
from suffice.summaries.pattern_moments import PatternMoments, TooManyPatterns

ESTIMATED: Mapping[str, Callable[[], Shrinkage]] = {"auto": LedoitWolfShrinkage, "oas": OracleShrinkage}
MISSING = {"error": False, "marginalise": True}  # whether cells may be missing


class Discriminant(JointEvidence, Generative, DropInNB):
    """Normal classes: the parameters, checks and attributes that both discriminant analyses have."""

    solver: str
    shrinkage: Any
    priors: Any
    tol: float
    covariance_estimator: Any
    missing: str
    prior_strength: float

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **DropInNB._parameter_constraints,
        "shrinkage": [StrOptions(set(ESTIMATED)), Interval(Real, 0, 1, closed="both"), None],
        "priors": ["array-like", None],
        "store_covariance": ["boolean"],
        "tol": [Interval(Real, 0, None, closed="left")],
        "covariance_estimator": [HasMethods("fit"), None],
        "missing": [StrOptions(set(MISSING))],
        "prior_strength": [Interval(Real, 0, None, closed="left")],
    }

    @abstractmethod
    def _family(self) -> FullNormal:
        """The normal family, with the reading of its moments."""

    @abstractmethod
    def _check_fitted(self, fitted: FittedModel) -> None:
        """Refuse rows from which no such model follows, as scikit-learn does."""

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more rows: the same model as `fit` on all of them.

        Parameters
        ----------
        X, y, sample_weight : as for `fit`
        classes : all classes that may ever come; needed in the first call, and the same ever after
        """
        self._refuse_passes("partial_fit", self)
        return super().partial_fit(X, y, classes, sample_weight)

    def merge(self, *others: Any) -> Self:
        """Add the rows that other models have learned from, in place: the model all rows together would have given.

        Parameters
        ----------
        others : models of the same kind, estimators or loaded from files
        """
        self._refuse_passes("merge", self, *others)
        return super().merge(*others)

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Take rows away that were learned before, in place: the model they were never shown to.

        Parameters
        ----------
        X, y, sample_weight : the rows, as they were given when learned
        """
        self._refuse_passes("forget", self)
        return super().forget(X, y, sample_weight)

    def _refuse_passes(self, verb: str, *models: Any) -> None:
        for model in models:
            fitted = vars(model).get("fitted_") if hasattr(model, "__dict__") else None
            refuse_passes(self._owner, verb, getattr(fitted, "plan", None))

    def _plan(self) -> DiscriminantPlan:
        product = Product((Group(0, self._family()),))
        bayes = Bayes(product, self._class_prior())
        return DiscriminantPlan(bayes, self._owner, column_names(self), incomplete=MISSING[self.missing])

    def __sklearn_tags__(self) -> Any:
        """What kinds of tables it takes."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = MISSING[self.missing]
        return tags

    def _virtual(self) -> CovariancePrior:
        """Rows added beforehand."""
        strength = float(self.prior_strength)
        return NormalInverseWishart(strength) if strength > 0 else VarianceRidge(0.0)

    def _shrinkage(self) -> Shrinkage:
        if self.shrinkage is not None and self.covariance_estimator is not None and self.shrinkage != 0:
            raise BadInput(
                f"{self._owner}: covariance_estimator and shrinkage parameters are not None. Only one of the two can "
                f"be set. They must be one or the other, got shrinkage={self.shrinkage!r}. Leave one out."
            )
        if not isinstance(self.shrinkage, str):
            return GivenShrinkage(float(self.shrinkage or 0.0))
        if self.shrinkage == "auto" and MISSING[self.missing]:
            remedy = "Use 'oas', a number, or missing='error'."
            raise bad(self._owner, "shrinkage", "other than 'auto' where cells may be missing", "auto", remedy)
        return ESTIMATED[self.shrinkage]()

    def _unshrunk(self, told: str) -> None:
        """Refuse shrinkage where the solver has none."""
        if self.shrinkage is not None:
            raise NotOffered(
                f"{self._owner}: shrinkage must be None (shrinkage not supported with 'svd' solver), got "
                f"{self.shrinkage!r}. Use another solver."
            )
        if self.covariance_estimator is not None:
            raise BadInput(f"{self._owner}: covariance_estimator must be None, got one: {told}")

    def _given_shares(self) -> Any:
        return self.priors

    def _read_shares(self, given: Any) -> tuple[float, ...]:
        try:
            return super()._read_shares(given)
        except BadInput as error:
            raise BadInput(str(error).replace("Priors must be", "priors must be")) from None

    def _array_rules(self, learning: bool) -> dict[str, Any]:
        return {"dtype": [np.float64, np.float32], "ensure_all_finite": False}

    def _check_X(self, X: Any, *, first: bool, learning: bool) -> Any:
        """Cells are tested block by block, as they are read; of rows that are learned from, by their products."""
        X = super()._check_X(X, first=first, learning=learning)
        return Grid(X) if MISSING[self.missing] or learning else FiniteGrid(X, self._owner)

    def _summarize(
        self, X: Any, y: Any, sample_weight: Any, declared: Declared | None = None
    ) -> tuple[FittedModel, Origin]:
        complete = not MISSING[self.missing]
        if complete and sample_weight is not None:  # cells of rows that weigh nothing have no products
            self._refuse_missing(X)
        try:
            fitted, origin = super()._summarize(X, y, sample_weight, declared)
        except BadInput as error:
            if complete:
                self._refuse_missing(X)
            if "fitted_" in vars(self) or not isinstance(error, TooManyPatterns):
                raise
            return in_passes(self, X, y, sample_weight)
        if complete and _gaps(fitted):
            self._refuse_missing(X)
        if self.covariance_estimator is not None:
            if sample_weight is not None:
                remedy = "Use shrinkage, which takes weights."
                raise bad(self._owner, "sample_weight", "None with a covariance_estimator", Said("some"), remedy)
            fitted = estimated(self, fitted, X, y)
        return fitted, origin

    def _refuse_missing(self, X: Any) -> None:
        """Refuse cells that are missing or infinite."""
        FiniteGrid(super()._check_X(X, first="fitted_" not in vars(self), learning=True), self._owner).refuse()

    def _adopt(self, fitted: FittedModel, origin: Origin) -> Self:
        if self.prior_strength == 0:
            self._check_fitted(fitted)
        return super()._adopt(fitted, origin)

    def _parameters(self) -> dict[str, Any]:
        if self.covariance_estimator is not None:
            remedy = "Use shrinkage, or set it to None and fit anew."
            raise bad(self._owner, "covariance_estimator", "None in a model to be saved", "one of your own", remedy)
        return super()._parameters()

    def decision_function(self, X: Any) -> Array:
        """Log posterior of each class but for a number a row (n, K); of two classes, log odds of the second (n,)."""
        scores = self._scores(X)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def _scores(self, X: Any) -> Array:
        return np.asarray(self.predict_joint_log_proba(X) + 0.5 * np.log(2.0 * np.pi) * self._origin.width)

    def _typed(self, values: Array) -> Array:
        """Values of the type that X had, as in scikit-learn."""
        return values.astype(self._origin.cell_type or np.float64)

    @property
    def passes_(self) -> int:
        """How often the rows were read: once, and the summary adds; more often where missing patterns were many."""
        plan: Any = self._state()[0].plan
        return int(plan.passes)

    @property
    def means_(self) -> Array:
        """Mean of each class (K, d)."""
        return self._typed(self._distribution.mean.value)

    @property
    def priors_(self) -> Array:
        """Share of each class (K,)."""
        return self._typed(np.exp(self._state()[0].model.log_prior))


def _gaps(fitted: FittedModel) -> bool:
    """Whether rows were met that lack a cell."""
    return any(isinstance(part, PatternMoments) and not part.is_complete for part in fitted.summary.summary.parts)  # type: ignore[attr-defined]
