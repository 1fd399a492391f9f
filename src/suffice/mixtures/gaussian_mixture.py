"""GaussianMixture: scikit-learn's mixture of normals, in passes over summaries that add.

p(x) = sum_k tau_k N(x; m_k, C_k)        over the cells that are present
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.metadata_routing import UNUSED

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.learner import Source
from suffice.core.schema import Schema
from suffice.estimators.boundary.distance_rows import DistanceRows
from suffice.estimators.glue.passes_density import PassesDensity, opened_rows
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.families.normals.variance_priors import KnownVariance
from suffice.mixtures.assignment import ASSIGNMENTS
from suffice.mixtures.climbing import climb
from suffice.mixtures.covariance_types import TYPES, CovarianceType
from suffice.mixtures.found_mixture import ALPHA, fit_predict, found_mixture
from suffice.mixtures.gaussian_plan import GaussianPlan, GaussianReadings
from suffice.mixtures.given_start import read_means_init, read_weights_init
from suffice.mixtures.learner import MixtureModel
from suffice.mixtures.mixture_readings import MixtureReadings, last_bound
from suffice.mixtures.normal_plan import Given, NormalPlan
from suffice.mixtures.starts import STARTS
from suffice.numerics.blas_threads import one_thread_each
from suffice.sources.engines.memory import MemorySource
from suffice.sources.tables.numbers import Numbers
from suffice.summaries.start_rows import drawn_rows

ROWS = {"dtype": [np.float64, np.float32], "ensure_all_finite": "allow-nan"}


class GaussianMixture(GaussianReadings, MixtureReadings, PassesDensity):
    """A mixture of normals for scikit-learn users: weights, missing cells, priors, and rows from files.

    Learned by expectation-maximisation in passes: exact, but what is summed is relative to a pass, so that models
    neither merge nor forget.

    Parameters
    ----------
    n_components, covariance_type, tol, reg_covar, max_iter, n_init, init_params, weights_init, means_init,
    precisions_init, random_state, warm_start, verbose, verbose_interval : as in scikit-learn
    prior : None adds `reg_covar` to the variances. A number of virtual rows, as spread out as the whole table, guards
        every component against collapse free of units, or a prior such as `NormalInverseWishart()`; `reg_covar` is not
        used then, and the penalised likelihood never falls. `KnownVariance(v)`, for round and diagonal components,
        gives all of them the variance v
    assignment : "soft" shares rows by their posterior, "hard" gives each to its most probable component
    alpha : virtual rows that each component has for its share alone; `numpy.inf` keeps all shares equal
    threads : number of threads; None takes all processors

    Attributes
    ----------
    weights_, means_, covariances_, precisions_, precisions_cholesky_, converged_, n_iter_, lower_bound_, lower_bounds_,
    n_features_in_, feature_names_in_ : as in scikit-learn; with a prior, bounds are penalised
    model_ : shares and distributions of the components

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import GaussianMixture
    >>> X = np.array([[1.0, 2.0], [1.0, 4.0], [1.0, np.nan], [10.0, 2.0], [10.0, 4.0], [10.0, 0.0]])
    >>> model = GaussianMixture(n_components=2, prior=1.0, random_state=0).fit(X)
    >>> model.predict([[0.0, np.nan], [12.0, 3.0]]).tolist() == model.predict(X[[0, 3]]).tolist()
    True

    References
    ----------
    G. J. McLachlan and D. Peel, Finite mixture models (2000).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_components": [Interval(Integral, 1, None, closed="left")],
        "covariance_type": [StrOptions(set(TYPES))],
        "tol": [Interval(Real, 0.0, None, closed="left")],
        "reg_covar": [Interval(Real, 0.0, None, closed="left")],
        "max_iter": [Interval(Integral, 0, None, closed="left")],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "init_params": [StrOptions(set(STARTS))],
        "weights_init": ["array-like", None],
        "means_init": ["array-like", None],
        "precisions_init": ["array-like", None],
        "random_state": ["random_state"],
        "warm_start": ["boolean"],
        "verbose": ["verbose"],
        "verbose_interval": [Interval(Integral, 1, None, closed="left")],
        "prior": "no_validation",
        "assignment": [StrOptions(set(ASSIGNMENTS))],
        "alpha": ALPHA,
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }

    _door = DistanceRows({**ROWS, "ensure_min_samples": 2}, predicting=ROWS, asked=False)
    _not_saved: ClassVar[tuple[str, ...]] = ("random_state",)
    __metadata_request__fit: ClassVar[dict[str, Any]] = {"start_rows": UNUSED}

    def __init__(
        self,
        n_components: int = 1,
        *,
        covariance_type: str = "full",
        tol: float = 1e-3,
        reg_covar: float = 1e-6,
        max_iter: int = 100,
        n_init: int = 1,
        init_params: str = "kmeans",
        weights_init: Any = None,
        means_init: Any = None,
        precisions_init: Any = None,
        random_state: Any = None,
        warm_start: bool = False,
        verbose: int = 0,
        verbose_interval: int = 10,
        prior: Any = None,
        assignment: str = "soft",
        threads: int | None = None,
        alpha: float = 0.0,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_components = n_components
        self.covariance_type = covariance_type
        self.tol = tol
        self.reg_covar = reg_covar
        self.max_iter = max_iter
        self.n_init = n_init
        self.init_params = init_params
        self.weights_init = weights_init
        self.means_init = means_init
        self.precisions_init = precisions_init
        self.random_state = random_state
        self.warm_start = warm_start
        self.verbose = verbose
        self.verbose_interval = verbose_interval
        self.prior = prior
        self.assignment = assignment
        self.threads = threads
        self.alpha = alpha

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, start_rows: int = 10_000) -> Self:
        """Learn from these rows.

        Parameters
        ----------
        X : array (n, d) of numbers, NaN where a cell is missing; or files, a pattern, rows made by `open_rows` that
            can be read again, in passes: nothing of them is held but a start
        y : not used
        sample_weight : one weight a row, at least 0; weight w counts as w copies; the name of a column of files
        start_rows : how many rows of files, drawn evenly, say where to begin
        """
        self._fit(X, None, sample_weight, None, partial(self._pass_over, start_rows=start_rows))
        return self

    def learn(self, rows: Any, start_rows: int = 10_000) -> Self:
        """Learn from the rows of files alone: another name for `fit(rows)`.

        Parameters
        ----------
        rows : made by `suffice.sources.open_rows`; all features must be numbers
        start_rows : how many rows, drawn evenly, say where to begin
        """
        return self.fit(opened_rows(self._owner, rows), start_rows=start_rows)

    fit_predict = fit_predict

    def _plan(self) -> GaussianPlan:
        known = isinstance(self.prior, KnownVariance)
        return GaussianPlan(self._owner, self.covariance_type, alpha=float(self.alpha), known=known)

    def _pass_over(
        self, plan: Any, source: Source, before: FittedModel | None, start_rows: int = 10_000
    ) -> tuple[Schema, Found]:
        """All rows in `source`, those that say where to begin in `some`."""
        some = self._starting(source, start_rows)
        (X,), w = some.block(slice(0, some.table.n)).parts, some.w
        self._check_size(X, w)
        source, normal = source.read_as(some.schema), self._normal_plan()
        given, K = self._given(X.shape[1]), self.n_components
        again = before is not None and self.warm_start
        with normal.saying_what_collapsed(), one_thread_each():
            normal = normal.pinned(source)
            rng = check_random_state(self.random_state)
            starts: Any = normal.starts(some, X, w, K, STARTS[self.init_params], given, rng, self.n_init)
            if before is not None and self.warm_start:
                starts = [replace(before.model, trace=(last_bound(before.model),))]
            tell, most = print if self.verbose else None, self.max_iter
            run = climb(normal.learner(self._tell), source, starts, max_iter=most, tol=float(self.tol), tell=tell)
        if again and run.passes:  # the first bound is that of the fit before
            run = run._replace(model=replace(run.model, trace=run.model.trace[1:]))
        return some.schema, found_mixture(run)

    def _starting(self, source: Source, start_rows: int) -> MemorySource:
        """A table in memory itself; of files, rows drawn evenly in a pass that finds what their columns are."""
        if isinstance(source, MemorySource):
            return source
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        schema, drawn = drawn_rows(source, seed, start_rows)
        drawn = drawn.in_order()
        w = None if (drawn.weight == 1.0).all() else drawn.weight
        return MemorySource(Numbers(drawn.rows, schema.names, self._owner), schema, w=w, threads=self.threads)

    def _normal_plan(self) -> NormalPlan:
        assign, alpha = ASSIGNMENTS[self.assignment], float(self.alpha)
        return NormalPlan.of(self._owner, self._kind, self.prior, self.reg_covar, assign, alpha)

    def _tell(self, model: MixtureModel) -> None:
        passes = len(model.trace)
        if self.verbose and passes and passes % self.verbose_interval == 0:
            print(f"  pass {passes}: mean log-likelihood {model.trace[-1]:.6g}")

    def _given(self, d: int) -> Given:
        K, owner = self.n_components, self._owner
        spread = None if self.precisions_init is None else self._kind.read(owner, self.precisions_init, K, d)
        weights = read_weights_init(owner, self.weights_init, K)
        return Given(weights, read_means_init(owner, self.means_init, K, d), spread)

    def _check_size(self, X: Array, w: Array | None) -> None:
        n, K = len(X) if w is None else int((w > 0).sum()), self.n_components
        if n < K:
            told = f"Expected n_samples >= n_components but got n_components = {K}, n_samples = {n}"
            raise bad(self._owner, "X", f"of at least as many rows as components ({told})", Said(str(n)), "Lower it.")

    @property
    def _kind(self) -> CovarianceType:
        return TYPES[self.covariance_type]
