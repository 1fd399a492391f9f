"""Perceptron: weights that move only where a row lies on the wrong side.

where  y (w.x + b) <= 0:   w <- w + rate y x,   b <- b + rate y        until a sweep over the rows changes nothing
"""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import compute_class_weight
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.parallel import Parallel, delayed

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.all_or_nothing import all_or_nothing
from suffice.estimators.foreign import in_our_name
from suffice.estimators.origin import Origin, label_type
from suffice.estimators.weights import read_weights
from suffice.margin.flat_rows import FlatRows
from suffice.margin.held_out import hold_out
from suffice.margin.labelled_rows import code_classes, declare
from suffice.margin.linear_scores import LinearScores
from suffice.margin.perceptron_options import BOUNDARIES, PENALTIES, STARTS, STOPS
from suffice.margin.perceptron_seeds import seeds_of
from suffice.margin.perceptron_training import Learned, Training, one_against_rest

Given = tuple[Array, Array] | None  # coefficients (K', d) and intercepts (K',) to begin with
SPARSE_SHARE = 0.01  # of an update that scikit-learn gives the intercept of sparse rows


class Perceptron(LinearScores):
    """The perceptron for scikit-learn users: the same model, sweep for sweep. In memory: it visits the rows in order.

    More than two classes are learned one against the rest. `stop="mistakes"` is the classical algorithm, which ends
    after a sweep without mistakes: it will if a hyperplane separates the classes, and never otherwise.

    Parameters
    ----------
    penalty : None, "l2", "l1" or "elasticnet"
    alpha : strength of the penalty
    l1_ratio : the part of it that is on sizes, for "elasticnet"
    fit_intercept : whether there is an intercept
    max_iter : most sweeps over the rows
    tol : the gain in loss a row below which a sweep is in vain; None: sweep `max_iter` times
    shuffle : whether each sweep has an order of its own
    verbose : taken for the sake of scikit-learn's interface
    eta0 : the learning rate; from zero it only scales the weights
    n_jobs : threads for more than two classes
    random_state : of the orders and of the rows held out
    early_stopping : whether sweeps are judged by rows held out
    validation_fraction : the share of rows held out
    n_iter_no_change : sweeps in vain after which to stop
    class_weight : label -> weight, "balanced", or None
    warm_start : whether `fit` begins where the last one ended
    start : "zero", or "means": the basic linear classifier; `coef_init` of `fit` is given weights
    stop : "gain" as `tol` says, or "mistakes": after a sweep without any
    boundary : rows with a score of 0 are a "mistake" whatever their class, or those of the "first" class are right, as
        with an output of 0 or 1
    intercept_share : of an update that the intercept gets; None: 1, but 0.01 for sparse rows, as in scikit-learn

    Attributes
    ----------
    classes_, coef_, intercept_, n_iter_, t_, n_features_in_, feature_names_in_ : as in scikit-learn
    mistakes_ : updates so far, of each row of `coef_`
    converged_ : whether the last sweep was without mistakes

    Examples
    --------
    >>> from suffice import Perceptron
    >>> model = Perceptron(stop="mistakes", shuffle=False).fit([[1, 2], [-1, 2], [-1, -2], [3, 1]], [-1, -1, 1, 1])
    >>> model.coef_.tolist(), model.intercept_.tolist(), model.mistakes_.tolist(), model.n_iter_
    ([[3.0, -4.0]], [-1.0], [5], 4)

    References
    ----------
    F. Rosenblatt, The perceptron: a probabilistic model for information storage and organization in the brain (1958).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "penalty": [StrOptions({name for name in PENALTIES if name}), None],
        "alpha": [Interval(Real, 0, None, closed="left")],
        "l1_ratio": [Interval(Real, 0, 1, closed="both")],
        "fit_intercept": ["boolean"],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left"), None],
        "shuffle": ["boolean"],
        "verbose": ["verbose"],
        "eta0": [Interval(Real, 0, None, closed="neither")],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
        "early_stopping": ["boolean"],
        "validation_fraction": [Interval(Real, 0, 1, closed="neither")],
        "n_iter_no_change": [Interval(Integral, 1, None, closed="left")],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "warm_start": ["boolean"],
        "start": [StrOptions(set(STARTS))],
        "stop": [StrOptions(set(STOPS))],
        "boundary": [StrOptions(set(BOUNDARIES))],
        "intercept_share": [Interval(Real, 0, None, closed="neither"), None],
    }

    def __init__(
        self,
        *,
        penalty: str | None = None,
        alpha: float = 0.0001,
        l1_ratio: float = 0.15,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float | None = 1e-3,
        shuffle: bool = True,
        verbose: int = 0,
        eta0: float = 1.0,
        n_jobs: int | None = None,
        random_state: Any = 0,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        class_weight: Any = None,
        warm_start: bool = False,
        start: str = "zero",
        stop: str = "gain",
        boundary: str = "mistake",
        intercept_share: float | None = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.penalty = penalty
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.shuffle = shuffle
        self.verbose = verbose
        self.eta0 = eta0
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.start = start
        self.stop = stop
        self.boundary = boundary
        self.intercept_share = intercept_share

    def fit(self, X: Any, y: Any, coef_init: Any = None, intercept_init: Any = None, sample_weight: Any = None) -> Self:
        """Learn from these rows alone, unless `warm_start` says otherwise.

        Parameters
        ----------
        X : rows of numbers, none missing; sparse rows too
        y : one label a row
        coef_init, intercept_init : weights to begin with, in the shape of `coef_` and `intercept_`
        sample_weight : one weight a row; a mistake moves the weights so many times as far
        """
        with all_or_nothing(self):
            self._validate_params()
            self._check_stop()
            rows = FlatRows.of(self._check_rows(X, first=True))
            codes, classes = code_classes(self._owner, y, rows.n)
            if self.warm_start and "coef_" in vars(self):
                coef_init = self.coef_ if coef_init is None else coef_init
                intercept_init = self.intercept_ if intercept_init is None else intercept_init
            start = self._given(coef_init, intercept_init, len(classes), rows.width)
            self.classes_ = Origin(0, label_type=label_type(y)).classes(classes)
            self.t_, self.mistakes_ = 1.0, np.zeros(problems(len(classes)), dtype=np.int64)
            self._learn(rows, codes, sample_weight, start, int(self.max_iter))
            self._warn_unless_done()
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more rows: one sweep over them.

        Parameters
        ----------
        X : rows of numbers, none missing; sparse rows too
        y : one label a row
        classes : all classes that may ever come; needed in the first call
        sample_weight : one weight a row; a mistake moves the weights so many times as far
        """
        with all_or_nothing(self):
            self._validate_params()
            self._check_online()
            first = "classes_" not in vars(self)
            rows = FlatRows.of(self._check_rows(X, first=first))
            if first or classes is not None:
                self._declare(classes, first)
            codes, _ = code_classes(self._owner, y, rows.n, tuple(self.classes_.tolist()))
            start = None if first else (dense(self.coef_), self.intercept_)
            self._learn(rows, codes, sample_weight, start, 1)
        return self

    def _learn(self, rows: FlatRows, codes: Array, sample_weight: Any, start: Given, max_iter: int) -> None:
        """All problems of two sides; what they give is kept."""
        w = read_weights(self._owner, sample_weight, rows.n)
        w = np.ones(rows.n) if w is None else w
        with in_our_name(self._owner):
            by_class = compute_class_weight(self.class_weight, classes=self.classes_, y=self.classes_[codes])
        sides = one_against_rest(codes, np.asarray(by_class, dtype=np.float64), w)
        training = self._training(rows, self._apart(codes, w), max_iter, len(sides))
        jobs = Parallel(n_jobs=self.n_jobs, require="sharedmem")
        found: list[Learned] = jobs(
            delayed(training.run)(rows, each, w, seed, None if start is None else (start[0][k], float(start[1][k])))
            for k, (each, seed) in enumerate(zip(sides, seeds_of(self.random_state, len(sides)), strict=True))
        )
        kind = rows.table.dtype
        self.coef_ = np.array([one.coef for one in found], dtype=kind)
        self.intercept_ = np.array([one.intercept for one in found], dtype=kind)
        self.n_iter_ = max(one.sweeps for one in found)
        self.t_ += self.n_iter_ * rows.n
        self.mistakes_ = self.mistakes_ + np.array([one.mistakes for one in found], dtype=np.int64)
        self.converged_ = all(one.clean for one in found)

    def _training(self, rows: FlatRows, apart: Array | None, max_iter: int, problems: int) -> Training:
        share = self.intercept_share or (1.0 if rows.dense else SPARSE_SHARE)
        return Training(
            self._owner,
            PENALTIES[self.penalty].step(
                float(self.eta0),
                float(self.alpha),
                float(self.l1_ratio),
                float(share) if self.fit_intercept else 0.0,
                BOUNDARIES[self.boundary],
            ),
            STARTS[self.start],
            bool(self.shuffle),
            max_iter,
            STOPS[self.stop],
            self.tol,
            int(self.n_iter_no_change),
            apart,
            problems,
        )

    def _apart(self, codes: Array, w: Array) -> Array | None:
        if not self.early_stopping:
            return None
        return hold_out(self._owner, codes, w, self.validation_fraction, self.random_state)

    def _given(self, coef: Any, intercept: Any, K: int, d: int) -> Given:
        """Weights to begin with, in the shapes they are kept in; None where `start` decides."""
        if coef is None and intercept is None:
            return None
        m = problems(K)
        w = np.zeros((m, d)) if coef is None else np.array(dense(coef), dtype=np.float64)
        b = np.zeros(m) if intercept is None else np.array(intercept, dtype=np.float64)
        if w.size != m * d or (m > 1 and w.shape != (m, d)):
            note = f"of shape {(m, d)} (coef_init does not match dataset)"
            raise bad(self._owner, "coef_init", note, Said(f"shape {w.shape}"), "Give one weight a column.")
        if b.size != m:
            note = f"of shape {(m,)} (intercept_init does not match dataset)"
            raise bad(self._owner, "intercept_init", note, Said(f"shape {b.shape}"), "Give one number a score.")
        if not (np.isfinite(w).all() and np.isfinite(b).all()):
            raise bad(self._owner, "the weights to begin with", "finite", Said("NaN or infinity"), "Begin with others.")
        return w.reshape(m, d), b.reshape(m)

    def _declare(self, classes: Any, first: bool) -> None:
        """Classes of the first call; later ones must be the same."""
        labels = declare(self._owner, classes)
        if first:
            self.classes_ = Origin(0, label_type=label_type(classes)).classes(labels)
            self.t_, self.mistakes_ = 1.0, np.zeros(problems(len(labels)), dtype=np.int64)
        elif labels != tuple(self.classes_.tolist()):
            note = f"{self.classes_.tolist()} (not the same as on last call to partial_fit)"
            raise bad(self._owner, "classes", note, list(labels), "Name all classes in the first call.")

    def _check_stop(self) -> None:
        if self.early_stopping and STOPS[self.stop]:
            remedy = "Rows held out judge the gain of a sweep."
            raise bad(self._owner, "early_stopping", "False where stop is 'mistakes'", True, remedy)

    def _check_online(self) -> None:
        if self.early_stopping:
            raise bad(self._owner, "early_stopping", "False with partial_fit", True, "Use fit.")
        if self.class_weight == "balanced":
            rule = "given by label (class_weight 'balanced' is not supported for partial_fit)"
            raise bad(self._owner, "class_weight", rule, "balanced", "Give label -> weight.")

    def _warn_unless_done(self) -> None:
        """Say once that sweeps ran out."""
        if STOPS[self.stop] and not self.converged_:
            told = (
                f"the last of {self.n_iter_} sweeps still made mistakes. No hyperplane may separate the classes; else"
            )
        elif not STOPS[self.stop] and self.tol is not None and self.n_iter_ == self.max_iter:
            told = f"{self.n_iter_} sweeps passed before the loss settled (before convergence): to go on,"
        else:
            return
        warnings.warn(f"{self._owner}: {told} raise max_iter.", ConvergenceWarning, stacklevel=3)


def problems(K: int) -> int:
    """How many problems of two sides K classes make."""
    return 1 if K == 2 else K


def dense(coef: Any) -> Array:
    """Coefficients that `sparsify` may have made sparse."""
    return np.asarray(coef.toarray() if hasattr(coef, "toarray") else coef)
