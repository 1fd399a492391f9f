"""LogisticNeuron: one unit, trained row by row or by sums over an epoch.

s = 1 / (1 + exp(-(w.x + b)))
cross-entropy   w <- w + rate (t - s) x - decay w
squared         w <- w + rate (t - s) s (1 - s) x - decay w,     half the squared error
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.core.block import Array, Coded
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.doors import NumberRows
from suffice.estimators.design.coded_rows import coded_door
from suffice.estimators.design.missing_option import MISSING_RULE
from suffice.estimators.glue.sequential_probabilistic import SequentialProbabilistic
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.estimators.state.origin import label_type
from suffice.neural.flat_weights import FlatWeights
from suffice.neural.gradient_descent import GradientDescent, NetRows, warn_unsettled
from suffice.neural.net_models import NetClasses, NetReadings
from suffice.neural.net_plans import NetClassPlan
from suffice.neural.net_record import NetRecord
from suffice.neural.net_targets import ClassTargets, declared_classes
from suffice.neural.optimizers import OptimizerOptions
from suffice.sources.engines.memory import MemorySource

LOSSES: Mapping[str, str] = {"cross-entropy": "log_loss", "squared": "squared_error"}
ROWS = NumberRows({"accept_sparse": ["csr"], "dtype": np.float64}, predicting={"accept_sparse": ["csr"]})


class LogisticNeuron(NetReadings, SequentialProbabilistic):
    """A single logistic unit. Online, it moves after each row; in batches, by the sum of the moves of all rows.

    More than two classes get a unit each, whose answers are made to add to 1 by softmax. Logistic regression without a
    penalty has the same optimum under the cross-entropy; `LogisticRegression` finds it in a few passes.

    Parameters
    ----------
    error : "cross-entropy", or "squared": half the squared error, whose slope vanishes where the unit is surely wrong
    mode : "online": a step a row; "batch": a step an epoch, by the sum over its rows, which is deterministic
    rate : the learning rate
    decay : the part of each weight that a step takes off; intercepts stay
    max_iter : most epochs
    tol : the gain in mean error below which an epoch is in vain; None: `max_iter` epochs
    n_iter_no_change : epochs in vain after which to stop
    shuffle : whether each online epoch has an order of its own
    start : weights to begin with are drawn from -start to start
    random_state : of the first weights and the orders
    missing : "indicator" gives the missing cells of a column a column of their own, with the mean in place of the
        number; "error" refuses them; None refuses those of arrays alone, as scikit-learn does
    refusal : what `predict` answers where it refuses

    Attributes
    ----------
    classes_, n_iter_, loss_curve_, loss_, n_features_in_, feature_names_in_ : as of `MLPClassifier`
    coef_ : weights (1, d), or (K, d) for K > 2 classes
    intercept_ : (1,) or (K,)

    Examples
    --------
    >>> from suffice import LogisticNeuron
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 1]
    >>> LogisticNeuron(rate=0.5, max_iter=200, tol=None, random_state=0).fit(X, y).predict(X).tolist()
    [0, 1, 1, 1]

    References
    ----------
    B. Widrow and M. Hoff, Adaptive switching circuits (1960).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "error": [StrOptions(set(LOSSES))],
        "mode": [StrOptions({"online", "batch"})],
        "rate": [Interval(Real, 0, None, closed="neither")],
        "decay": [Interval(Real, 0, 1, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left"), None],
        "n_iter_no_change": [Interval(Integral, 1, None, closed="left")],
        "shuffle": ["boolean"],
        "start": [Interval(Real, 0, None, closed="left")],
        "random_state": ["random_state"],
        "missing": MISSING_RULE,
        "refusal": "no_validation",
    }
    _door = coded_door(ROWS)
    _not_saved: ClassVar[tuple[str, ...]] = ("random_state",)

    def __init__(
        self,
        *,
        error: str = "cross-entropy",
        mode: str = "online",
        rate: float = 0.1,
        decay: float = 0.0,
        max_iter: int = 100,
        tol: float | None = 1e-4,
        n_iter_no_change: int = 5,
        shuffle: bool = True,
        start: float = 0.1,
        random_state: Any = None,
        missing: str | None = None,
        refusal: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.error = error
        self.mode = mode
        self.rate = rate
        self.decay = decay
        self.max_iter = max_iter
        self.tol = tol
        self.n_iter_no_change = n_iter_no_change
        self.shuffle = shuffle
        self.start = start
        self.random_state = random_state
        self.missing = missing
        self.refusal = refusal

    def fit(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None, in_memory: bool = False
    ) -> Self:
        """Learn from these rows alone.

        Parameters
        ----------
        X : any table; sparse rows too; or files, with `in_memory=True`
        y : one label a row; None where the rows come from files
        sample_weight : one weight a row; its moves are so many times as long
        target : the column of labels, where the rows come from files
        in_memory : whether the rows of files may be read whole
        """
        self._fit(X, y, sample_weight, partial(self._epochs, None, False), target, in_memory)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more rows: one epoch over them.

        Parameters
        ----------
        X : any table; sparse rows too
        y : one label a row
        classes : all classes that may ever come; needed in the first call
        sample_weight : one weight a row; its moves are so many times as long
        """
        first = self._before is None
        self._learn_on(X, y, sample_weight, partial(self._epochs, classes, True))
        if first:
            self._origin = replace(self._origin, label_type=label_type(classes))
        return self

    @property
    def coef_(self) -> Array:
        """Weights (1, d), or (K, d)."""
        return np.asarray(self._state()[0].model.weights.coefs[0].T)

    @property
    def intercept_(self) -> Array:
        """Intercepts (1,), or (K,)."""
        return np.asarray(self._state()[0].model.weights.intercepts[0])

    def _plan(self) -> NetClassPlan:
        return NetClassPlan(self._owner)

    def _epochs(self, classes: Any, once: bool, source: MemorySource, before: FittedModel | None) -> Found:
        known: NetClasses | None = before.model if once and before is not None else None
        block = source.block(slice(0, source.table.n))
        assert isinstance(block.y, Coded)
        declared = declared_classes(self._owner, classes, None if known is None else known.classes) if once else None
        targets = ClassTargets.of(self._owner, block.y, declared)
        X, rng = block.parts[0], check_random_state(self.random_state)
        sizes = (int(X.shape[1]), len(targets.classes) if len(targets.classes) > 2 else 1)
        output, loss = "logistic" if sizes[1] == 1 else "softmax", LOSSES[self.error]
        parameters = (
            FlatWeights.drawn(sizes, "identity", output, loss, np.float64, rng, float(self.start))
            if known is None
            else FlatWeights.of(known.weights, loss)
        )
        rows = NetRows(X, targets.units(np.float64), block.w)
        found = self._descent().run(parameters, rows, rng, NetRecord() if known is None else known.record, once=once)
        self._refuse_overflow(parameters)
        if not found.settled and self.tol is not None and found.record.epochs == self.max_iter:
            warn_unsettled(self._owner, int(self.max_iter), 7)
        seen = targets.weights(block.w) + (0.0 if known is None else known.seen)
        return Found(NetClasses(found.net, targets.classes, seen, found.record), found.record.epochs, found.settled)

    def _descent(self) -> GradientDescent:
        """A row of weight w moves w times as far: the step is the sum over its rows, not their mean."""
        online = self.mode == "online"
        return GradientDescent(
            self._owner,
            OptimizerOptions("sgd", float(self.rate), momentum=0.0, nesterov=False),
            float(self.decay) / float(self.rate),
            1 if online else 0,
            bool(self.shuffle) and online,
            int(self.max_iter),
            -np.inf if self.tol is None else float(self.tol),
            np.inf if self.tol is None else float(self.n_iter_no_change),
            verbose=False,
            summed=True,
        )

    def _refuse_overflow(self, parameters: FlatWeights) -> None:
        if not np.isfinite(parameters.flat).all():
            raise bad(self._owner, "the weights", "finite", Said("infinity"), "Scale the columns, or lower the rate.")
