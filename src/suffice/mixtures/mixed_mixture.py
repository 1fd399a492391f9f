"""MixedMixture: latent classes of tables with columns of every kind.

p(x) = sum_k tau_k prod_j p(x_j | k)        over the cells that are present
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.core.block import Block
from suffice.core.errors import bad
from suffice.core.learner import Source, learn
from suffice.core.schema import Schema
from suffice.core.shares import Shares
from suffice.core.tally import Tally
from suffice.estimators.boundary.doors import AnyTable
from suffice.estimators.glue.passes_density import PassesDensity
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.mixtures.assignment import ASSIGNMENTS
from suffice.mixtures.climbing import climb
from suffice.mixtures.found_mixture import ALPHA, fit_predict, found_mixture
from suffice.mixtures.learner import Mixture
from suffice.mixtures.mixed_plan import MixedPlan, ProfileReadings
from suffice.mixtures.mixture_readings import MixtureReadings
from suffice.mixtures.row_marks import around_rows


@dataclass(frozen=True)
class FindColumns:
    """The plan of a pass that only finds what the columns are, and refuses those that nothing can be learned from."""

    plan: MixedPlan

    def learner(self, schema: Schema) -> FindColumns:
        """Itself, if families fit the columns."""
        self.plan.product(schema)
        return self

    def lift(self, summary: Tally, old: Schema, new: Schema) -> Tally:
        """Nothing to do."""
        return summary

    def summarize(self, block: Block, model: None = None) -> Tally:
        """Rows are counted."""
        return Tally.of(Shares.hard(np.zeros(block.n, dtype=np.int32), 1, block.w))


class CellTables(AnyTable):
    """Any table but sparse matrices; cells may be missing."""

    def check(self, estimator: Any, X: Any, *, first: bool, learning: bool = True) -> Any:
        """X as it is; `first` sets what later tables must be like."""
        if hasattr(X, "tocsr"):
            rule = "a table with cells (sparse input is not supported)"
            raise bad(estimator._owner, "X", rule, type(X).__name__, "Use X.toarray(), or texts in a column.")
        return super().check(estimator, X, first=first, learning=learning)

    def tag(self, tags: Any) -> None:
        """What scikit-learn may expect of X."""
        super().tag(tags)
        tags.input_tags.sparse = False


class MixedMixture(ProfileReadings, MixtureReadings, PassesDensity):
    """A mixture whose components describe numbers, symbols, Booleans, counts and texts side by side.

    Within a component columns are independent, so that missing cells are left out exactly and every family of the
    library can be used. Learned by expectation-maximisation in passes; the penalised likelihood never falls.

    Parameters
    ----------
    n_components : number of latent classes
    kinds : mapping column -> kind, overriding what the column shows; a list of values, lowest first, is an ordinal
    families : mapping column -> family, overriding the kind's
    by_kind : mapping kind -> family, overriding the default of a kind
    tol : a change of the mean log-likelihood below it settles a run
    max_iter : largest number of passes from each start
    n_init : number of starts, each around rows drawn at random; the likeliest end is kept
    assignment : "soft" shares rows by their posterior, "hard" gives each to its most probable component
    alpha : virtual rows that each component has for its share alone; `numpy.inf` keeps all shares equal
    random_state : seed or generator
    threads : number of threads; None takes all processors

    Attributes
    ----------
    model_ : shares and distributions of the components
    schema_ : kinds of the columns
    weights_, converged_, n_iter_, lower_bound_, lower_bounds_, n_features_in_, feature_names_in_ :
        as in `GaussianMixture`

    Examples
    --------
    >>> from suffice import MixedMixture
    >>> visits = {"age": [23, 25, 71, 74, None, 70], "smoker": [True, None, False, False, True, False]}
    >>> model = MixedMixture(2, random_state=0).fit(visits)
    >>> young, old = model.predict({"age": [24, 72], "smoker": [None, None]})
    >>> young != old
    np.True_

    References
    ----------
    P. F. Lazarsfeld and N. W. Henry, Latent structure analysis (1968).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_components": [Interval(Integral, 1, None, closed="left")],
        "kinds": [Mapping, None],
        "families": [Mapping, None],
        "by_kind": [Mapping, None],
        "tol": [Interval(Real, 0.0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "assignment": [StrOptions(set(ASSIGNMENTS))],
        "alpha": ALPHA,
        "random_state": ["random_state"],
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }

    _door = CellTables(allow_nan=True)
    _not_saved: ClassVar[tuple[str, ...]] = ("random_state",)

    def __init__(
        self,
        n_components: int = 2,
        *,
        kinds: Mapping[Any, Any] | None = None,
        families: Mapping[Any, Any] | None = None,
        by_kind: Mapping[Any, Any] | None = None,
        tol: float = 1e-5,
        max_iter: int = 500,
        n_init: int = 5,
        assignment: str = "soft",
        random_state: Any = None,
        threads: int | None = None,
        alpha: float = 0.0,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_components = n_components
        self.kinds = kinds
        self.families = families
        self.by_kind = by_kind
        self.tol = tol
        self.max_iter = max_iter
        self.n_init = n_init
        self.assignment = assignment
        self.random_state = random_state
        self.threads = threads
        self.alpha = alpha

    fit_predict = fit_predict

    def _plan(self) -> MixedPlan:
        kinds, families, by_kind = (dict(given or {}) for given in (self.kinds, self.families, self.by_kind))
        return MixedPlan(self._owner, kinds, families, by_kind, alpha=float(self.alpha))

    def _pass_over(self, plan: Any, source: Source, before: FittedModel | None) -> tuple[Schema, Found]:
        """A pass finds what the columns are where that is not known; then from each start."""
        schema = learn(FindColumns(plan), source).schema
        source = source.read_as(schema)
        assign, alpha = ASSIGNMENTS[self.assignment], float(self.alpha)
        learner = Mixture(plan.product(schema), assign, alpha, owner=self._owner)
        rng = check_random_state(self.random_state)
        seeds = (int(rng.randint(2**31 - 1)) for _ in range(self.n_init))
        starts = (around_rows(learner, source, seed, int(self.n_components)) for seed in seeds)
        run = climb(learner, source, starts, max_iter=int(self.max_iter), tol=float(self.tol))
        return schema, found_mixture(run)
