"""KernelPerceptron: the perceptron in its dual form, with any kernel.

f(x) = sum_j alpha_j y_j k(x_j, x) + b,     alpha_j: how often row j was wrong
"""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.core.block import Array, Coded
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.doors import NumberRows
from suffice.estimators.design.coded_rows import coded_door
from suffice.estimators.design.missing_option import MISSING_RULE
from suffice.estimators.glue.sequential_classifier import SequentialClassifier
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.margin.perceptron.dual_perceptron import Counted, count_mistakes
from suffice.margin.perceptron.dual_scores import DualReadings, DualScores, DualSearch
from suffice.margin.perceptron.labelled_rows import Weighing, code_classes
from suffice.margin.perceptron.perceptron_order import as_they_come, shuffled
from suffice.margin.perceptron.perceptron_seeds import seeds_of
from suffice.margin.perceptron.perceptron_training import Sides, one_against_rest
from suffice.margin.plans import DualPlan
from suffice.margin.svc.kernel_rows import KernelRows, WholeMatrix, matrix_of
from suffice.sources.engines.memory import MemorySource
from suffice.spaces.given_kernels import GivenKernel
from suffice.spaces.kernels import Kernel
from suffice.spaces.named_kernels import GAMMAS, KERNELS, read_kernel


class KernelPerceptron(DualReadings, SequentialClassifier):
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
    missing : "indicator" gives the missing cells of a column a column of their own, with the mean in place of the
        number; "error" refuses them; None refuses those of arrays alone, as scikit-learn does
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
        "missing": MISSING_RULE,
        "cache_size": [Interval(Real, 0, None, closed="neither")],
    }

    _door = coded_door(NumberRows({"dtype": np.float64, "order": "C"}))
    _not_saved: ClassVar[tuple[str, ...]] = ("random_state",)

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
        missing: str | None = None,
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
        self.missing = missing
        self.cache_size = cache_size

    def fit(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None, in_memory: bool = False
    ) -> Self:
        """Learn from these rows alone.

        Parameters
        ----------
        X : any table; with "precomputed" the kernel matrix (n, n); or files, with `in_memory=True`
        y : one label a row; None where the rows come from files
        sample_weight : one weight a row, at least 0; a mistake on it counts so many times as much, for gamma="scale"
            it is that many copies, and a row of weight 0 is no row
        target : the column of labels, where the rows come from files
        in_memory : whether the rows of files may be read whole
        """
        self._fit(X, y, sample_weight, self._sweeps, target, in_memory)
        return self

    def _plan(self) -> DualPlan:
        return DualPlan(self._owner)

    def _sweeps(self, source: MemorySource, before: FittedModel | None) -> Found:
        """Count mistakes, problem by problem."""
        block = source.block(slice(0, source.table.n))
        (X,), w = block.parts, block.w
        assert isinstance(block.y, Coded)
        some = Weighing.of(self._owner, *code_classes(self._owner, block.y), w)
        rows = X if len(some.rows) == len(X) else X[some.rows]
        options = {"degree": self.degree, "gamma": self.gamma, "coef0": self.coef0, "w": some.w}
        kernel = read_kernel(self._owner, self.kernel, rows, **options)
        weights = np.ones(len(some.rows)) if some.w is None else some.w
        sides = one_against_rest(some.codes, np.ones(len(some.classes)), weights)
        counted = self._count(self._matrix(kernel, X, some.rows), sides)
        found = self._scores(kernel, some, counted, sides, X)
        if not found.settled:
            told = f"the last of {found.passes} sweeps still made mistakes. Raise max_iter, or take a richer kernel."
            warnings.warn(f"{self._owner}: {told}", ConvergenceWarning, stacklevel=5)
        return found

    def _count(self, matrix: KernelRows, sides: list[Sides]) -> list[Counted]:
        n, bias, found = len(sides[0].signs), float(self.fit_intercept), []
        for side, seed in zip(sides, seeds_of(self.random_state, len(sides)), strict=True):
            orders = shuffled(n, seed) if self.shuffle else as_they_come(n)
            found.append(count_mistakes(matrix, side, orders, bias=bias, max_iter=int(self.max_iter)))
        return found

    def _scores(self, kernel: Kernel, some: Weighing, found: list[Counted], sides: list[Sides], X: Array) -> Found:
        alpha = np.array([one.alpha for one in found])
        wrong = np.flatnonzero(alpha.any(axis=0))
        support = some.rows[wrong]
        moves = np.array([side.signs * side.gains for side in sides])
        coef = np.ascontiguousarray((alpha * moves)[:, wrong])
        sweeps, clean = max(one.sweeps for one in found), all(one.clean for one in found)
        search = DualSearch(support, np.ascontiguousarray(alpha[:, wrong]), len(X), sweeps, clean)
        vectors, intercept = X[support], coef.sum(axis=1) * float(self.fit_intercept)
        if isinstance(kernel, GivenKernel):
            vectors = support
        return Found(DualScores(kernel, vectors, coef, intercept, some.classes, search), sweeps, clean)

    def _matrix(self, kernel: Kernel, X: Array, used: Array) -> KernelRows:
        some = len(used) < len(X)
        if not isinstance(kernel, GivenKernel):
            return matrix_of(kernel, X[used] if some else X, float(self.cache_size))
        if X.shape[0] != X.shape[1]:
            rule = "the square matrix of the kernel (Precomputed matrix must be a square matrix)"
            raise bad(self._owner, "X", rule, Said(f"shape {X.shape}"), "Give k of all pairs of rows.")
        return WholeMatrix(X[np.ix_(used, used)] if some else X)

    def __sklearn_tags__(self) -> Any:
        """Kernel values may stand for rows."""
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags
