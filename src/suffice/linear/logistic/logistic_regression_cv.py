"""LogisticRegressionCV: the penalty of logistic regression chosen by cross-validation, along a path of warm starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.metrics import get_scorer_names
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.learner import Source, settle
from suffice.core.schema import Schema
from suffice.estimators.folds.any_scorer import ClassAnswers, score_answers
from suffice.estimators.folds.split_sources import parts_of, truth_of
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.estimators.state.origin import label_array
from suffice.linear.design import Design
from suffice.linear.logistic.logistic_classifier import LogisticClassifier
from suffice.linear.logistic.logistic_learner import LogisticModel
from suffice.linear.logistic.logistic_start import beginning


def _accuracy(log_p: Array, own: Array, w: Array) -> float:
    return float(np.average(log_p.argmax(axis=1) == own, weights=w))


def _log_likelihood(log_p: Array, own: Array, w: Array) -> float:
    each = np.where(own >= 0, log_p[np.arange(len(own)), own], -np.inf)
    return float(np.average(each, weights=w))


SCORINGS = {"accuracy": _accuracy, "neg_log_loss": _log_likelihood}  # these know of classes that a fold lacks


class LogisticRegressionCV(LogisticClassifier):
    """Logistic regression with its penalty chosen by cross-validation, for scikit-learn users.

    Parameters
    ----------
    Cs : how many values of C, evenly spaced in logarithms from 1e-4 to 1e4, or the values themselves
    l1_ratios : the parts of the penalty on sizes to choose from
    cv : number of folds, a splitter, or pairs of row numbers; None is 5 folds
    scoring : "neg_log_loss", "accuracy", or any scorer of scikit-learn, by name or as a function
    refit : whether the model of all rows under the chosen penalty is learned
    fit_intercept, dual, solver, tol, max_iter, class_weight, n_jobs, verbose, intercept_scaling, random_state, kinds,
    refusal, threads : as for `LogisticRegression`

    Attributes
    ----------
    C_, l1_ratio_, Cs_, l1_ratios_, scores_ : the choice, what it was made from, and the score of each fold, ratio and C
    classes_, coef_, intercept_, n_iter_, n_features_in_, feature_names_in_ : as in scikit-learn

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
        "l1_ratios": ["array-like", Interval(Real, 0, 1, closed="both")],
        "cv": ["cv_object"],
        "scoring": [StrOptions(set(SCORINGS) | set(get_scorer_names())), callable, None],
        "refit": ["boolean"],
    }

    def __init__(
        self,
        *,
        Cs: Any = 10,
        l1_ratios: Any = (0.0,),
        fit_intercept: bool = True,
        cv: Any = None,
        dual: bool = False,
        scoring: str = "neg_log_loss",
        solver: str = "lbfgs",
        tol: float = 1e-4,
        max_iter: int = 100,
        class_weight: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        refit: bool = True,
        intercept_scaling: float = 1.0,
        random_state: Any = None,
        kinds: Mapping[Any, Any] | None = None,
        refusal: Any = None,
        threads: int | None = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.Cs = Cs
        self.l1_ratios = l1_ratios
        self.fit_intercept = fit_intercept
        self.cv = cv
        self.dual = dual
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
        self.kinds = kinds
        self.refusal = refusal
        self.threads = threads

    def _pass_over(self, plan: Any, source: Source, before: FittedModel | None) -> tuple[Schema, Found]:
        Cs, ratios = self._read_grid()
        source = settle(source)
        design = plan.design(source.schema)
        source = self._weighed(source, design)
        look = self._first(source, design)
        paths = [self._fold(part, held, design, Cs, ratios) for part, held in parts_of(self._owner, source, self.cv)]
        self.Cs_, self.l1_ratios_, self.scores_ = Cs, ratios, np.stack(paths)  # (folds, ratios, Cs)
        r, c = np.unravel_index(int(self.scores_.mean(axis=0).argmax()), (len(ratios), len(Cs)))
        self.C_, self.l1_ratio_ = float(Cs[c]), float(ratios[r])
        if not self.refit:
            return source.schema, Found(None)
        return source.schema, self._told(self._under(source, beginning(design, look), look, self.C_, self.l1_ratio_))

    def _read_grid(self) -> tuple[Array, Array]:
        """Values of C from the strongest penalty to the weakest, and ratios."""
        if isinstance(self.Cs, Integral):
            Cs = np.logspace(-4, 4, int(self.Cs))
        else:
            Cs = np.sort(np.asarray(self.Cs, dtype=np.float64))
        if Cs.ndim != 1 or not len(Cs) or not (Cs > 0).all():
            raise bad(self._owner, "Cs", "a number of values, or values above 0", self.Cs, "Correct it.")
        ratios = np.atleast_1d(np.asarray(self.l1_ratios, dtype=np.float64))
        if not len(ratios) or not ((ratios >= 0) & (ratios <= 1)).all():
            raise bad(self._owner, "l1_ratios", "from 0 to 1", self.l1_ratios, "0 is ridge, 1 the lasso.")
        return Cs, ratios

    def _fold(self, learned: Source, held: Source, design: Design, Cs: Array, ratios: Array) -> Array:
        """The score of each ratio and C (ratios, Cs) on rows left out."""
        look = self._first(learned, design)
        truth, w = truth_of(held)
        out = np.empty((len(ratios), len(Cs)))
        for r, ratio in enumerate(ratios):
            model = beginning(design, look)
            for c, C in enumerate(Cs):
                model = _again(self._under(learned, model, look, float(C), float(ratio)).model)
                out[r, c] = self._score(held.map(model.log_posterior), look.labels, truth, w)
        return out

    def _score(self, log_p: Array, classes: tuple[Any, ...], truth: Array, w: Array | None) -> float:
        if self.scoring in SCORINGS:
            place = {label: k for k, label in enumerate(classes)}
            own = np.array([place.get(label, -1) for label in truth.tolist()])
            return SCORINGS[self.scoring](log_p, own, np.ones(len(own)) if w is None else w)
        scores = log_p[:, 1] - log_p[:, 0] if log_p.shape[1] == 2 else log_p
        answers = ClassAnswers(label_array(classes), np.exp(log_p), scores)
        return score_answers(self._owner, self.scoring, answers, label_array(truth.tolist()), w)


def _again(model: LogisticModel) -> LogisticModel:
    return replace(model, before=None, objective=np.inf, decrement=np.inf, known=None)
