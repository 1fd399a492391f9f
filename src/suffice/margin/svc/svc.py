"""SVC: two classes apart by the widest margin, in the space of a kernel; many classes by a vote of pairs.

f(x) = sum over support vectors of alpha_i y_i k(x_i, x) - t
the least of  1/2 norm(w)^2 + sum_i C_i max(0, 1 - y_i f(x_i))
"""

from __future__ import annotations

import warnings
from dataclasses import fields
from functools import partial
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Hidden, Interval, StrOptions

from suffice.core.block import Array, Coded
from suffice.core.errors import BadType, Said, bad, refusal
from suffice.estimators.boundary.class_weights import class_weights
from suffice.estimators.boundary.doors import FilledRows
from suffice.estimators.boundary.sparse_form import SPARSE
from suffice.estimators.design.coded_rows import coded_door
from suffice.estimators.design.missing_option import MISSING_RULE
from suffice.estimators.glue.memory_classifier import MemoryClassifier
from suffice.estimators.state.fitted import Found
from suffice.estimators.state.origin import label_array
from suffice.margin.perceptron.labelled_rows import Weighing, code_classes
from suffice.margin.plans import MachinePlan
from suffice.margin.svc.asked_probabilities import VERBS, AskedProbabilities
from suffice.margin.svc.held_out_values import Values, learn_pair_map
from suffice.margin.svc.one_versus_one import PairTraining, Trained, train_pairs
from suffice.margin.svc.pairs_of_classes import SHAPES
from suffice.margin.svc.probable_vectors import ProbableVectors
from suffice.margin.svc.support_readings import SupportReadings
from suffice.margin.svc.support_vectors import MachineSearch, SupportVectors
from suffice.sources.engines.memory import MemorySource
from suffice.spaces.given_kernels import GivenKernel
from suffice.spaces.kernels import Kernel, LinearKernel
from suffice.spaces.named_kernels import GAMMAS, KERNELS, read_kernel
from suffice.spaces.sparse_kernels import SparseKernel
from suffice.summaries.rows_summary import kept_cells

WRAP = "Train it with probability=True, or wrap it, as in CalibratedClassifier(SVC()), and Decide around that."


