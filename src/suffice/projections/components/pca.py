"""PCA: principal components from moments that add.

z = V (x - m),     V the eigenvectors of the covariance of x, by falling variance
"""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

from sklearn.utils._param_validation import Interval, RealNotInt, StrOptions

from suffice.core.errors import BadType, Said, bad, refusal
from suffice.core.learner import Learned, Source
from suffice.estimators.boundary.doors import NumberRows
from suffice.estimators.glue.one_pass_transformer import OnePassTransformer
from suffice.estimators.state.fitted import Found, Plan
from suffice.projections.components.component_counts import NAMED
from suffice.projections.components.principal_model import PrincipalModel
from suffice.projections.components.principal_plan import PrincipalPlan
from suffice.projections.components.principal_readings import PrincipalReadings
from suffice.projections.components.wide_tables import WideOptions, axes_of_rows, in_batches
from suffice.sources.engines.memory import MemorySource
from suffice.summaries.wide_moments import NARROW, is_wide

SOLVERS = {"auto", "full", "covariance_eigh", "arpack", "randomized"}


class PCA(PrincipalReadings, OnePassTransformer):
    """Principal components for scikit-learn users: one pass, exact, mergeable, forgetting, with missing cells.

    What is kept are the products of all pairs of columns, to twice the digits of a float; components follow. Missing
    cells are filled in by expectation-maximisation, from the moments of each missing pattern. Tables with very many
    columns and few rows are decomposed in memory instead, and do not add.

    Parameters
    ----------
    n_components : how many; a share of the variance below 1; "mle" (Minka); "broken-stick"; None for all
    copy : taken for the sake of scikit-learn's interface; X is never changed
    whiten : whether components are divided by their deviation
    svd_solver : "auto", "full", "covariance_eigh"; "arpack", "randomized". Used for wide tables alone: others are exact
    tol, iterated_power, n_oversamples, power_iteration_normalizer, random_state : of arpack and randomized
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    components_, explained_variance_, explained_variance_ratio_, singular_values_, mean_, n_components_, n_samples_,
    noise_variance_, n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import PCA
    >>> pca = PCA(1).fit([[0.0, 0.0], [3.0, 4.0]])
    >>> pca.components_.round(6).tolist(), pca.transform([[3.0, 4.0]]).round(6).tolist()
    ([[0.6, 0.8]], [[2.5]])
    >>> pca.merge(PCA(1).fit([[6.0, 8.0], [9.0, 12.0]])).mean_.tolist()
    [4.5, 6.0]

    References
    ----------
    I. T. Jolliffe, Principal component analysis (2002).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_components": [
            Interval(Integral, 0, None, closed="left"),
            Interval(RealNotInt, 0, 1, closed="neither"),
            StrOptions(set(NAMED)),
            None,
        ],
        "copy": ["boolean"],
        "whiten": ["boolean"],
        "svd_solver": [StrOptions(SOLVERS)],
        "tol": [Interval(Real, 0, None, closed="left")],
        "iterated_power": [StrOptions({"auto"}), Interval(Integral, 0, None, closed="left")],
        "n_oversamples": [Interval(Integral, 1, None, closed="left")],
        "power_iteration_normalizer": [StrOptions({"auto", "QR", "LU", "none"})],
        "random_state": ["random_state"],
        "ledger": "no_validation",
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }
    _not_saved = ("random_state",)
    _door = NumberRows(
        {"dtype": ["float64", "float32"], "ensure_all_finite": "allow-nan", "accept_sparse": "csr"},
        multiplied=NARROW,
    )

    def __init__(
        self,
        n_components: Any = None,
        *,
        copy: bool = True,
        whiten: bool = False,
        svd_solver: str = "auto",
        tol: float = 0.0,
        iterated_power: Any = "auto",
        n_oversamples: int = 10,
        power_iteration_normalizer: str = "auto",
        random_state: Any = None,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_components = n_components
        self.copy = copy
        self.whiten = whiten
        self.svd_solver = svd_solver
        self.tol = tol
        self.iterated_power = iterated_power
        self.n_oversamples = n_oversamples
        self.power_iteration_normalizer = power_iteration_normalizer
        self.random_state = random_state
        self.threads = threads
        self.ledger = ledger

    def _plan(self) -> PrincipalPlan:
        return PrincipalPlan(self._owner, _plain(self.n_components), bool(self.whiten), self._owner.lower())

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more rows: the same model as `fit` on all of them; rows of wide tables are kept.

        Parameters
        ----------
        X, y, sample_weight : as for `fit`
        """
        with in_batches(self):
            return super().partial_fit(X, y, sample_weight)

    def _learn(self, plan: Plan, source: Source) -> tuple[Plan, Learned]:
        """One pass; or, where columns are too many, the rows as they are."""
        table = getattr(source, "table", None)
        shape = getattr(getattr(table, "X", None), "shape", None)
        if isinstance(source, MemorySource) and shape is not None and not self.__dict__.get("_in_batches"):
            self._check_solver(hasattr(table.X, "tocsr"), *shape)  # type: ignore[union-attr]
            if self.svd_solver != "covariance_eigh" and is_wide(*shape):
                return plan, Learned(source.schema, Found(self._decompose(source)))
        return super()._learn(plan, source)

    def _check_solver(self, sparse: bool, n: int, d: int) -> None:
        """Refuse what scikit-learn's solvers do not do."""
        k, solver, most = self.n_components, self.svd_solver, min(n, d)
        if sparse and solver in ("full", "randomized"):
            told = 'PCA only support sparse inputs with the "arpack" and "covariance_eigh" solvers, while'
            rule = f'another for sparse rows ({told} "{solver}" was passed)'
            raise refusal(BadType, self._owner, "svd_solver", rule, solver, 'Use "auto".')
        if solver not in ("arpack", "randomized") or k is None:
            return
        if isinstance(k, str):
            told = f"n_components='{k}' cannot be a string with svd_solver='{solver}'"
            raise bad(self._owner, "n_components", f"a number ({told})", k, 'Use svd_solver="full".')
        if not 1 <= k <= most:
            told = f"must be between 1 and min(n_samples, n_features)={most} with svd_solver='{solver}'"
            rule = f"from 1 to {most} (n_components={k} {told})"
            raise bad(self._owner, "n_components", rule, Said(str(k)), "There are no more.")
        if solver == "arpack" and k == most:
            told = f"must be strictly less than min(n_samples, n_features)={most} with svd_solver='arpack'"
            rule = f"less than {most} (n_components={k} {told})"
            raise bad(self._owner, "n_components", rule, Said(str(k)), 'Use svd_solver="full".')

    def _decompose(self, source: MemorySource) -> PrincipalModel:
        """Axes of the rows themselves."""
        block = source.block(slice(0, source.table.n))
        wish = WideOptions(
            _plain(self.n_components), bool(self.whiten), self._owner.lower(), self.svd_solver, self._given()
        )
        return axes_of_rows(self._owner, block.parts[0], block.w, wish)

    def _given(self) -> dict[str, Any]:
        steps = self.iterated_power
        return {
            "tol": self.tol,
            "n_iter": steps,
            "n_oversamples": self.n_oversamples,
            "power_iteration_normalizer": self.power_iteration_normalizer,
            "random_state": self.random_state,
        }

    @property
    def _n_features_out(self) -> int:
        return int(self.n_components_)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        tags.input_tags.sparse = self.svd_solver in ("auto", "arpack", "covariance_eigh")
        return tags


def _plain(k: Any) -> Any:
    """A number as Python's own."""
    return int(k) if isinstance(k, Integral) else float(k) if isinstance(k, Real) else k
