"""Perceptron: weights that move only where a row lies on the wrong side.

where  y (w.x + b) <= 0:   w <- w + rate y x,   b <- b + rate y        until a sweep over the rows changes nothing
"""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import partial
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model._base import SparseCoefMixin
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.parallel import Parallel, delayed

from suffice.core.block import Array, Coded
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.class_weights import class_weights
from suffice.estimators.boundary.doors import NumberRows
from suffice.estimators.design.coded_rows import coded_door
from suffice.estimators.design.missing_option import MISSING_RULE
from suffice.estimators.glue.sequential_classifier import SequentialClassifier
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.estimators.state.loaded import SavedModel
from suffice.estimators.state.origin import label_array, label_type
from suffice.margin.perceptron.flat_rows import FlatRows
from suffice.margin.perceptron.held_out_rows import hold_out
from suffice.margin.perceptron.labelled_rows import code_classes, declare
from suffice.margin.perceptron.linear_scores import LinearReadings, LinearScores
from suffice.margin.perceptron.perceptron_options import BOUNDARIES, PENALTIES, STARTS, STOPS
from suffice.margin.perceptron.perceptron_seeds import seeds_of
from suffice.margin.perceptron.perceptron_training import PerceptronRun, PerceptronTraining, one_against_rest
from suffice.margin.plans import PerceptronPlan
from suffice.sources.engines.memory import MemorySource

Given = tuple[Array, Array] | None  # coefficients (K', d) and intercepts (K',) to begin with
ROWS = {"accept_sparse": "csr", "dtype": [np.float64, np.float32], "order": "C", "accept_large_sparse": False}
SPARSE_SHARE = 0.01  # of an update that scikit-learn gives the intercept of sparse rows


