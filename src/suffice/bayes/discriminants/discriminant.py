"""What linear and quadratic discriminant analysis share, as functions of the estimator: parameters, rows, readings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

from suffice.bayes.discriminants.discriminant_needs import Needs
from suffice.bayes.discriminants.discriminant_passes import in_passes
from suffice.bayes.discriminants.discriminant_plan import DiscriminantPlan, found, shows_symbols
from suffice.bayes.discriminants.estimated_covariances import estimated
from suffice.bayes.discriminants.mixed_classes import is_mixed
from suffice.bayes.naive.drop_in import DropIn
from suffice.core.block import Array
from suffice.core.errors import BadInput, Said, bad, refusal
from suffice.core.learner import refuse_streams
from suffice.estimators.boundary.all_or_nothing import all_or_nothing
from suffice.estimators.boundary.doors import AnyTable, Arrays
from suffice.estimators.boundary.opening import are_rows
from suffice.estimators.design.gap_choice import ARRAY, takes_gaps
from suffice.estimators.glue.one_pass_classifier import CONSTRAINTS
from suffice.estimators.state.class_labels import Declared
from suffice.estimators.state.fitted import FittedModel
from suffice.estimators.state.origin import Origin, column_names, library
from suffice.families.normals.covariance_priors import CovariancePrior, NormalInverseWishart, VarianceRidge
from suffice.families.normals.shrinkage import GivenShrinkage, LedoitWolfShrinkage, OracleShrinkage, Shrinkage
from suffice.numerics.log_space import normalize
from suffice.sources.engines.memory import MemorySource
from suffice.sources.tables.grid import FiniteGrid, Grid
from suffice.sources.tables.table import open_table
from suffice.summaries.pattern_moments import TooManyPatterns

ESTIMATED: Mapping[str, Callable[[], Shrinkage]] = {"auto": LedoitWolfShrinkage, "oas": OracleShrinkage}
NEGATIVE = "priors must be non-negative"  # as scikit-learn says it here
PARAMETERS: dict[str, Any] = {
    **CONSTRAINTS,
    "shrinkage": [StrOptions(set(ESTIMATED)), Interval(Real, 0, 1, closed="both"), None],
    "priors": ["array-like", None],
    "store_covariance": ["boolean"],
    "tol": [Interval(Real, 0, None, closed="left")],
    "covariance_estimator": [HasMethods("fit"), None],
    "missing": [StrOptions({"error", "marginalise"}), None],
    "prior_strength": [Interval(Real, 0, None, closed="left")],
}


class NotOffered(BadInput, NotImplementedError):
    """A combination of parameters that scikit-learn does not implement either."""


@dataclass(frozen=True)
class DiscriminantRows(Arrays):
    """Rows of numbers, or a table with symbols; the estimator remembers whether what it learned from was an array."""

    def check(self, estimator: Any, X: Any, *, first: bool, learning: bool = True) -> Any:
        """X as an array; `first` sets what later ones must be like."""
        if learning:
            vars(estimator)[ARRAY] = library(X) in (None, "scipy")
        before = None if first else estimator._before
        if shows_symbols(X) if before is None else is_mixed(before.schema):
            return open_table(AnyTable().check(estimator, X, first=first))
        return super().check(estimator, X, first=first, learning=learning)


def incomplete(model: Any) -> bool:
    """Whether cells may be missing: if nothing is said, those of tables, where the covariances can be read without."""
    if model.missing is None and (model.shrinkage == "auto" or model.covariance_estimator is not None):
        return False
    return takes_gaps(model)


def door(model: Any) -> Arrays:
    """Cells are tested block by block, as they are read; of rows that are learned from, by their products."""
    return _door(incomplete(model), model._owner)


@cache
def _door(gaps: bool, owner: str) -> Arrays:
    rules = {"dtype": [np.float64, np.float32], "ensure_all_finite": False}
    finite: Any = Grid if gaps else lambda X: FiniteGrid(X, owner)
    return DiscriminantRows(rules, learned=Grid, predicted=finite)


def plan_of(model: Any, needs: Needs) -> DiscriminantPlan:
    """What the parameters ask for; virtual rows make a model of any table."""
    asked = needs if model.prior_strength == 0 else None
    return DiscriminantPlan(model._bayes(), model._owner, column_names(model), incomplete(model), needs=asked)


def virtual(model: Any) -> CovariancePrior:
    """Rows added beforehand."""
    strength = float(model.prior_strength)
    return NormalInverseWishart(strength) if strength > 0 else VarianceRidge(0.0)


def shrinkage(model: Any) -> Shrinkage:
    """How covariances are shrunk."""
    if model.shrinkage is not None and model.covariance_estimator is not None and model.shrinkage != 0:
        told = "covariance_estimator and shrinkage parameters are not None. Only one of the two can be set. They"
        got = Said(f"shrinkage={model.shrinkage!r}")
        raise bad(model._owner, told, "one or the other", got, "Leave one out.")
    if not isinstance(model.shrinkage, str):
        return GivenShrinkage(float(model.shrinkage or 0.0))
    if model.shrinkage == "auto" and incomplete(model):
        remedy = "Use 'oas', a number, or missing='error'."
        raise bad(model._owner, "shrinkage", "other than 'auto' where cells may be missing", "auto", remedy)
    return ESTIMATED[model.shrinkage]()


def unshrunk(model: Any, told: str) -> None:
    """Refuse shrinkage where the solver has none."""
    if model.shrinkage is not None:
        rule = "None (shrinkage not supported with 'svd' solver)"
        raise refusal(NotOffered, model._owner, "shrinkage", rule, model.shrinkage, "Use another solver.")
    if model.covariance_estimator is not None:
        raise bad(model._owner, "covariance_estimator", "None", Said(f"one: {told.rstrip('.')}"))


def fit(self: Any, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None) -> Any:
    """Learn from these rows alone; refuses rows from which no model follows.

    Parameters
    ----------
    X : table; or files, a pattern, a stream of tables, rows made by `open_rows`, read chunk by chunk in one pass
    y : one label a row; None where the rows come from files
    sample_weight : one weight a row, at least 0; weight w counts as w copies; the name of a column of files
    target : the column of labels, where the rows come from files
    """
    with all_or_nothing(self):
        self._fit(X, y, sample_weight, target)
        self._follows(self.fitted_)
        return self


def summarize(
    self: Any, X: Any, y: Any, sample_weight: Any, target: Any = None, declared: Declared | None = None
) -> tuple[FittedModel, Origin]:
    """Rows as a fitted value: a summary; or a model alone, where patterns are too many or the user has an estimator."""
    try:
        fitted, origin = DropIn._summarize(self, X, y, sample_weight, target, declared)
    except TooManyPatterns:
        if self._before is not None:
            raise
        return _in_passes(self, X, y, sample_weight, target, declared)
    if self.covariance_estimator is None:
        return fitted, origin
    if sample_weight is not None:
        remedy = "Use shrinkage, which takes weights."
        raise bad(self._owner, "sample_weight", "None with a covariance_estimator", Said("some"), remedy)
    if are_rows(X, target):
        remedy = "Use shrinkage, which is read from the summary."
        raise bad(self._owner, "covariance_estimator", "None where the rows come from files", Said("one"), remedy)
    if is_mixed(fitted.schema):
        remedy = "Use shrinkage, or leave columns of symbols out."
        raise bad(self._owner, "covariance_estimator", "None where columns are symbols", Said("one"), remedy)
    return estimated(self, fitted, X, y), origin


def _in_passes(
    model: Any, X: Any, y: Any, sample_weight: Any, target: Any, declared: Declared | None
) -> tuple[FittedModel, Origin]:
    opened, known = model._open(X, y, sample_weight, target, declared)
    refuse_streams(model._owner, opened.source, "so many missing patterns take several passes")
    if is_mixed(opened.source.schema):
        rule, remedy = "few where columns are symbols", "Leave columns out that are often missing, or use NaiveBayes."
        raise bad(model._owner, "the ways in which rows lack cells", rule, Said("very many"), remedy)
    plan, schema, summary, passes = in_passes(model._owner, opened.plan, opened.source)
    if not isinstance(opened.source, MemorySource):
        model._know(plan.columns(schema))
    plan = replace(plan, names=column_names(model))
    fitted = FittedModel(plan, plan.named(schema), summary, known.besides(summary))
    return found(fitted, passes), opened.origin(schema)


def saved_parameters(model: Any) -> dict[str, Any]:
    """Parameters as they may be saved: an estimator of the user's may not."""
    if model.covariance_estimator is not None:
        remedy = "Use shrinkage, or set it to None and fit anew."
        raise bad(model._owner, "covariance_estimator", "None in a model to be saved", "one of your own", remedy)
    return DropIn._parameters(model)


