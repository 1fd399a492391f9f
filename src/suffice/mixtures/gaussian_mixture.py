"""GaussianMixture: scikit-learn's mixture of normals, in passes over summaries that add.

p(x) = sum_k tau_k N(x; m_k, C_k)        over the cells that are present
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from suffice.core.blas import one_thread_each
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.kinds import Kind
from suffice.core.learner import Source
from suffice.core.schema import Column, Schema
from suffice.estimators.all_or_nothing import all_or_nothing
from suffice.estimators.foreign import in_our_name
from suffice.estimators.weights import read_weights
from suffice.families.variance_priors import KnownVariance
from suffice.mixtures.assignment import ASSIGNMENTS
from suffice.mixtures.climbing import climb
from suffice.mixtures.covariance_types import TYPES, CovarianceType
from suffice.mixtures.density import ALPHA, MixtureDensity
from suffice.mixtures.free_parameters import free_shares
from suffice.mixtures.given_start import read_means_init, read_weights_init
from suffice.mixtures.learner import MixtureModel
from suffice.mixtures.normal_plan import Given, NormalPlan
from suffice.mixtures.starts import STARTS
from suffice.sources.grid import Grid
from suffice.sources.memory import MemorySource


class GaussianMixture(MixtureDensity):
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

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from these rows.

        Parameters
        ----------
        X : array (n, d) of numbers, NaN where a cell is missing
        y : not used
        sample_weight : one weight a row, at least 0; weight w counts as w copies
        """
        with all_or_nothing(self):
            self._validate_params()
            X = self._check_X(X, first=True)
            w = read_weights(self._owner, sample_weight, len(X))
            self._check_size(X, w)
            table = Grid(X)
            source = MemorySource(table, table.infer(), w=w, threads=self.threads)
            return self._learn(source, source, X, w)

    def learn(self, rows: Any, start_rows: int = 10_000) -> Self:
        """Learn from rows of files or streams that can be read again, in passes: nothing is held but a start.

        Parameters
        ----------
        rows : made by `suffice.sources.open_rows`; all features must be numbers
        start_rows : how many rows, drawn evenly, say where to begin
        """
        from suffice.mixtures.row_passes import RowPasses

        with all_or_nothing(self):
            self._validate_params()
            passes = RowPasses.of(self._owner, rows)
            X, w = passes.numbers(self._owner, start_rows, check_random_state(self.random_state))
            names = passes.schema.names
            self.n_features_in_, self.feature_names_in_ = len(names), np.array(names, dtype=object)
            self._check_size(X, w)
            table = Grid(X)
            return self._learn(passes, MemorySource(table, table.infer(), w=w, threads=self.threads), X, w)

    def _learn(self, source: Source, some: Source, X: Array, w: Array | None) -> Self:
        """All rows in `source`, those that say where to begin in `some` and, as an array, in `X`."""
        assign, alpha = ASSIGNMENTS[self.assignment], float(self.alpha)
        plan = NormalPlan.of(self._owner, self._kind, self.prior, self.reg_covar, assign, alpha)
        given, K = self._given(X.shape[1]), self.n_components
        again = self.warm_start and "model_" in vars(self)
        with plan.saying_what_collapsed(), one_thread_each():
            plan = plan.pinned(source)
            rng = check_random_state(self.random_state)
            starts: Any = plan.starts(some, X, w, K, STARTS[self.init_params], given, rng, self.n_init)
            if again:
                starts = [replace(self.model_, trace=(self.lower_bound_,))]
            tell = print if self.verbose else None
            run = climb(
                plan.learner(self._tell), source, starts, max_iter=self.max_iter, tol=float(self.tol), tell=tell
            )
        self._dtype = X.dtype
        return self._adopt(run, 1 if again and run.passes else 0)

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

    def _check_X(self, X: Any, *, first: bool) -> Array:
        least = 2 if first else 1
        types = [np.float64, np.float32]
        with in_our_name(self._owner):
            checked: Array = validate_data(
                self, X, reset=first, dtype=types, ensure_min_samples=least, ensure_all_finite="allow-nan"
            )
        return checked

    def _source(self, X: Any) -> Source:
        table = Grid(self._check_X(X, first=False))
        return MemorySource(table, table.infer(), threads=self.threads)

    def _columns(self) -> Schema:
        numbered = Schema.numbered([Kind.QUANTITATIVE] * self.n_features_in_)
        names = getattr(self, "feature_names_in_", numbered.names)
        return Schema(tuple(Column(str(name), Kind.QUANTITATIVE) for name in names))

    def _table(self, parts: Sequence[Any], n: int) -> Array:
        (drawn,) = parts
        return np.asarray(drawn)

    def _n_parameters(self) -> int:
        """Number of free parameters."""
        K, d = int(self.n_components), int(self.n_features_in_)
        spread = 0 if isinstance(self.prior, KnownVariance) else self._kind.parameters(K, d)
        return spread + K * d + free_shares(K, self.alpha)

    @property
    def _kind(self) -> CovarianceType:
        return TYPES[self.covariance_type]

    @property
    def _normals(self) -> Any:
        check_is_fitted(self, "model_")
        return self.model_.factors.distributions[0]

    @property
    def means_(self) -> Array:
        """Mean of each component (K, d)."""
        return np.asarray(self._normals.mean.value.astype(self._dtype))

    @property
    def covariances_(self) -> Array:
        """Covariances, in the shape of `covariance_type`."""
        return self._kind.covariances(self._normals).astype(self._dtype)

    @property
    def precisions_cholesky_(self) -> Array:
        """Upper triangular factors of the precisions, in the shape of `covariance_type`."""
        return self._kind.cholesky(self._normals).astype(self._dtype)

    @property
    def precisions_(self) -> Array:
        """Inverse covariances, in the shape of `covariance_type`."""
        return self._kind.precisions(self._kind.cholesky(self._normals)).astype(self._dtype)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
