"""RidgeCV: ridge regression whose penalty is chosen by leaving out rows, one by one or fold by fold.

Leaving out one by one takes one more pass over the rows for all penalties together; folds take none. One pass cannot do
it: what a row does to its own prediction, its leverage, depends on the sums of all rows, and enters by a quotient. Only
the mean leverage follows from the sums alone, and with it generalized cross-validation.
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.metrics import check_scoring, get_scorer, get_scorer_names
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.learner import Always, Learned, Source, learn, refuse_streams
from suffice.core.schema import Schema
from suffice.estimators.boundary.all_or_nothing import all_or_nothing
from suffice.estimators.design.gap_choice import takes_gaps
from suffice.estimators.design.missing_option import MISSING_RULE, gap_door
from suffice.estimators.folds.routed_params import Routed, routed_params, routing_enabled, search_router
from suffice.estimators.glue.one_pass_regressor import OnePassRegressor
from suffice.linear.regression.coefficients import Tested
from suffice.linear.regression.fold_errors import Fold
from suffice.linear.regression.least_squares_problem import Problem
from suffice.linear.regression.leave_one_out import LeftOut, LeftOutErrors, generalized, shrunken
from suffice.linear.regression.linear_learner import means_of, problem_of
from suffice.linear.regression.linear_plan import LinearPlan
from suffice.linear.regression.penalty_search import RULES, fold_problems
from suffice.linear.regression.ridge import read_penalty
from suffice.linear.regression.scored_folds import fold_scores, scores_of, truth_and_weights
from suffice.linear.regression.solvers import Shrunken
from suffice.linear.terms import ByTerm
from suffice.linear.wide.row_problem import RowProblem
from suffice.numerics.blas_threads import one_thread_if_few
from suffice.sources.engines.memory import MemorySource
from suffice.summaries.moments import Moments


class RidgeCV(Tested, OnePassRegressor):
    """Ridge regression with its penalty chosen by cross-validation, for scikit-learn users.

    Parameters
    ----------
    alphas : the penalties to choose from, at least 0
    fit_intercept : whether f(0) may differ from 0
    scoring : None for the mean squared error of rows left out one by one, and R^2 of folds; else any scorer of
        scikit-learn, by name or as a function
    cv : None leaves out one row at a time, which takes a second pass; "gcv" is generalized cross-validation, as if all
        rows had the same leverage, in one pass; else number of folds, a splitter, or pairs of row numbers
    gcv_mode : taken for the sake of scikit-learn's interface
    store_cv_results : whether the squared errors of all rows and penalties are kept, where rows are left out one by
        one; with `scoring`, the predictions
    alpha_per_target : whether each target has a penalty of its own, where rows are left out one by one
    rule : "best", or "one_standard_error" for the largest penalty within one standard error of the best
    kinds, missing, threads, ledger : as for `Ridge`

    Attributes
    ----------
    alpha_, best_score_, cv_results_, coef_, intercept_, n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import RidgeCV
    >>> X = np.arange(12.0).reshape(-1, 1)
    >>> RidgeCV(alphas=[1e-6, 100.0]).fit(X, 2.0 * X[:, 0] + 1.0).alpha_
    1e-06
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **OnePassRegressor._parameter_constraints,
        "cv": ["cv_object", StrOptions({"gcv"})],
        "fit_intercept": ["boolean"],
        "missing": MISSING_RULE,
        "rule": [StrOptions(set(RULES))],
        "alphas": ["array-like", Interval(Real, 0, None, closed="left")],
        "scoring": [None, StrOptions(set(get_scorer_names())), callable],
        "gcv_mode": [StrOptions({"auto", "svd", "eigen"}), None],
        "store_cv_results": ["boolean"],
        "alpha_per_target": ["boolean"],
    }

    _chooses: ClassVar[bool] = True
    _not_saved: ClassVar[tuple[str, ...]] = ("cv", "scoring")  # decided about the choice alone

    _door = property(gap_door)

    def __init__(
        self,
        alphas: Any = (0.1, 1.0, 10.0),
        *,
        fit_intercept: bool = True,
        scoring: Any = None,
        cv: Any = None,
        gcv_mode: str | None = None,
        store_cv_results: bool = False,
        alpha_per_target: bool = False,
        rule: str = "best",
        kinds: Mapping[Any, Any] | None = None,
        missing: str | None = None,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.scoring = scoring
        self.cv = cv
        self.gcv_mode = gcv_mode
        self.store_cv_results = store_cv_results
        self.alpha_per_target = alpha_per_target
        self.rule = rule
        self.kinds = kinds
        self.missing = missing
        self.threads = threads
        self.ledger = ledger

    def _solver(self) -> Shrunken:
        alpha = vars(self).get("alpha_", 1.0)
        return Shrunken((alpha,) if type(alpha) is float else tuple(np.atleast_1d(alpha).tolist()))

    def _plan(self) -> LinearPlan:
        return LinearPlan(
            self._owner,
            self._solver(),
            bool(self.fit_intercept),
            dict(self.kinds or {}),
            chosen="alpha_" in vars(self),
            gaps=takes_gaps(self),
            flattens=True,
        )

    def _begin(self) -> None:
        super()._begin()
        self._check_cv()
        self.__dict__.pop("alpha_", None)

    def _check_cv(self) -> None:
        if self._generalized and (self.scoring is not None or self.rule != "best"):
            name, got = ("scoring", self.scoring) if self.scoring is not None else ("rule", self.rule)
            rule = "as it comes for generalized cross-validation, which knows no single rows"
            raise bad(self._owner, name, rule, got, "Give cv a number of folds.")
        for name in ("store_cv_results", *(() if self._generalized else ("alpha_per_target",))):
            if self.cv is not None and getattr(self, name):
                rule = f"False where rows are left out fold by fold (cv!=None and {name}=True are incompatible)"
                raise bad(self._owner, name, rule, True, "Use cv=None.")

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None, **params: Any) -> Self:
        """Choose the penalty, then learn from all rows.

        Parameters
        ----------
        X, y, sample_weight, target : as for `Ridge`
        params : for the splitter and the scorer (groups, say), where scikit-learn's metadata routing is on
        """
        with all_or_nothing(self):
            self._routed = routed_params(self, sample_weight, params)
            self._fit(X, y, sample_weight, target)
            self.__dict__.pop("_routed")
            return self

    def get_metadata_routing(self) -> Any:
        """What the splitter and the scorer ask of `fit`."""
        scorer = check_scoring(self, scoring=self.scoring)
        if self.scoring is None and routing_enabled():
            scorer = get_scorer("r2").set_score_request(sample_weight=True)
        return search_router(self, None if self._generalized else self.cv, scorer)

    def _learn(self, plan: Any, source: Source) -> tuple[Any, Learned]:
        """Choose the penalty, once; rows that come later are learned under it."""
        if "alpha_" in vars(self):
            return plan, learn(plan, source)
        alphas = np.asarray(read_penalty(self._owner, self.alphas))
        if self.cv is None and (alphas == 0.0).any():
            rule = "above 0 where rows are left out one by one (alphas must be > 0.0)"
            raise bad(self._owner, "alphas", rule, 0.0, "Give cv a number of folds.")
        order = np.argsort(-alphas, kind="stable")  # the simplest first
        schema, total, errors = self._tried(plan, source, alphas[order])
        self._keep(errors, alphas[order], np.argsort(order, kind="stable"))
        return self._plan(), Learned(schema, total)

    def _tried(self, plan: Any, source: Source, alphas: Array) -> tuple[Schema, ByTerm, Array]:
        """What all rows say, and errors (K, t, m) of folds or rows; lower is better."""
        routed: Routed = vars(self).get("_routed", Routed())
        if self._generalized:
            schema, total = learn(plan, source)
            return schema, total, generalized(self._problem(plan, schema, total)[1], alphas)[None]
        if self.cv is not None and (self.scoring is None or self._squared):
            schema, total, folds = fold_problems(plan, source, self.cv, routed.split.get("groups"))
            return schema, total, self._fold_errors(folds, alphas)
        refuse_streams(self._owner, source, "rows left out are predicted in a second pass, unless cv='gcv'")
        schema, total = learn(plan, source)
        if self.cv is not None:
            scores = fold_scores(self._owner, self.scoring, plan, source, self.cv, alphas, routed)
            return schema, total, -scores[:, None]
        left_out, rows = self._left_out(plan, schema, total, alphas), source.read_as(schema)
        if self.scoring is None and not isinstance(source, MemorySource) and self._by_means:
            errors: Moments = learn(Always(LeftOutErrors(left_out)), rows).summary
            return schema, total, errors.mean.value[0].reshape(1, -1, len(alphas))
        if self.scoring is None:
            return schema, total, np.asarray(rows.map(left_out.errors))
        return schema, total, self._scored(np.asarray(rows.map(left_out.predictions)), rows, routed)

    @property
    def _by_means(self) -> bool:
        """Whether the mean errors of all rows decide, and nobody asks for those of single rows."""
        return self.rule == "best" and not self.store_cv_results

    @property
    def _squared(self) -> bool:
        return isinstance(self.scoring, str) and self.scoring in ("neg_mean_squared_error", "r2")

    def _fold_errors(self, folds: list[Fold], alphas: Array) -> Array:
        """1 - R^2, or the mean squared error, of each fold, target and penalty (K, t, m)."""
        p, t = folds[0].problem.width
        out = np.empty((len(folds), t, len(alphas)))
        for k, (problem, held) in enumerate(folds):
            for j in range(t):
                out[k, j] = held.errors(problem, shrunken(problem, alphas, j), j)
                if self.scoring != "neg_mean_squared_error":
                    out[k, j] /= held.variance(j, p) or 1.0
        return out

    @property
    def _generalized(self) -> bool:
        return isinstance(self.cv, str)

    def _problem(self, plan: Any, schema: Schema, total: ByTerm) -> tuple[Any, Problem | RowProblem]:
        learner = plan.learner(schema)
        filled = total.filled(means_of(learner.design, total))
        return learner, problem_of(filled, learner.design.choose(total.terms), bool(self.fit_intercept))

    def _left_out(self, plan: Any, schema: Schema, total: ByTerm, alphas: Array) -> LeftOut:
        learner, problem = self._problem(plan, schema, total)
        if problem.rows < 2:
            rule = "two or more, as each is predicted by the others (n_samples=1 leaves none)"
            raise bad(self._owner, "the rows", rule, problem.rows, "Give more, or use Ridge.")
        with one_thread_if_few(problem.rows * problem.width[0]):
            return LeftOut.of(learner, problem, total, alphas)

    def _scored(self, answers: Array, rows: Source, routed: Routed) -> Array:
        """Scores of the answers (n, t, m) to rows left out one by one, as errors (1, t or 1, m)."""
        if self.rule != "best":
            rule = "None where rows are left out one by one and the rule is 'one_standard_error'"
            raise bad(self._owner, "scoring", rule, self.scoring, "Give cv a number of folds.")
        y, w = truth_and_weights(rows)
        w, params = (w if routed.weighed else None), dict(routed.score)
        self._answers = answers
        parts = [slice(j, j + 1) for j in range(y.shape[1])] if self.alpha_per_target else [slice(None)]
        scores = [scores_of(self._owner, self.scoring, answers[:, at], y[:, at], w, params) for at in parts]
        return np.asarray(-np.stack(scores)[None])

    def _keep(self, errors: Array, alphas: Array, back: Array) -> None:
        """Choose, by the mean over rows or folds; `back` puts the penalties in the order they were given."""
        means = np.add.reduce(errors) / len(errors)  # (t, m)
        alike = not self.alpha_per_target or len(means) == 1
        means = means.mean(axis=0, keepdims=True) if alike and len(means) > 1 else means
        best = means.argmin(axis=1)
        if self.rule == "one_standard_error":
            each = errors.mean(axis=1, keepdims=True) if alike else errors
            slack = each.std(axis=0, ddof=1) / np.sqrt(len(each))
            limit = means[np.arange(len(best)), best] + slack[np.arange(len(best)), best]
            best = (means <= limit[:, None]).argmax(axis=1)
        score = -means[np.arange(len(best)), best]
        ratio = (
            self.cv is not None
            and not self._generalized
            and (self.scoring is None or (self._squared and self.scoring == "r2"))
        )
        shift = 1.0 if ratio else 0.0  # R^2
        self.alpha_ = float(alphas[best[0]]) if alike else alphas[best]
        self.best_score_ = float(score[0]) + shift if alike else score
        kept = self.__dict__.pop("_answers", errors)
        if self.store_cv_results:
            self._errors = kept[:, :, back]

    @property
    def cv_results_(self) -> Array:
        """Squared errors of all rows and penalties (n, m), or (n, t, m) where y was a table; else predictions."""
        if "_errors" not in vars(self):
            raise AttributeError(f"{self._owner} has cv_results_ where store_cv_results is True.")
        return np.asarray(self._errors[:, 0] if self._origin.flat else self._errors)

    def _restore(self, value: Any) -> Any:
        penalty = value.fitted.plan.solver.penalty
        self.alpha_ = penalty[0] if len(penalty) == 1 else np.array(penalty)
        return super()._restore(value)
