"""ElasticNetCV and LassoCV: the penalty chosen by folds that are added, whole paths from one pass over the rows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.learner import Learned, Source, learn
from suffice.estimators.boundary.all_or_nothing import all_or_nothing
from suffice.estimators.boundary.targets import Target
from suffice.estimators.design.gap_choice import takes_gaps
from suffice.estimators.design.missing_option import MISSING_RULE, gap_door
from suffice.estimators.folds.routed_params import Routed, routed_params, search_router
from suffice.estimators.glue.one_pass_regressor import OnePassRegressor
from suffice.linear.regression.coefficients import Coefficients
from suffice.linear.regression.elastic_net import ElasticNet
from suffice.linear.regression.fold_errors import Fold
from suffice.linear.regression.least_squares_problem import Problem
from suffice.linear.regression.linear_learner import problem_of
from suffice.linear.regression.linear_plan import LinearPlan
from suffice.linear.regression.penalty_search import RULES, OneNumber, chosen, fold_problems
from suffice.linear.regression.sparse_readings import dual_gap, sparse_coef, sweeps
from suffice.linear.regression.sparse_solver import Sparse, largest_penalty
from suffice.linear.terms import ByTerm
from suffice.linear.wide.row_problem import RowProblem
from suffice.summaries.rows_summary import RowsSummary


class ElasticNetCV(Coefficients, OnePassRegressor):
    """Elastic net with its penalty chosen by cross-validation, for scikit-learn users: the rows are read once.

    Parameters
    ----------
    l1_ratio : the part of the penalty on sizes, from 0 to 1; one number, or several to choose from; 0 needs `alphas`
    eps : smallest over largest penalty, where they are not given
    alphas : how many penalties, or the penalties themselves
    cv : number of folds, a splitter, or pairs of row numbers; None is 5 folds
    rule : "best", or "one_standard_error" for the largest penalty within one standard error of the best
    fit_intercept, max_iter, tol, positive, kinds, missing, threads, ledger : as for `ElasticNet`; with `positive`,
        penalties that are not given begin where the first coefficient rises above 0
    precompute, copy_X, verbose, n_jobs, random_state, selection : taken for the sake of scikit-learn's interface

    Attributes
    ----------
    alpha_, l1_ratio_, alphas_, mse_path_, dual_gap_, n_iter_, coef_, intercept_, n_features_in_, feature_names_in_ :
        as in scikit-learn

    Examples
    --------
    >>> from suffice import ElasticNetCV
    >>> X = np.arange(40.0).reshape(20, 2) % 7
    >>> ElasticNetCV(cv=4).fit(X, X[:, 0]).coef_.round(2).tolist()
    [1.0, 0.0]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **OnePassRegressor._parameter_constraints,
        "cv": ["cv_object"],
        "fit_intercept": ["boolean"],
        "missing": MISSING_RULE,
        "rule": [StrOptions(set(RULES))],
        "l1_ratio": [Interval(Real, 0, 1, closed="both"), "array-like"],
        "eps": [Interval(Real, 0, 1, closed="right")],
        "alphas": [Interval(Integral, 1, None, closed="left"), "array-like"],
        "precompute": [StrOptions({"auto"}), "boolean", "array-like"],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "copy_X": ["boolean"],
        "verbose": ["verbose"],
        "n_jobs": [Integral, None],
        "positive": ["boolean"],
        "random_state": ["random_state"],
        "selection": [StrOptions({"cyclic", "random"})],
    }

    _target: Target = OneNumber()
    _chooses: ClassVar[bool] = True
    _not_saved: ClassVar[tuple[str, ...]] = ("cv", "random_state", "precompute")  # decided about the choice alone

    _door = property(gap_door)

    def __init__(
        self,
        *,
        l1_ratio: Any = 0.5,
        eps: float = 1e-3,
        alphas: Any = 100,
        fit_intercept: bool = True,
        precompute: Any = "auto",
        max_iter: int = 1000,
        tol: float = 1e-4,
        cv: Any = None,
        copy_X: bool = True,
        verbose: Any = 0,
        n_jobs: int | None = None,
        positive: bool = False,
        random_state: Any = None,
        selection: str = "cyclic",
        rule: str = "best",
        kinds: Mapping[Any, Any] | None = None,
        missing: str | None = None,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.l1_ratio = l1_ratio
        self.eps = eps
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.max_iter = max_iter
        self.tol = tol
        self.cv = cv
        self.copy_X = copy_X
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.positive = positive
        self.random_state = random_state
        self.selection = selection
        self.rule = rule
        self.kinds = kinds
        self.missing = missing
        self.threads = threads
        self.ledger = ledger

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None, **params: Any) -> Self:
        """Choose the penalty, then learn from all rows.

        Parameters
        ----------
        X, y, sample_weight, target : as for `ElasticNet`
        params : for the splitter (groups, say), where scikit-learn's metadata routing is on
        """
        with all_or_nothing(self):
            self._routed = routed_params(self, sample_weight, params)
            self._fit(X, y, sample_weight, target)
            self.__dict__.pop("_routed")
            return self

    def get_metadata_routing(self) -> Any:
        """What the splitter asks of `fit`."""
        return search_router(self, self.cv)

    def _solver(self) -> Sparse:
        return self._sparse(float(getattr(self, "l1_ratio_", 1.0)), float(getattr(self, "alpha_", 1.0)))

    def _sparse(self, l1_ratio: float, alpha: float = 1.0) -> Sparse:
        return Sparse(alpha, l1_ratio, float(self.tol), int(self.max_iter), bool(self.positive))

    def _plan(self) -> LinearPlan:
        return LinearPlan(
            self._owner,
            self._solver(),
            bool(self.fit_intercept),
            dict(self.kinds or {}),
            chosen="alpha_" in vars(self),
            gaps=takes_gaps(self),
        )

    def _begin(self) -> None:
        super()._begin()
        for name in ("alpha_", "l1_ratio_"):
            self.__dict__.pop(name, None)

    def _learn(self, plan: Any, source: Source) -> tuple[Any, Learned]:
        """Choose the penalty by cross-validation, once; rows that come later are learned under it."""
        if "alpha_" in vars(self):
            return plan, learn(plan, source)
        routed: Routed = vars(self).get("_routed", Routed())
        schema, total, folds = fold_problems(plan, source, self.cv, routed.split.get("groups"))
        self._choose(total, folds)
        return self._plan(), Learned(schema, total)

    def _choose(self, total: ByTerm, folds: list[Fold]) -> None:
        """Try the penalties and keep what was found."""
        terms, by_rows = folds[0].problem.terms, isinstance(total.summary, RowsSummary)
        whole = problem_of(total if by_rows else total.filled(total.means()), terms, bool(self.fit_intercept))
        ratios = self._ratios()
        grids = [self._penalties(whole, ratio) for ratio in ratios]
        paths = np.stack(
            [self._errors(folds, grid, ratio) for grid, ratio in zip(grids, ratios, strict=True)]
        )  # (r,K,m)
        best = [chosen(errors, self.rule) for errors in paths]
        means = [errors.mean(axis=0)[i] for errors, i in zip(paths, best, strict=True)]
        r = int(np.argmin(means))
        self.alpha_, self.l1_ratio_ = float(grids[r][best[r]]), float(ratios[r])
        one, given = np.ndim(self.l1_ratio) == 0, not isinstance(self.alphas, Integral)
        self.alphas_ = np.asarray(grids[0] if one or given else np.stack(grids))
        self.mse_path_ = np.moveaxis(paths, 1, 2)[0] if one else np.moveaxis(paths, 1, 2)

    def _ratios(self) -> Array:
        ratios = np.atleast_1d(np.asarray(self.l1_ratio, dtype=np.float64))
        if ratios.ndim != 1 or not ((ratios >= 0) & (ratios <= 1)).all() or not len(ratios):
            raise bad(self._owner, "l1_ratio", "from 0 to 1", self.l1_ratio, "0 is ridge, 1 the lasso.")
        return ratios

    def _penalties(self, problem: Problem | RowProblem, l1_ratio: float) -> Array:
        """From the largest to the smallest."""
        if isinstance(self.alphas, Integral):
            if l1_ratio == 0.0:
                note = "Automatic alpha grid generation is not supported for l1_ratio=0. Please supply a grid by "
                note += "providing your estimator with the appropriate `alphas=` argument."
                raise bad(
                    self._owner, "l1_ratio", f"above 0 where penalties are not given ({note})", 0.0, "Give alphas."
                )
            largest, m = largest_penalty(problem, l1_ratio, bool(self.positive)), int(self.alphas)
            if largest == 0.0:  # no column pulls, whatever the penalty
                return np.full(m, np.finfo(np.float64).resolution)
            return np.geomspace(largest, largest * self.eps, m)
        try:
            given = np.sort(np.asarray(self.alphas, dtype=np.float64))[::-1]
        except (TypeError, ValueError):
            given = np.zeros(0)
        if given.ndim != 1 or not len(given) or not ((given >= 0) & np.isfinite(given)).all():
            raise bad(self._owner, "alphas", "a number of penalties, or penalties of at least 0", self.alphas)
        return given

    def _errors(self, folds: list[Fold], penalties: Array, l1_ratio: float) -> Array:
        """Mean squared error of each fold and penalty (K, m)."""
        solver, live = self._sparse(l1_ratio), penalties * l1_ratio > 0
        out = np.empty((len(folds), len(penalties)))
        for k, (problem, held) in enumerate(folds):
            coef = np.empty((len(penalties), problem.width[0]))
            if live.any():
                coef[live] = solver.found(problem, 0, penalties[live]).coef
            for i in np.flatnonzero(~live):
                coef[i] = self._sparse(l1_ratio, float(penalties[i])).solve(problem, self._owner).value[:, 0]
            out[k] = held.errors(problem, coef)
        return out

    def _restore(self, value: Any) -> Any:
        solver = value.fitted.plan.solver
        self.alpha_, self.l1_ratio_ = solver.alpha, solver.l1_ratio
        return super()._restore(value)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        return tags

    sparse_coef_, dual_gap_, n_iter_ = sparse_coef, dual_gap, sweeps
    path = staticmethod(ElasticNet.path)