def two_sided(scores: Array) -> Array:
    """Scores (n, K) as they are; of two classes, log odds of the second (n,)."""
    return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores


def joint_scores(model: Any, X: Any) -> Array:
    """Log posterior of each class but for a number a row (n, K)."""
    width = model._distribution.mean.high.shape[1]
    scores = np.asarray(model.predict_joint_log_proba(X) + 0.5 * np.log(2.0 * np.pi) * width)
    beyond = np.isneginf(scores).all(axis=1)  # so far off that all densities are 0: such a row has the prior, here too
    if beyond.any():
        scores[beyond] = normalize(scores[beyond], np.log(model.priors_))
    return scores


def cells_of(model: Any, state: FittedModel, checked: Any) -> Array:
    """The columns of rows that a model is about: numbers, and indicators of symbols; NaN where missing."""
    if checked is None:
        checked = model._check_X(None, first=False, learning=False)  # says what to give
    if not is_mixed(state.schema):
        return np.asarray(checked.X)
    factors = state.model.factors
    return np.asarray(state.map(checked, lambda block: factors.rows(block.parts), model.threads))


def factor_names(model: Any) -> Array:
    """The columns of `means_`: the names of numbers, and of symbols `column=level` for each level but the first."""
    state = model._state()[0]
    if not is_mixed(state.schema):
        return np.array([str(name) for name in state.schema.names], dtype=object)
    return np.array([factor.name for factor in state.model.factors.factors], dtype=object)


def typed(model: Any, values: Array) -> Array:
    """Values of the type that X had, as in scikit-learn."""
    return values.astype(model._origin.cell_type or np.float64)


def passes(model: Any) -> int:
    """How often the rows were read: once, and the summary adds; more often where missing patterns were many."""
    state = model._state()[0]
    return 1 if state.adds else int(state.state.passes)


def means(model: Any) -> Array:
    """Mean of each class (K, d)."""
    known = getattr(model._state()[0].model, "means", None)
    return typed(model, model._distribution.mean.value if known is None else known)


def priors(model: Any) -> Array:
    """Share of each class (K,)."""
    return typed(model, np.exp(model._state()[0].model.log_prior))