class Perceptron(LinearReadings, SparseCoefMixin, SequentialClassifier):  # type: ignore[misc]
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
    missing : "indicator" gives the missing cells of a column a column of their own, with the mean in place of the
        number; "error" refuses them; None refuses those of arrays alone, as scikit-learn does
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
        "missing": MISSING_RULE,
        "stop": [StrOptions(set(STOPS))],
        "boundary": [StrOptions(set(BOUNDARIES))],
        "intercept_share": [Interval(Real, 0, None, closed="neither"), None],
    }
    _door = coded_door(NumberRows(ROWS, predicting={"accept_sparse": "csr"}))
    _not_saved: ClassVar[tuple[str, ...]] = ("random_state",)

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
        missing: str | None = None,
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
        self.missing = missing
        self.stop = stop
        self.boundary = boundary
        self.intercept_share = intercept_share

    def fit(
        self,
        X: Any,
        y: Any = None,
        coef_init: Any = None,
        intercept_init: Any = None,
        sample_weight: Any = None,
        *,
        target: Any = None,
        in_memory: bool = False,
    ) -> Self:
        """Learn from these rows alone, unless `warm_start` says otherwise.

        Parameters
        ----------
        X : any table; sparse rows too; or files, with `in_memory=True`
        y : one label a row; None where the rows come from files
        coef_init, intercept_init : weights to begin with, in the shape of `coef_` and `intercept_`
        sample_weight : one weight a row; a mistake moves the weights so many times as far
        target : the column of labels, where the rows come from files
        in_memory : whether the rows of files may be read whole
        """
        step = partial(self._sweeps, coef_init, intercept_init)
        self._fit(X, y, sample_weight, step, target, in_memory)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more rows: one sweep over them.

        Parameters
        ----------
        X : any table; sparse rows too
        y : one label a row
        classes : all classes that may ever come; needed in the first call
        sample_weight : one weight a row; a mistake moves the weights so many times as far
        """
        first = self._before is None
        self._learn_on(X, y, sample_weight, partial(self._one_sweep, classes))
        if first:
            self._origin = replace(self._origin, label_type=label_type(classes))
        return self

    @property
    def coef_(self) -> Any:
        """Weights (K', d)."""
        return self._state()[0].model.coef

    @coef_.setter
    def coef_(self, coef: Any) -> None:
        """Put others in their place, as `sparsify` and `densify` do."""
        self.fitted_ = with_coef(self._state()[0], coef)

    def _plan(self) -> PerceptronPlan:
        return PerceptronPlan(self._owner)

    def _saved(self) -> SavedModel:
        value = super()._saved()
        return replace(value, fitted=with_coef(value.fitted, dense(self.coef_)))

    def _sweeps(self, coef: Any, intercept: Any, source: MemorySource, before: FittedModel | None) -> Found:
        """Sweep after sweep."""
        self._check_stop()
        rows, y, w = _read(source)
        codes, classes = code_classes(self._owner, y)
        if self.warm_start and before is not None:
            coef = before.model.coef if coef is None else coef
            intercept = before.model.intercept if intercept is None else intercept
        start = self._given(coef, intercept, len(classes), rows.width)
        begun = LinearScores(classes, np.zeros((problems(len(classes)), rows.width)), np.zeros(problems(len(classes))))
        found = self._learn(begun, rows, codes, w, start, int(self.max_iter))
        self._warn_unless_done(found)
        return found

    def _one_sweep(self, classes: Any, source: MemorySource, before: FittedModel | None) -> Found:
        """One sweep from where the last ended."""
        self._check_online()
        rows, y, w = _read(source)
        begun = self._begun(classes, before, rows.width)
        codes, _ = code_classes(self._owner, y, begun.classes)
        start = None if before is None else (dense(begun.coef), begun.intercept)
        return self._learn(begun, rows, codes, w, start, 1)

    def _learn(
        self, begun: LinearScores, rows: FlatRows, codes: Array, w: Array | None, start: Given, max_iter: int
    ) -> Found:
        """All problems of two sides, and what they add to what was learned."""
        w = np.ones(rows.n) if w is None else w
        classes = label_array(begun.classes)
        sides = one_against_rest(codes, class_weights(self._owner, self.class_weight, classes, codes), w)
        training = self._training(rows, self._apart(codes, w), max_iter, len(sides))
        jobs = Parallel(n_jobs=self.n_jobs, require="sharedmem")
        found: list[PerceptronRun] = jobs(
            delayed(training.run)(rows, each, w, seed, None if start is None else (start[0][k], float(start[1][k])))
            for k, (each, seed) in enumerate(zip(sides, seeds_of(self.random_state, len(sides)), strict=True))
        )
        kind, sweeps = rows.table.dtype, max(one.sweeps for one in found)
        mistakes = np.array([one.mistakes for one in found], dtype=np.int64)
        model = LinearScores(
            begun.classes,
            np.array([one.coef for one in found], dtype=kind),
            np.array([one.intercept for one in found], dtype=kind),
            sweeps=sweeps,
            steps=begun.steps + sweeps * rows.n,
            mistakes=mistakes if begun.mistakes is None else begun.mistakes + mistakes,
            clean=all(one.clean for one in found),
        )
        return Found(model, sweeps, model.clean)

    def _training(self, rows: FlatRows, apart: Array | None, max_iter: int, problems: int) -> PerceptronTraining:
        share = self.intercept_share or (1.0 if rows.dense else SPARSE_SHARE)
        return PerceptronTraining(
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

    def _begun(self, classes: Any, before: FittedModel | None, width: int) -> LinearScores:
        """What was learned before; at first only the classes are known, later ones must be the same."""
        labels = declare(self._owner, classes) if before is None or classes is not None else ()
        if before is None:
            return LinearScores(labels, np.zeros((problems(len(labels)), width)), np.zeros(problems(len(labels))))
        known: LinearScores = before.model
        if classes is not None and labels != known.classes:
            note = f"{list(known.classes)} (not the same as on last call to partial_fit)"
            raise bad(self._owner, "classes", note, list(labels), "Name all classes in the first call.")
        return known

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

    def _warn_unless_done(self, found: Found) -> None:
        """Say once that sweeps ran out."""
        sweeps = found.passes
        if STOPS[self.stop] and not found.settled:
            told = f"the last of {sweeps} sweeps still made mistakes. No hyperplane may separate the classes; else"
        elif not STOPS[self.stop] and self.tol is not None and sweeps == self.max_iter:
            told = f"{sweeps} sweeps passed before the loss settled (before convergence): to go on,"
        else:
            return
        warnings.warn(f"{self._owner}: {told} raise max_iter.", ConvergenceWarning, stacklevel=6)


def _read(source: MemorySource) -> tuple[FlatRows, Coded, Array | None]:
    """Rows laid end to end, labels, weights."""
    block = source.block(slice(0, source.table.n))
    assert isinstance(block.y, Coded)
    return FlatRows.of(block.parts[0]), block.y, block.w


def with_coef(fitted: FittedModel, coef: Any) -> FittedModel:
    """The same model with other weights, or with the same in another form."""
    return replace(fitted, state=replace(fitted.state, model=replace(fitted.model, coef=coef)))


def problems(K: int) -> int:
    """How many problems of two sides K classes make."""
    return 1 if K == 2 else K


def dense(coef: Any) -> Array:
    """Coefficients that `sparsify` may have made sparse."""
    return np.asarray(coef.toarray() if hasattr(coef, "toarray") else coef)
