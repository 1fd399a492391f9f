"""LogisticRegressionCV: the penalty of logistic regression chosen by cross-validation, along a path of warm starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from numbers import Integral, Real
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from sklearn.metrics import get_scorer, get_scorer_names
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.metadata_routing import UNUSED, process_routing

from suffice.core.block import Array
from suffice.core.errors import Said, bad, in_our_name
from suffice.core.learner import Source, settle
from suffice.core.schema import Schema
from suffice.estimators.folds.routed_params import (
    Routed,
    refuse_params,
    routed_params,
    routing_enabled,
    search_router,
)
from suffice.estimators.folds.split_sources import SourceSplit, parts_of
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.estimators.state.origin import Origin
from suffice.linear.logistic.held_out_scores import SCORINGS, held_out_scores
from suffice.linear.logistic.logistic_classifier import LogisticClassifier, weighed_by
from suffice.linear.logistic.logistic_learner import LogisticModel
from suffice.linear.logistic.logistic_start import FirstLook, beginning
from suffice.linear.logistic.penalty_option import PENALTY, UNSAID, read_penalties_option
from suffice.sources.engines.memory import MemorySource


class FoldPath(NamedTuple):
    """What a fold says of each ratio and C (r, c)."""

    scores: Array  # (r, c)
    coef: Array  # (r, c, L, p + 1) intercept last
    passes: Array  # (r, c)


class LogisticRegressionCV(LogisticClassifier):
    """Logistic regression with its penalty chosen by cross-validation, for scikit-learn users.

    Parameters
    ----------
    Cs : how many values of C, evenly spaced in logarithms from 1e-4 to 1e4, or the values themselves
    l1_ratios : the parts of the penalty on sizes to choose from
    cv : number of folds, a splitter, or pairs of row numbers; None is 5 folds
    scoring : "neg_log_loss", "accuracy", or any scorer of scikit-learn, by name or as a function
    refit : whether the model of all rows under the chosen penalty is learned; else coefficients, C and ratio are the
        means over the folds of the best of each
    penalty : as for `LogisticRegression`
    use_legacy_attributes : whether scores_, coefs_paths_, n_iter_, C_ and l1_ratio_ have the shapes that scikit-learn
        gave them before 1.10, by class
    fit_intercept, dual, solver, tol, max_iter, class_weight, n_jobs, verbose, intercept_scaling, random_state, kinds,
    missing, refusal, threads : as for `LogisticRegression`

    Attributes
    ----------
    C_, l1_ratio_, Cs_, l1_ratios_, scores_ : the choice, what it was made from, and the score of each fold, ratio and C
    coefs_paths_ : coefficients of each fold, ratio, C and class, intercept last; NaN of a class that the fold lacks
    n_iter_ : passes of each fold, ratio and C
    classes_, coef_, intercept_, n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import LogisticRegressionCV
    >>> X = np.arange(20.0).reshape(-1, 1)
    >>> LogisticRegressionCV(Cs=[1e-6, 1.0], cv=2).fit(X, [0, 1] * 5 + [1, 0] * 5).C_
    1e-06
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **LogisticClassifier._parameter_constraints,
        "Cs": [Interval(Integral, 1, None, closed="left"), "array-like"],
        "l1_ratios": ["array-like", Interval(Real, 0, 1, closed="both"), None],
        "cv": ["cv_object"],
        "scoring": [StrOptions(set(SCORINGS) | set(get_scorer_names())), callable, None],
        "refit": ["boolean"],
        "penalty": PENALTY,
        "use_legacy_attributes": ["boolean"],
    }

    def __init__(
        self,
        *,
        Cs: Any = 10,
        l1_ratios: Any = (0.0,),
        fit_intercept: bool = True,
        cv: Any = None,
        dual: bool = False,
        penalty: str = UNSAID,
        scoring: Any = "neg_log_loss",
        solver: str = "lbfgs",
        tol: float = 1e-4,
        max_iter: int = 100,
        class_weight: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        refit: bool = True,
        intercept_scaling: float = 1.0,
        random_state: Any = None,
        use_legacy_attributes: bool = False,
        kinds: Mapping[Any, Any] | None = None,
        missing: str | None = None,
        refusal: Any = None,
        threads: int | None = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.Cs = Cs
        self.l1_ratios = l1_ratios
        self.fit_intercept = fit_intercept
        self.cv = cv
        self.dual = dual
        self.penalty = penalty
        self.scoring = scoring
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.refit = refit
        self.intercept_scaling = intercept_scaling
        self.random_state = random_state
        self.use_legacy_attributes = use_legacy_attributes
        self.kinds = kinds
        self.missing = missing
        self.refusal = refusal
        self.threads = threads

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None, **params: Any) -> Self:
        """Choose the penalty, then learn from all rows.

        Parameters
        ----------
        X, y, sample_weight, target : as for `LogisticRegression`
        params : for the splitter and the scorer (groups, say), where scikit-learn's metadata routing is on
        """
        self._fit(X, y, sample_weight, target, partial(self._search, routed_params(self, sample_weight, params)))
        return self

    def score(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> float:
        """How good predictions of these rows are, by `scoring`.

        Parameters
        ----------
        X, y, sample_weight : rows whose classes are known, and their weights
        params : for the scorer, where scikit-learn's metadata routing is on
        """
        with in_our_name(self._owner):
            refuse_params(params, self, "score")
        given = params if sample_weight is None else {**params, "sample_weight": sample_weight}
        if routing_enabled():
            given = process_routing(self, "score", **given).scorer.score
        return float(self._scorer()(self, X, y, **given))

    def get_metadata_routing(self) -> Any:
        """What the splitter and the scorer ask of `fit`, and the scorer of `score`."""
        return search_router(self, self.cv, self._scorer())

    C_: Any
    l1_ratio_: Any
    scores_: Any
    coefs_paths_: Any
    _scores_by_choice = True
    __metadata_request__score: ClassVar[dict[str, Any]] = {"sample_weight": UNUSED}  # it is the scorer's

    def _scorer(self) -> Any:
        return get_scorer(self.scoring or "accuracy")

    def _penalised(self) -> tuple[float, float]:
        if not self.refit:
            raise bad(self._owner, "refit", "True for results", False, "Means of folds have no standard errors.")
        return float(np.ravel(self.C_)[0]), float(np.ravel(self.l1_ratio_)[0])

    def _pass_over(self, plan: Any, source: Source, before: FittedModel | None) -> tuple[Schema, Found]:
        return self._search(Routed(), plan, source, before)

    def _search(self, routed: Routed, plan: Any, source: Source, before: Any) -> tuple[Schema, Found]:
        Cs, ratios = self._read_grid()
        source = settle(source)
        design = plan.design(source.schema)
        weights = self._class_weights(source, design)
        whole = weighed_by(source, weights)
        look = self._first(whole, design)
        start = beginning(design, look)
        splits = parts_of(self._owner, source, self.cv, routed.split.get("groups"))
        rows = int(look.tally.rows.sum()) if not isinstance(source, MemorySource) else source.table.n
        found = [self._fold(split, rows, weights, start, routed, Cs, ratios) for split in splits]
        paths = [path for path in found if path is not None]
        if not paths:
            rule = "such that rows of some weight are tested in a split"
            raise bad(self._owner, "cv", rule, Said("rows of weight 0 alone"), "Use other folds.")
        scores, coef = np.stack([p.scores for p in paths]), np.stack([p.coef for p in paths])
        r, c = np.unravel_index(int(scores.mean(axis=0).argmax()), scores.shape[1:])
        C, ratio = float(Cs[c]), float(ratios[r])
        if self.refit:
            result = self._told(self._under(whole, start, look, C, ratio))
        else:
            best = [np.unravel_index(int(each.argmax()), each.shape) for each in scores]
            mean = np.nanmean([coef[k][at] for k, at in enumerate(best)], axis=0)
            result = Found(start.at(mean[:, :-1], mean[:, -1]), 0, True)
            C, ratio = float(np.mean([Cs[at[1]] for at in best])), float(np.mean([ratios[at[0]] for at in best]))
        self.Cs_, self.l1_ratios_ = Cs, ratios
        self._show(look.labels, C, ratio, scores, coef, np.stack([p.passes for p in paths]))
        return source.schema, result

    def _show(self, labels: Any, C: float, ratio: float, scores: Array, coef: Array, passes: Array) -> None:
        """Set what the search found, (folds, ratios, Cs, ...) or as scikit-learn once did."""
        L = coef.shape[3]
        coef = coef if self.fit_intercept else coef[..., :-1]
        if not self.use_legacy_attributes:
            self.C_, self.l1_ratio_, self.scores_, self.coefs_paths_, self._passes = C, ratio, scores, coef, passes
            return
        shown = labels[-L:]
        self.C_, self.l1_ratio_, self._passes = np.full(L, C), np.full(L, ratio), np.swapaxes(passes, 1, 2)[None]
        by_class = np.moveaxis(coef, (0, 1, 2, 3), (1, 3, 2, 0))  # (L, folds, Cs, ratios, p + 1)
        by_fold, alone = np.swapaxes(scores, 1, 2), self.l1_ratios is None
        if alone:
            by_class, by_fold, self._passes = by_class[..., 0, :], by_fold[..., 0], self._passes[..., 0]
        self.scores_ = dict.fromkeys(shown, by_fold)
        self.coefs_paths_ = dict(zip(shown, by_class, strict=True))

    @property
    def n_iter_(self) -> Array:
        """Passes over the rows, of each fold, ratio and C."""
        self._state()
        return np.asarray(vars(self).get("_passes", self.fitted_.state.passes), dtype=np.int32)

    def _adopt(self, fitted: FittedModel, origin: Origin) -> Self:
        """Coefficients and answers in double precision, whatever the rows, as those of scikit-learn."""
        adopted: Self = super()._adopt(fitted, replace(origin, cell_type=None))
        return adopted

    def _read_grid(self) -> tuple[Array, Array]:
        """Values of C from the strongest penalty to the weakest, and ratios."""
        if isinstance(self.Cs, Integral):
            Cs = np.logspace(-4, 4, int(self.Cs))
        else:
            Cs = np.sort(np.asarray(self.Cs, dtype=np.float64))
        if Cs.ndim != 1 or not len(Cs) or not (Cs > 0).all():
            raise bad(self._owner, "Cs", "a number of values, or values above 0", self.Cs, "Correct it.")
        given = read_penalties_option(self._owner, self.penalty, self.l1_ratios)
        try:
            ratios = np.atleast_1d(np.asarray(given, dtype=np.float64))
        except (TypeError, ValueError):
            ratios = np.zeros(0)
        if not len(ratios) or not ((ratios >= 0) & (ratios <= 1)).all():
            rule = "from 0 to 1 (l1_ratios must be an array-like of numbers between 0 and 1)"
            raise bad(self._owner, "l1_ratios", rule, self.l1_ratios, "0 is ridge, 1 the lasso.")
        return Cs, ratios

    def _fold(
        self,
        split: SourceSplit,
        rows: int,
        weights: Any,
        whole: LogisticModel,
        routed: Routed,
        Cs: Array,
        ratios: Array,
    ) -> FoldPath | None:
        """The scores and coefficients under each ratio and C on rows left out; None where those weigh nothing."""
        params = {} if split.tested is None else routed.to_score(split.tested, rows)
        held = held_out_scores(self._owner, self.scoring, whole.classes, split.held, params, routed.weighed)
        if held is None:
            return None
        learned = weighed_by(split.learned, weights)
        look = FirstLook(whole.design).at(learned)
        grid = (len(ratios), len(Cs))
        out = FoldPath(np.empty(grid), np.full((*grid, len(whole.theta), whole.theta.shape[1]), np.nan), np.zeros(grid))
        for r, ratio in enumerate(ratios):
            model = beginning(whole.design, look) if len(look.labels) > 1 else None
            for c, C in enumerate(Cs):
                if model is not None:
                    found = self._under(learned, model, look, float(C), float(ratio))
                    model, out.passes[r, c] = _again(found.model), found.passes
                    _put(out.coef[r, c], whole, model)
                out.scores[r, c] = held.of(model, look.labels)
        return out


def _put(coef: Array, whole: LogisticModel, model: LogisticModel) -> None:
    """Coefficients of a fold where those of its terms and classes belong (L, p + 1)."""
    found = np.column_stack([model.coef, model.intercept])
    if len(model.classes) == 2 and len(whole.classes) > 2:  # one function of two classes, as two of opposite sign
        found = np.vstack([-0.5 * found, 0.5 * found])
    rows = [0] if len(coef) == 1 else [whole.classes.index(label) for label in model.classes]
    at = [whole.terms.index(term) for term in model.terms if term in whole.terms]
    mine = [i for i, term in enumerate(model.terms) if term in whole.terms]
    coef[rows] = 0.0
    coef[np.ix_(rows, [*at, -1])] = found[:, [*mine, -1]]


def _again(model: LogisticModel) -> LogisticModel:
    return replace(model, before=None, objective=np.inf, decrement=np.inf, known=None)