class SVC(SupportReadings, AskedProbabilities, MemoryClassifier):
    """Support vector machine for classification. In memory: it neither merges nor forgets.

    Sparse rows are filled in, if there is room for them.

    The multipliers are found by sequential minimal optimisation on working sets, in double precision throughout.
    Probabilities take five machines more, of the rows of four folds each: what these say of the fifth is mapped by
    Platt's rule, pair by pair, and pairs are coupled by that of Wu, Lin and Weng. CalibratedClassifier(SVC()) has other
    maps, and one that averages.

    Parameters
    ----------
    C : what a unit of slack costs, above 0; infinity is the hard margin, for classes that can be told apart
    kernel : linear, poly, rbf, sigmoid, precomputed, a `Kernel`, or a function of two tables that gives k between them
    degree : of the polynomial kernel
    gamma : of the polynomial, rbf and sigmoid kernels; "scale" is 1 / (columns * variance), "auto" 1 / columns
    coef0 : of the polynomial and sigmoid kernels
    probability : whether `predict_proba` and what follows from it are there; "deprecated", scikit-learn's default, is
        False
    tol : by how much the conditions of an optimum may be missed
    cache_size : megabytes of kernel values to keep
    class_weight : label -> factor of C, "balanced" for one over the share of the class, None for 1
    max_iter : most steps for each pair of classes; -1 for as many as it takes
    decision_function_shape : "ovr", a score for each class; "ovo", one for each pair
    break_ties : whether `predict` goes by the scores of "ovr" rather than by votes alone
    shrinking, verbose, random_state : taken for the sake of scikit-learn's interface; the answer is the same
    missing : "indicator" gives the missing cells of a column a column of their own, with the mean in place of the
        number; "error" refuses them; None refuses those of arrays alone, as scikit-learn does

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
        "probability": ["boolean", Hidden(StrOptions({"deprecated"}))],
        "tol": [Interval(Real, 0.0, None, closed="neither")],
        "cache_size": [Interval(Real, 0, None, closed="neither")],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "verbose": ["verbose"],
        "max_iter": [Interval(Integral, -1, None, closed="left")],
        "decision_function_shape": [StrOptions(set(SHAPES))],
        "break_ties": ["boolean"],
        "random_state": ["random_state"],
        "missing": MISSING_RULE,
    }
    _door = coded_door(FilledRows({"order": "C", "dtype": np.float64, "accept_sparse": "csr"}))
    _not_saved: ClassVar[tuple[str, ...]] = ("random_state",)

    def __init__(
        self,
        *,
        C: float = 1.0,
        kernel: Any = "rbf",
        degree: int = 3,
        gamma: Any = "scale",
        coef0: float = 0.0,
        shrinking: bool = True,
        probability: Any = False,
        tol: float = 1e-3,
        cache_size: float = 200,
        class_weight: Any = None,
        verbose: bool = False,
        max_iter: int = -1,
        decision_function_shape: str = "ovr",
        break_ties: bool = False,
        random_state: Any = None,
        missing: str | None = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.probability = probability
        self.tol = tol
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.verbose = verbose
        self.max_iter = max_iter
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.random_state = random_state
        self.missing = missing

    def decision_function(self, X: Any) -> Array:
        """f(x): (n,) for two classes, above 0 for the second; for more (n, K), or (n, pairs) with "ovo".

        Parameters
        ----------
        X : rows like those of training
        """
        state, X = self._state(X)
        scores = state.map(X, partial(state.model.shaped, self.decision_function_shape), None)
        return np.ascontiguousarray(scores[:, 0]) if scores.shape[1] == 1 else scores

    def predict(self, X: Any, prior: Any = None, costs: Any = None, reject: Any = None, at_least: Any = None) -> Array:
        """The class of each row: by the sign of f for two classes, else by a vote of pairs, the first of equals.

        Where a machine with probabilities is told what to decide by, it is the label of least expected cost.

        Parameters
        ----------
        X : rows like those of training
        prior, costs, reject, at_least : as for NaiveBayes; with `probability=True`
        """
        if self.break_ties and self.decision_function_shape == "ovo":
            rule = "False where decision_function_shape is 'ovo' (break_ties must be False)"
            raise bad(self._owner, "break_ties", rule, True, "Use 'ovr'.")
        given = {"prior": prior, "costs": costs, "reject": reject, "at_least": at_least}
        asked = [name for name, value in given.items() if value is not None]
        if not asked:
            return super().predict(X)
        if not self.gives_proba:
            raise bad(self._owner, "probability", f"True where predict is told {asked[0]}", self.probability, WRAP)
        self._mapped()
        return np.asarray(self._decided(X, given))

    def __getattr__(self, name: str) -> Any:
        """What is not there; of probabilities, how to get some."""
        if name in VERBS:
            raise AttributeError(f"{type(self).__name__} has no {name}. {WRAP}")
        return object.__getattribute__(self, name)

    def _plan(self) -> MachinePlan:
        return MachinePlan(self._owner, "probabilistic" if self.gives_proba else "classifier")

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        """Train on the rows that weigh something."""
        block = source.block(slice(0, source.table.n))
        (X,), w = block.parts, block.w
        self._check_square(X)
        assert isinstance(block.y, Coded)
        codes, labels = code_classes(self._owner, block.y)
        weighing = Weighing.of(self._owner, codes, labels, w)
        machine = self._trained(X, weighing.rows, weighing.codes, weighing.w, weighing.classes)
        self._warn(machine)
        return Found(machine)

    def _trained(self, X: Array, used: Array, codes: Array, w: Array | None, classes: tuple[Any, ...]) -> Any:
        rows = X if len(used) == X.shape[0] else X[used]
        sparse = hasattr(X, "indptr")
        options = {"degree": self.degree, "gamma": self.gamma, "coef0": self.coef0, "w": w}
        kernel = read_kernel(self._owner, self.kernel, rows, **options)
        if isinstance(kernel, GivenKernel):
            rows = rows[:, used]
        by_class = self._class_weights(codes, w, classes)
        C = self.C * by_class[codes] * (1.0 if w is None else w)
        centred = isinstance(kernel, LinearKernel) and not sparse
        centre = rows.mean(axis=0) if centred else np.zeros(X.shape[1])
        inputs = rows - centre if centred else rows
        most = None if self.max_iter == -1 else int(self.max_iter)
        own = SparseKernel(kernel) if sparse else kernel
        training = PairTraining(self._owner, own, inputs, codes, C, float(self.tol), most, float(self.cache_size))
        machine = self._machine(X, training, train_pairs(training, len(classes)), used, centre, by_class, classes)
        if not self.gives_proba:
            return machine

        def learned_from(part: PairTraining, some: Array) -> Values:
            K = int(part.codes.max()) + 1
            fold = self._machine(X, part, train_pairs(part, K), used[some], centre, by_class, tuple(range(K)))
            return lambda asked: fold.values(X[used[asked]])

        chances = learn_pair_map(training, w, classes, learned_from)
        return ProbableVectors(**{each.name: getattr(machine, each.name) for each in fields(machine)}, chances=chances)

    def _machine(
        self,
        X: Array,
        training: PairTraining,
        found: Trained,
        used: Array,
        centre: Array,
        by_class: Array,
        classes: Any,
    ) -> SupportVectors:
        """Support vectors and their multipliers, in the order of the classes."""
        vectors = np.flatnonzero(found.beta.any(axis=1))
        vectors = vectors[np.argsort(training.codes[vectors], kind="stable")]
        given, linear = (isinstance(training.kernel, kind) for kind in (GivenKernel, LinearKernel))
        bounds, support = np.zeros(X.shape[0]), used[vectors].astype(np.int32)
        bounds[used] = training.C
        search = MachineSearch(
            support=support,
            bounds=bounds,
            shape=X.shape,
            class_weight=by_class,
            interval=np.array([answer.interval for answer in found.answers]),
            gap=np.array([answer.gap for answer in found.answers]),
            steps=np.array([answer.steps for answer in found.answers], dtype=np.int32),
            settled=all(answer.settled for answer in found.answers),
            rows=X[support] if linear else None,
        )
        return SupportVectors(
            kernel=training.kernel.base if isinstance(training.kernel, SparseKernel) else training.kernel,
            centre=centre,
            vectors=used[vectors] if given else kept_cells(training.X[vectors], fresh=True),
            coef=found.beta[vectors],
            intercept=np.array([answer.intercept for answer in found.answers]),
            classes=classes,
            numbers=np.bincount(training.codes[vectors], minlength=len(classes)).astype(np.int32),
            shape=self.decision_function_shape,
            break_ties=bool(self.break_ties),
            search=search,
        )

    def _check_square(self, X: Array) -> None:
        if self._given and vars(self).get(SPARSE, False):
            rule = "an array where kernel='precomputed' (Sparse precomputed kernels are not supported.)"
            remedy = "Fill it in: hardly a kernel value is 0."
            raise refusal(BadType, self._owner, "X", rule, Said("a sparse matrix"), remedy)
        if self._given and X.shape[0] != X.shape[1]:
            rule = "a square of kernel values where kernel='precomputed' (Precomputed matrix must be a square matrix)"
            raise bad(self._owner, "X", rule, Said(f"shape {X.shape}"), "Give k of each row with each row.")

    @property
    def _fills(self) -> bool:
        """Whether sparse rows are filled in: for kernels that are more than functions of products and lengths."""
        known = isinstance(self.kernel, str) and self.kernel in KERNELS and not self._given
        return not (known or SparseKernel.takes(self.kernel))

    @property
    def _given(self) -> bool:
        """Whether X is a table of kernel values."""
        return isinstance(self.kernel, GivenKernel) or (isinstance(self.kernel, str) and self.kernel == "precomputed")

    def _class_weights(self, codes: Array, w: Array | None, labels: tuple[Any, ...]) -> Array:
        weights = class_weights(self._owner, self.class_weight, label_array(labels), codes, w)
        if not (weights > 0).all():
            raise bad(self._owner, "class_weight", "above 0 for every class", self.class_weight, "Leave out its rows.")
        return weights

    def _warn(self, machine: SupportVectors) -> None:
        assert machine.search is not None
        if not machine.search.settled:
            warnings.warn(
                f"{self._owner}: the margin was still {machine.search.gap.max():.2g} from its optimum after "
                f"max_iter={self.max_iter} steps. Raise max_iter or bring the columns to a like scale.",
                ConvergenceWarning,
                stacklevel=5,
            )

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._given
        return tags
