"""MixedMixture: latent classes of tables with columns of every kind.

p(x) = sum_k tau_k prod_j p(x_j | k)        over the cells that are present
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from suffice.core.block import Array, Block
from suffice.core.errors import Said, bad
from suffice.core.learner import Source
from suffice.core.schema import Schema
from suffice.core.shares import Shares
from suffice.estimators.all_or_nothing import all_or_nothing
from suffice.estimators.drawn_rows import drawn_columns, like_trained
from suffice.estimators.foreign import in_our_name
from suffice.estimators.origin import Origin, library
from suffice.estimators.weights import read_weights
from suffice.mixtures.assignment import ASSIGNMENTS
from suffice.mixtures.climbing import climb
from suffice.mixtures.density import ALPHA, MixtureDensity
from suffice.mixtures.free_parameters import free_given, free_shares
from suffice.mixtures.learner import Mixture, MixtureModel
from suffice.mixtures.mixed_plan import MixedPlan
from suffice.mixtures.profiles import Profile, profiles
from suffice.mixtures.row_marks import around_rows, beginnings, row_marks
from suffice.sources.memory import MemorySource
from suffice.sources.table import open_table


class MixedMixture(MixtureDensity):
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

    schema_: Schema

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

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from these rows.

        Parameters
        ----------
        X : table of any kind: arrays, lists, mappings, pandas, polars, Arrow; cells may be missing
        y : not used
        sample_weight : one weight a row, at least 0; weight w counts as w copies
        """
        with all_or_nothing(self):
            self._validate_params()
            table = open_table(self._check_X(X, first=True))
            self._library = library(X)
            w = read_weights(self._owner, sample_weight, table.n)
            schema = self._plan.declare(table.infer())
            return self._learn(MemorySource(table, schema, w=w, threads=self.threads), schema)

    def learn(self, rows: Any) -> Self:
        """Learn from rows of files or streams that can be read again, in passes; nothing is held.

        Parameters
        ----------
        rows : made by `suffice.sources.open_rows`
        """
        from suffice.mixtures.row_passes import RowPasses

        with all_or_nothing(self):
            self._validate_params()
            passes = RowPasses.of(self._owner, rows, self.kinds)
            names = passes.schema.names
            self._library = "mapping"
            self.n_features_in_, self.feature_names_in_ = len(names), np.array(names, dtype=object)
            return self._learn(passes, passes.schema)

    def _learn(self, source: Source, schema: Schema) -> Self:
        assign, alpha = ASSIGNMENTS[self.assignment], float(self.alpha)
        learner = Mixture(self._plan.product(schema), assign, alpha, owner=self._owner)
        starts = self._starts(learner, source)
        run = climb(learner, source, starts, max_iter=int(self.max_iter), tol=float(self.tol))
        self.schema_ = schema
        return self._adopt(run)

    def _starts(self, learner: Mixture, source: Source) -> Iterator[MixtureModel]:
        """Components around rows drawn at random, one for each."""
        rng = check_random_state(self.random_state)
        w = source.map(lambda block: np.ones(block.n) if block.w is None else block.w)
        for _ in range(self.n_init):
            seed = int(rng.randint(2**31 - 1))
            marks = source.map(partial(row_marks, seed=seed))
            where, weight = beginnings(self._owner, marks, w, self.n_components)

            def begin(block: Block, marks: Array = marks, where: Array = where, weight: Array = weight) -> Any:
                mine = slice(block.start, block.start + block.n)
                share = around_rows(marks[mine], where, weight, float(w.sum()))
                return learner.shared(block, Shares.soft(share * w[mine, None]))

            yield learner.begin(source.reduce(begin))

    @property
    def _plan(self) -> MixedPlan:
        return MixedPlan(self._owner, dict(self.kinds or {}), dict(self.families or {}), dict(self.by_kind or {}))

    def _check_X(self, X: Any, *, first: bool) -> Any:
        """A table as it is; scikit-learn looks at the number and the names of its columns only."""
        if hasattr(X, "tocsr"):
            rule = "a table with cells (sparse input is not supported)"
            raise bad(self._owner, "X", rule, type(X).__name__, "Use X.toarray(), or texts in a column.")
        if isinstance(X, Mapping):
            if first:
                self.n_features_in_, self.feature_names_in_ = len(X), np.array(list(X), dtype=object)
            return X
        table: Any = open_table(X)
        if not hasattr(X, "shape"):
            X = table.X if hasattr(table, "X") else table.frame.to_native()
        rows, columns = X.shape
        if not columns or (first and not rows):
            what = f"0 feature(s) (shape=({rows}, 0))" if rows or not columns else "0 sample(s)"
            rule = f"a table with rows and columns (Found array with {what} while a minimum of 1 is required.)"
            raise bad(self._owner, "X", rule, Said("none"), "Give it something to learn from.")
        with in_our_name(self._owner):
            validate_data(self, X, reset=first, skip_check_array=True)
        return X

    def _source(self, X: Any) -> Source:
        return MemorySource(open_table(self._check_X(X, first=False)), self.schema_, threads=self.threads)

    def _columns(self) -> Schema:
        return self.schema_

    def _table(self, parts: Sequence[Any], n: int) -> Any:
        columns = drawn_columns(self.model_.factors.groups, parts, self.schema_, n)
        return like_trained(columns, Origin(self.n_features_in_, library=self._library))

    def profiles(self) -> Profile:
        """Column -> what is expected in each component: means of numbers, label -> probabilities of symbols."""
        check_is_fitted(self, "model_")
        return profiles(self.model_.factors, self.schema_)

    def _n_parameters(self) -> int:
        """Number of free parameters."""
        factors, K = self.model_.factors, len(self.model_.log_weights)
        pairs = zip(factors.groups, factors.distributions, strict=True)
        return sum(free_given(group.family, mine) for group, mine in pairs) + free_shares(K, self.alpha)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags
