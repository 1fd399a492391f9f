"""SVC: two classes apart by the widest margin, in the space of a kernel; many classes by a vote of pairs.

f(x) = sum over support vectors of alpha_i y_i k(x_i, x) - t
the least of  1/2 norm(w)^2 + sum_i C_i max(0, 1 - y_i f(x_i))
"""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import compute_class_weight
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.all_or_nothing import all_or_nothing
from suffice.estimators.foreign import in_our_name
from suffice.estimators.origin import Origin, cell_type, column_names, label_type, library
from suffice.estimators.weights import read_weights
from suffice.margin.labelled_rows import Weighing, code_classes
from suffice.margin.one_versus_one import Trained, Training, compact, train_pairs
from suffice.margin.pairs_of_classes import SHAPES
from suffice.margin.vector_machine import VectorMachine
from suffice.spaces.given_kernels import GivenKernel
from suffice.spaces.kernels import Kernel, LinearKernel
from suffice.spaces.named_kernels import GAMMAS, KERNELS, read_kernel


class SVC(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Support vector machine for classification. In memory: it neither merges nor forgets.

    The multipliers are found by sequential minimal optimisation on working sets, in double precision throughout. It has
    no `predict_proba`: wrap it, as in CalibratedClassifier(SVC()), and Decide around that for costs and refusals.

    Parameters
    ----------
    C : what a unit of slack costs, above 0; infinity is the hard margin, for classes that can be told apart
    kernel : linear, poly, rbf, sigmoid, precomputed, a `Kernel`, or a function of two tables that gives k between them
    degree : of the polynomial kernel
    gamma : of the polynomial, rbf and sigmoid kernels; "scale" is 1 / (columns * variance), "auto" 1 / columns
    coef0 : of the polynomial and sigmoid kernels
    tol : by how much the conditions of an optimum may be missed
    cache_size : megabytes of kernel values to keep
    class_weight : label -> factor of C, "balanced" for one over the share of the class, None for 1
    max_iter : most steps for each pair of classes; -1 for as many as it takes
    decision_function_shape : "ovr", a score for each class; "ovo", one for each pair
    break_ties : whether `predict` goes by the scores of "ovr" rather than by votes alone
    shrinking, verbose, random_state : taken for the sake of scikit-learn's interface; the answer is the same

    Attributes
    ----------
    support_, support_vectors_, n_support_, dual_coef_, intercept_, coef_, classes_, class_weight_, shape_fit_,
        fit_status_, n_iter_, n_features_in_, feature_names_in_ : as in scikit-learn
    kernel_ : the kernel, with its numbers
    threshold_interval_ : the thresholds t = -intercept_ that are optimal (P, 2): a point where a vector is free
        (0 < alpha < C), else an interval, of which the middle was taken
    kkt_gap_ : by how much the conditions of an optimum are missed (P,)
    dual_objective_ : sum of alpha - 1/2 norm(w)^2 (P,)
    margin_width_ : 1 / norm(w), from the boundary to the margin, in the space of the kernel (P,)

    Examples
    --------
    >>> from suffice import SVC
    >>> X, y = [[1, 2], [-1, 2], [-1, -2]], [-1, -1, 1]
    >>> model = SVC(kernel="linear", C=float("inf")).fit(X, y)
    >>> model.coef_.round(6), model.support_, model.margin_width_.round(6)
    (array([[ 0. , -0.5]]), array([1, 2], dtype=int32), array([2.]))

    References
    ----------
    C. Cortes and V. Vapnik, Support-vector networks (1995). J. Platt, Fast training of support vector machines using
    sequential minimal optimization (1999).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "C": [Interval(Real, 0.0, None, closed="right")],
        "kernel": [StrOptions(set(KERNELS)), callable, Kernel],
        "degree": [Interval(Integral, 0, None, closed="left")],
        "gamma": [StrOptions(set(GAMMAS)), Interval(Real, 0.0, None, closed="left")],
        "coef0": [Interval(Real, None, None, closed="neither")],
        "shrinking": ["boolean"],
        "tol": [Interval(Real, 0.0, None, closed="neither")],
        "cache_size": [Interval(Real, 0, None, closed="neither")],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "verbose": ["verbose"],
        "max_iter": [Interval(Integral, -1, None, closed="left")],
        "decision_function_shape": [StrOptions(set(SHAPES))],
        "break_ties": ["boolean"],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        C: float = 1.0,
        kernel: Any = "rbf",
        degree: int = 3,
        gamma: Any = "scale",
        coef0: float = 0.0,
        shrinking: bool = True,
        tol: float = 1e-3,
        cache_size: float = 200,
        class_weight: Any = None,
        verbose: bool = False,
        max_iter: int = -1,
        decision_function_shape: str = "ovr",
        break_ties: bool = False,
        random_state: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.tol = tol
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.verbose = verbose
        self.max_iter = max_iter
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the widest margin.

        Parameters
        ----------
        X : rows of numbers, none missing; kernel values of the rows with one another where kernel="precomputed"
        y : one label a row, of at least two classes
        sample_weight : one weight a row, at least 0, by which its C is multiplied: weight w counts as w copies
        """
        with all_or_nothing(self):
            self._validate_params()
            rows = self._checked(X, first=True)
            codes, classes = code_classes(self._owner, y, len(rows))
            w = read_weights(self._owner, sample_weight, len(rows))
            weighing = Weighing.of(self._owner, codes, classes, w)
            self._origin = Origin(rows.shape[1], column_names(self), library(X), label_type(y), cell_type(rows))
            self._labels = weighing.classes
            self._learn(rows, weighing.rows, weighing.codes, weighing.w)
        return self

    def _learn(self, X: Array, used: Array, codes: Array, w: Array | None) -> None:
        """Train on the rows that weigh something and take on what was found."""
        rows = X if len(used) == len(X) else X[used]
        options = {"degree": self.degree, "gamma": self.gamma, "coef0": self.coef0, "w": w}
        kernel = read_kernel(self._owner, self.kernel, rows, **options)
        if isinstance(kernel, GivenKernel):
            rows = rows[:, used]
        self.classes_ = self._origin.classes(self._labels)
        self.class_weight_ = self._class_weights(codes, w)
        C = self.C * self.class_weight_[codes] * (1.0 if w is None else w)
        centre = rows.mean(axis=0) if isinstance(kernel, LinearKernel) else np.zeros(X.shape[1])
        inputs = rows - centre if isinstance(kernel, LinearKernel) else rows
        most = None if self.max_iter == -1 else int(self.max_iter)
        training = Training(self._owner, kernel, inputs, codes, C, float(self.tol), most, float(self.cache_size))
        found = train_pairs(training, len(self.classes_))
        self._keep_vectors(X, training, found, used, centre)
        self._keep_answers(found, centre)
        self._bounds = np.zeros(len(X))
        self._bounds[used] = C
        self._warn()

    def _keep_vectors(self, X: Array, training: Training, found: Trained, used: Array, centre: Array) -> None:
        """Support vectors and their multipliers, in the order of the classes."""
        vectors = np.flatnonzero(found.beta.any(axis=1))
        vectors = vectors[np.argsort(training.codes[vectors], kind="stable")]
        coef, intercept = found.beta[vectors], np.array([answer.intercept for answer in found.answers])
        given, K = isinstance(training.kernel, GivenKernel), len(self.classes_)
        self.kernel_, self.shape_fit_, self.support_ = training.kernel, X.shape, used[vectors].astype(np.int32)
        self.n_support_ = np.bincount(training.codes[vectors], minlength=K).astype(np.int32)
        self.support_vectors_ = np.empty((0, 0)) if given else X[self.support_]
        self.dual_coef_ = compact(coef, training.codes[vectors], K)
        self._machine = VectorMachine(
            name=self._owner,
            kernel=training.kernel,
            centre=centre,
            vectors=used[vectors] if given else training.X[vectors],
            coef=coef,
            intercept=intercept,
            classes=self._labels,
            origin=self._origin,
            shape=self.decision_function_shape,
            break_ties=bool(self.break_ties),
        )

    def _keep_answers(self, found: Trained, centre: Array) -> None:
        """Thresholds, and how well they were found; about 0, where machines of the linear kernel are about a centre."""
        ends = np.array([answer.interval for answer in found.answers])
        offset: Array = np.zeros(len(ends))
        if isinstance(self.kernel_, LinearKernel):
            offset = self._machine.weights @ centre
        self.intercept_ = self._machine.intercept - offset
        self.threshold_interval_ = (offset - ends.T[::-1]).T
        self.kkt_gap_ = np.array([answer.gap for answer in found.answers])
        self.n_iter_ = np.array([answer.steps for answer in found.answers], dtype=np.int32)
        self.fit_status_ = 0 if all(answer.settled for answer in found.answers) else 1

    def decision_function(self, X: Any) -> Array:
        """f(x): (n,) for two classes, above 0 for the second; for more (n, K), or (n, pairs) with "ovo".

        Parameters
        ----------
        X : rows like those of training
        """
        check_is_fitted(self)
        values = self._machine.values(self._checked(X, first=False))
        K = len(self.classes_)
        return values[:, 0] if K == 2 else SHAPES[self.decision_function_shape](values, K)

    def predict(self, X: Any) -> Array:
        """The class of each row: by the sign of f for two classes, else by a vote of pairs, the first of equals.

        Parameters
        ----------
        X : rows like those of training
        """
        check_is_fitted(self)
        self._check_ties()
        return self.classes_[self._machine.winners(self._checked(X, first=False))]

    @property
    def coef_(self) -> Array:
        """w of each pair (P, d), with a linear kernel."""
        check_is_fitted(self)
        if not isinstance(self.kernel_, LinearKernel):
            raise AttributeError("coef_ is there with a linear kernel: others have their weights in another space.")
        coef = self._machine.weights.copy()
        coef.flags.writeable = False
        return coef

    @property
    def margin_width_(self) -> Array:
        """1 / norm(w) of each pair (P,)."""
        check_is_fitted(self)
        with np.errstate(divide="ignore"):
            return np.asarray(1.0 / np.sqrt(np.maximum(self._machine.norms, 0.0)))

    @property
    def dual_objective_(self) -> Array:
        """sum of alpha - 1/2 norm(w)^2 of each pair (P,)."""
        check_is_fitted(self)
        return np.asarray(np.abs(self._machine.coef).sum(axis=0) - 0.5 * self._machine.norms)

    @property
    def predict_proba(self) -> Any:
        """Not there: margins are no probabilities before they are calibrated."""
        raise AttributeError(
            "SVC has no predict_proba: wrap it, as in CalibratedClassifier(SVC()), and Decide around that."
        )

    def save(self, path: Any) -> None:
        """Write the model to a file: numbers and a description, never code. `suffice.load` reads it."""
        from suffice.persistence import save

        check_is_fitted(self)
        save(self._machine, path)

    @property
    def _owner(self) -> str:
        return type(self).__name__

    def _checked(self, X: Any, first: bool) -> Array:
        with in_our_name(self._owner):
            rows = np.asarray(validate_data(self, X, order="C", dtype=np.float64, reset=first))
        if first and self._given and rows.shape[0] != rows.shape[1]:
            rule = "a square of kernel values where kernel='precomputed' (Precomputed matrix must be a square matrix)"
            raise bad(self._owner, "X", rule, Said(f"shape {rows.shape}"), "Give k of each row with each row.")
        return rows

    @property
    def _given(self) -> bool:
        """Whether X is a table of kernel values."""
        return isinstance(self.kernel, GivenKernel) or (isinstance(self.kernel, str) and self.kernel == "precomputed")

    def _check_ties(self) -> None:
        if self.break_ties and self.decision_function_shape == "ovo":
            rule = "False where decision_function_shape is 'ovo' (break_ties must be False)"
            raise bad(self._owner, "break_ties", rule, True, "Use 'ovr'.")

    def _class_weights(self, codes: Array, w: Array | None) -> Array:
        with in_our_name(self._owner):
            weights = compute_class_weight(
                self.class_weight, classes=self.classes_, y=self.classes_[codes], sample_weight=w
            )
        if not (weights > 0).all():
            raise bad(self._owner, "class_weight", "above 0 for every class", self.class_weight, "Leave out its rows.")
        return np.asarray(weights, dtype=np.float64)

    def _warn(self) -> None:
        if self.fit_status_:
            warnings.warn(
                f"{self._owner}: the margin was still {self.kkt_gap_.max():.2g} from its optimum after "
                f"max_iter={self.max_iter} steps. Raise max_iter or bring the columns to a like scale.",
                ConvergenceWarning,
                stacklevel=4,
            )

    def __sklearn_is_fitted__(self) -> bool:
        """Whether a machine was learned."""
        return "_machine" in vars(self)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._given
        return tags
