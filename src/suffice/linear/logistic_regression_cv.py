"""LogisticRegressionCV: the penalty of logistic regression chosen by cross-validation, along a path of warm starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.core.block import Array, Coded
from suffice.core.by_class import ByClass
from suffice.core.errors import bad
from suffice.estimators.all_or_nothing import all_or_nothing
from suffice.estimators.splits import read_splits, some_rows
from suffice.linear.design import Design
from suffice.linear.logistic import LogisticModel
from suffice.linear.logistic_classifier import LogisticClassifier
from suffice.linear.logistic_start import beginning, first_look
from suffice.sources.memory import MemorySource
from suffice.sources.table import open_table


def _accuracy(log_p: Array, own: Array, w: Array) -> float:
    return float(np.average(log_p.argmax(axis=1) == own, weights=w))


def _log_likelihood(log_p: Array, own: Array, w: Array) -> float:
    each = np.where(own >= 0, log_p[np.arange(len(own)), own], -np.inf)
    return float(np.average(each, weights=w))


SCORINGS = {"accuracy": _accuracy, "neg_log_loss": _log_likelihood}


class LogisticRegressionCV(LogisticClassifier):
    """Logistic regression with its penalty chosen by cross-validation, for scikit-learn users.

    Parameters
    ----------
    Cs : how many values of C, evenly spaced in logarithms from 1e-4 to 1e4, or the values themselves
    l1_ratios : the parts of the penalty on sizes to choose from
    cv : number of folds, a splitter, or pairs of row numbers; None is 5 folds
    scoring : "neg_log_loss" or "accuracy"
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
        "scoring": [StrOptions(set(SCORINGS))],
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

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose the penalty, then learn from all rows under it.

        Parameters
        ----------
        X : table
        y : one label a row
        sample_weight : one weight a row, at least 0; weight w counts as w copies
        """
        with all_or_nothing(self):
            self._validate_params()
            Cs, ratios = self._read_grid()
            source, plan, origin = self._open(X, y, sample_weight)
            design = plan.design(source.schema)
            look = _look(source, design)
            self._refuse_one_class(look.labels)
            labels = _labels(source)
            splits = read_splits(self._owner, self.cv, labels, len(labels), None, classes=True)
            rows = _rows(source)
            paths = [self._fold(rows, source, design, Cs, ratios, *pair) for pair in splits.pairs]
            self.Cs_, self.l1_ratios_, self.scores_ = Cs, ratios, np.stack(paths)  # (folds, ratios, Cs)
            r, c = np.unravel_index(int(self.scores_.mean(axis=0).argmax()), (len(ratios), len(Cs)))
            self.C_, self.l1_ratio_ = float(Cs[c]), float(ratios[r])
            if not self.refit:
                return self
            found = self._learn(source, beginning(design, look), look, self.C_, self.l1_ratio_)
            return self._keep(source, plan, origin, found)

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

    def _fold(
        self, rows: Any, source: MemorySource, design: Design, Cs: Array, ratios: Array, train: Array, test: Array
    ) -> Array:
        """The score of each ratio and C (ratios, Cs) on rows left out."""
        learned, held = _part(rows, source, train), _part(rows, source, test)
        look = _look(learned, design)
        self._refuse_one_class(look.labels)
        place = {label: k for k, label in enumerate(look.labels)}
        own = np.array([place.get(label, -1) for label in _labels(held)])
        w = np.ones(len(own)) if held.w is None else held.w
        score = SCORINGS[self.scoring]
        out = np.empty((len(ratios), len(Cs)))
        for r, ratio in enumerate(ratios):
            model = beginning(design, look)
            for c, C in enumerate(Cs):
                model = _again(self._learn(learned, model, look, float(C), float(ratio)).model)
                out[r, c] = score(held.map(model.log_posterior), own, w)
        return out


def _again(model: LogisticModel) -> LogisticModel:
    return replace(model, before=None, objective=np.inf, decrement=np.inf, known=None)


def _look(source: MemorySource, design: Design) -> ByClass:
    look = source.reduce(lambda block: first_look(design, block))
    assert isinstance(look, ByClass)
    return look


def _labels(source: MemorySource) -> Array:
    assert source.y is not None
    labels = np.empty(len(source.y.labels[0]), dtype=object)
    labels[:] = list(source.y.labels[0])
    return labels[source.y.codes[:, 0]]


def _rows(source: MemorySource) -> Any:
    """What a table was opened from: some of its rows can be opened again."""
    table: Any = source.table
    found = next(getattr(table, name) for name in ("X", "frame", "cells") if hasattr(table, name))
    return found.to_native() if hasattr(found, "to_native") else found


def _part(rows: Any, source: MemorySource, some: Array) -> MemorySource:
    """Some of the rows."""
    assert source.y is not None
    y, w = Coded(source.y.codes[some], source.y.labels), None if source.w is None else source.w[some]
    return MemorySource(open_table(some_rows(rows, some)), source.schema, y, w, source.threads)