class LassoCV(ElasticNetCV):
    """The lasso with its penalty chosen by cross-validation, for scikit-learn users: the rows are read once.

    Parameters
    ----------
    eps, alphas, cv, rule, fit_intercept, precompute, max_iter, tol, copy_X, verbose, n_jobs, positive, random_state,
    selection, kinds, missing, threads, ledger : as for `ElasticNetCV`

    Attributes
    ----------
    alpha_, alphas_, mse_path_, dual_gap_, n_iter_, coef_, intercept_, n_features_in_, feature_names_in_ :
        as in scikit-learn

    Examples
    --------
    >>> from suffice import LassoCV
    >>> X = np.arange(40.0).reshape(20, 2) % 7
    >>> LassoCV(cv=4).fit(X, X[:, 0]).coef_.round(2).tolist()
    [1.0, 0.0]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        name: rule for name, rule in ElasticNetCV._parameter_constraints.items() if name != "l1_ratio"
    }

    path = staticmethod(partial(ElasticNet.path, l1_ratio=1.0))

    def __init__(
        self,
        *,
        eps: float = 1e-3,
        alphas: Any = 100,
        fit_intercept: bool = True,
        precompute: Any = "auto",
        max_iter: int = 1000,
        tol: float = 1e-4,
        copy_X: bool = True,
        cv: Any = None,
        verbose: Any = False,
        n_jobs: int | None = None,
        positive: bool = False,
        random_state: Any = None,
        selection: str = "cyclic",
        rule: str = "best",
        kinds: Mapping[Any, Any] | None = None,
        missing: str | None = None,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        super().__init__(
            l1_ratio=1.0,
            eps=eps,
            alphas=alphas,
            fit_intercept=fit_intercept,
            precompute=precompute,
            max_iter=max_iter,
            tol=tol,
            cv=cv,
            copy_X=copy_X,
            verbose=verbose,
            n_jobs=n_jobs,
            positive=positive,
            random_state=random_state,
            selection=selection,
            rule=rule,
            kinds=kinds,
            missing=missing,
            threads=threads,
            ledger=ledger,
        )
