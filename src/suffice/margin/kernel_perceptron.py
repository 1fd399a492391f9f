"""KernelPerceptron: the perceptron in its dual form, with any kernel.

f(x) = sum_j alpha_j y_j k(x_j, x) + b,     alpha_j: how often row j was wrong
"""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from os import PathLike
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.all_or_nothing import all_or_nothing
from suffice.estimators.foreign import in_our_name
from suffice.estimators.origin import Origin, column_names, label_type
from suffice.estimators.weights import read_weights
from suffice.margin.dual_perceptron import Counted, count_mistakes
from suffice.margin.kernel_rows import KernelRows, WholeMatrix, matrix_of
from suffice.margin.kernel_scores import KernelScores
from suffice.margin.labelled_rows import Weighing, code_classes
from suffice.margin.perceptron_order import as_they_come, shuffled
from suffice.margin.perceptron_seeds import seeds_of
from suffice.margin.perceptron_training import Sides, one_against_rest
from suffice.spaces.given_kernels import GivenKernel
from suffice.spaces.kernels import Kernel, LinearKernel
from suffice.spaces.named_kernels import GAMMAS, KERNELS, read_kernel


class KernelPerceptron(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A perceptron in the space of a kernel: boundaries of any shape, from products of rows alone. In memory.

    With kernel="linear" it is the dual perceptron, which makes the same mistakes as `Perceptron(stop="mistakes")` with
    the same parameters. More than two classes are learned one against the rest.

    Parameters
    ----------
    kernel : "rbf", "linear", "poly", "sigmoid", "precomputed", a `Kernel` of `suffice.spaces`, or a function k(X, Z)
        that gives a table
    degree, gamma, coef0 : of the kernels by name, as in scikit-learn's SVC
    fit_intercept : whether 1 is added to the kernel, so that there is an intercept
    max_iter : most sweeps over the rows
    shuffle : whether each sweep has an order of its own
    random_state : of the orders
    cache_size : megabytes of the kernel matrix that are kept at most

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_ : as in scikit-learn
    alpha_ : (K', n) how often each row was wrong; K' is 1 for two classes, else their number
    support_, support_vectors_ : the rows that were ever wrong, and their numbers; others may be deleted
    dual_coef_ : (K', m) alpha_j y_j of these, times their weights
    intercept_ : (K',)
    coef_ : (K', d) the weights, where the kernel is linear
    mistakes_ : (K',) their number
    n_iter_ : sweeps, of the class that took most
    converged_ : whether the last sweeps were without mistakes
    kernel_ : the kernel

    Examples
    --------
    >>> from suffice import KernelPerceptron
    >>> from suffice.datasets import load_xor
    >>> X, y = load_xor()
    >>> KernelPerceptron("poly", degree=2, gamma=1.0, coef0=1.0).fit(X, y).predict(X).tolist()
    [0, 1, 1, 0]

    References
    ----------
    M. Aizerman, E. Braverman and L. Rozonoer, Theoretical foundations of the potential function method (1964).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "kernel": [StrOptions(set(KERNELS)), Kernel, callable],
        "degree": [Interval(Integral, 0, None, closed="left")],
        "gamma": [StrOptions(set(GAMMAS)), Interval(Real, 0, None, closed="left")],
        "coef0": [Interval(Real, None, None, closed="neither")],
        "fit_intercept": ["boolean"],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "shuffle": ["boolean"],
        "random_state": ["random_state"],
        "cache_size": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(
        self,
        kernel: Any = "rbf",
        *,
        degree: int = 3,
        gamma: Any = "scale",
        coef0: float = 0.0,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        shuffle: bool = True,
        random_state: Any = 0,
        cache_size: float = 200.0,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.random_state = random_state
        self.cache_size = cache_size

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from these rows alone.

        Parameters
        ----------
        X : rows of numbers, none missing; with "precomputed" the kernel matrix (n, n)
        y : one label a row
        sample_weight : one weight a row, at least 0; a mistake on it counts so many times as much, for gamma="scale"
            it is that many copies, and a row of weight 0 is no row
        """
        with all_or_nothing(self):
            self._validate_params()
            X = self._check_rows(X, first=True)
            codes, classes = code_classes(self._owner, y, len(X))
            w = read_weights(self._owner, sample_weight, len(X))
            weighing = Weighing.of(self._owner, codes, classes, w)
            self.classes_ = Origin(0, label_type=label_type(y)).classes(weighing.classes)
            self._learn(X, weighing)
            self._warn_unless_done()
        return self

    def _learn(self, X: Array, weighing: Weighing) -> None:
        """From the rows that weigh something."""
        used, w = weighing.rows, weighing.w
        rows = X if len(used) == len(X) else X[used]
        options = {"degree": self.degree, "gamma": self.gamma, "coef0": self.coef0, "w": w}
        self.kernel_ = read_kernel(self._owner, self.kernel, rows, **options)
        sides = one_against_rest(weighing.codes, np.ones(len(self.classes_)), np.ones(len(used)) if w is None else w)
        self._keep(self._count(self._matrix(X, used), sides), sides, X, used)

    def decision_function(self, X: Any) -> Array:
        """Scores: (n,) for two classes, above 0 for the second; (n, K) for more.

        Parameters
        ----------
        X : rows like those of training; with "precomputed" their kernel values with the rows of training
        """
        check_is_fitted(self)
        values = self._scores().scores(self._check_rows(X, first=False))
        return values[:, 0] if len(self.classes_) == 2 else values

    def predict(self, X: Any) -> Array:
        """The class of each row; where the score of two classes is 0, the first.

        Parameters
        ----------
        X : rows like those of training
        """
        scores = self.decision_function(X)
        return np.asarray(self.classes_[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)])

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to a file: numbers and a description, never code. `suffice.load` reads it.

        Parameters
        ----------
        path : the file
        """
        from suffice.persistence import save

        check_is_fitted(self)
        save(self._scores(), path)

    @property
    def coef_(self) -> Array:
        """The weights w = sum_j alpha_j y_j x_j (K', d) of a linear kernel."""
        check_is_fitted(self)
        if not isinstance(self.kernel_, LinearKernel):
            raise AttributeError(f"{self._owner}: coef_ must be asked of a linear kernel, got {self.kernel_!r}.")
        return np.asarray(self.dual_coef_ @ self.support_vectors_)

    def _count(self, matrix: KernelRows, sides: list[Sides]) -> list[Counted]:
        n, bias, found = len(sides[0].signs), float(self.fit_intercept), []
        for side, seed in zip(sides, seeds_of(self.random_state, len(sides)), strict=True):
            orders = shuffled(n, seed) if self.shuffle else as_they_come(n)
            found.append(count_mistakes(matrix, side, orders, bias=bias, max_iter=int(self.max_iter)))
        return found

    def _keep(self, found: list[Counted], sides: list[Sides], X: Array, used: Array) -> None:
        counts = np.array([one.alpha for one in found])
        self.alpha_ = np.zeros((len(found), len(X)), dtype=counts.dtype)
        self.alpha_[:, used] = counts
        wrong = np.flatnonzero(counts.any(axis=0))
        self.support_ = used[wrong]
        self.support_vectors_ = self.support_ if isinstance(self.kernel_, GivenKernel) else X[self.support_]
        moves = np.array([side.signs * side.gains for side in sides])
        self.dual_coef_ = np.ascontiguousarray((counts * moves)[:, wrong])
        self.intercept_ = self.dual_coef_.sum(axis=1) * float(self.fit_intercept)
        self.mistakes_ = self.alpha_.sum(axis=1)
        self.n_iter_ = max(one.sweeps for one in found)
        self.converged_ = all(one.clean for one in found)

    def _scores(self) -> KernelScores:
        origin = Origin(self.n_features_in_, column_names(self), label_type=label_type(self.classes_))
        vectors, coef, b = self.support_vectors_, self.dual_coef_, self.intercept_
        return KernelScores(self._owner, self.kernel_, vectors, coef, b, tuple(self.classes_.tolist()), origin)

    def _matrix(self, X: Array, used: Array) -> KernelRows:
        some = len(used) < len(X)
        if not isinstance(self.kernel_, GivenKernel):
            return matrix_of(self.kernel_, X[used] if some else X, float(self.cache_size))
        if X.shape[0] != X.shape[1]:
            rule = "the square matrix of the kernel (Precomputed matrix must be a square matrix)"
            raise bad(self._owner, "X", rule, Said(f"shape {X.shape}"), "Give k of all pairs of rows.")
        return WholeMatrix(X[np.ix_(used, used)] if some else X)

    def _check_rows(self, X: Any, first: bool) -> Array:
        with in_our_name(self._owner):
            return np.asarray(validate_data(self, X, dtype=np.float64, order="C", reset=first))

    def _warn_unless_done(self) -> None:
        if not self.converged_:
            told = f"the last of {self.n_iter_} sweeps still made mistakes. Raise max_iter, or take a richer kernel."
            warnings.warn(f"{self._owner}: {told}", ConvergenceWarning, stacklevel=3)

    @property
    def _owner(self) -> str:
        return type(self).__name__

    def __sklearn_tags__(self) -> Any:
        """Kernel values may stand for rows."""
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags
