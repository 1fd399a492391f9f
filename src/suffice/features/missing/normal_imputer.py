"""NormalImputer: missing numbers from the others of their row, by a normal model of all columns."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval

from suffice.core.learner import Learned, Source
from suffice.estimators.boundary.doors import NumberRows
from suffice.estimators.glue.one_pass_transformer import OnePassTransformer
from suffice.features.missing.fill_readings import NormalFillReadings
from suffice.features.missing.normal_fill import NormalFillPlan
from suffice.features.missing.normal_passes import found_in_passes
from suffice.summaries.pattern_moments import TooManyPatterns


class NormalImputer(NormalFillReadings, OnePassTransformer):
    """Fills missing cells with what is expected of them given the cells that are there: one pass, exact, mergeable.

        x_u = m_u + C_uo C_oo^-1 (x_o - m_o)

    Mean and covariance are those under which the observed cells are most probable, found by expectation-maximisation on
    the moments of each missing pattern, which add: no row is read twice, and shards merge. Where patterns are more than
    sums are kept of (8,388,608 products of columns in all), `fit` finds the same in passes over the rows, and the model
    does not merge; `algebra_` says which. Rows must lack cells for reasons that the observed cells tell (missing at
    random). `draw` gives tables with drawn cells, parameters drawn first, for intervals that count what is not known;
    `pool` puts their answers together.

    Parameters
    ----------
    prior_strength : virtual rows, spread out as the table is and uncorrelated, added beforehand: where rows are few
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    mean_, covariance_ : of the normal distribution
    n_missing_ : how many cells of each column were missing
    n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import NormalImputer
    >>> nan = float("nan")
    >>> imputer = NormalImputer().fit([[1.0, 2.0], [2.0, 4.5], [3.0, 5.5], [4.0, nan]])
    >>> imputer.transform([[5.0, nan]]).round(8).tolist()
    [[5.0, 9.25]]
    >>> print(imputer.report([[5.0, nan]]))
    column   cells  filled by
    x1           1  its expectation given the other cells of the row
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "prior_strength": [Interval(Real, 0, None, closed="left")],
        "ledger": "no_validation",
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }
    _door = NumberRows({"dtype": ["float64", "float32"], "ensure_all_finite": "allow-nan"})

    def __init__(self, prior_strength: float = 0.0, *, threads: int | None = None, ledger: Any = None) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.prior_strength = prior_strength
        self.threads = threads
        self.ledger = ledger

    def _plan(self) -> NormalFillPlan:
        return NormalFillPlan(self._owner, float(self.prior_strength))

    def _learn(self, plan: Any, source: Source) -> tuple[Any, Learned]:
        """One pass; where rows lack cells in more ways than sums are kept of, passes over the rows."""
        try:
            return super()._learn(plan, source)
        except TooManyPatterns:
            if self._before is not None:
                raise
            return plan, found_in_passes(plan, source, plan.family)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
