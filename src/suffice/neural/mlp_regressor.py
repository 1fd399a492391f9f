"""MLPRegressor: layers of units between the columns and numbers to predict.

s_l = activation(s_(l-1) W_l + b_l),     y = s_(L-1) W_L + b_L,  or its exponential for counts
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.metrics import r2_score
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.metaestimators import available_if

from suffice.core.block import Array, Block
from suffice.core.errors import bad
from suffice.estimators.boundary.targets import NumbersOrColumn, Target
from suffice.estimators.glue.sequential_regressor import SequentialRegressor
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.neural.file_epochs import FileRows, NetFile
from suffice.neural.gradient_descent import NetRows
from suffice.neural.mlp_training import CONSTRAINTS, MLPTraining, steps_by_rows
from suffice.neural.net_models import NetFunction, NetReadings
from suffice.neural.net_plans import NetFunctionPlan
from suffice.neural.net_weights import NetWeights
from suffice.sources.engines.memory import MemorySource

OUTPUT = {"squared_error": "identity", "poisson": "exp"}  # by loss


class MLPRegressor(NetReadings, MLPTraining, SequentialRegressor):
    """A multilayer perceptron for numbers, for scikit-learn users: the same net, epoch for epoch.

    From files it learns as `MLPClassifier` does.

    Parameters
    ----------
    loss : "squared_error", half the squared error, added over the targets; or "poisson", the deviance of counts, with
        exponential outputs
    hidden_layer_sizes, activation, solver, alpha, batch_size, learning_rate, learning_rate_init, power_t, max_iter,
    shuffle, random_state, tol, verbose, warm_start, momentum, nesterovs_momentum, early_stopping, validation_fraction,
    beta_1, beta_2, epsilon, n_iter_no_change, max_fun, start, missing : as of `MLPClassifier`

    Attributes
    ----------
    coefs_, intercepts_, loss_, best_loss_, loss_curve_, validation_scores_, best_validation_score_, n_iter_, t_,
    n_layers_, n_outputs_, out_activation_, n_features_in_, feature_names_in_ : as in scikit-learn
    learning_rate_ : the rate of the last step
    epochs_in_vain_ : last epochs without enough gain

    Examples
    --------
    >>> from suffice import MLPRegressor
    >>> X = [[-1.0], [-0.5], [0.0], [0.5], [1.0]]
    >>> y = [1.0, 0.25, 0.0, 0.25, 1.0]
    >>> net = MLPRegressor(hidden_layer_sizes=(6,), activation="tanh", solver="lbfgs", alpha=0.0, random_state=0)
    >>> abs(net.fit(X, y).predict(X)).round(2).tolist()
    [1.0, 0.25, 0.0, 0.25, 1.0]

    References
    ----------
    D. Rumelhart, G. Hinton and R. Williams, Learning representations by back-propagating errors (1986).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {**CONSTRAINTS, "loss": [StrOptions(set(OUTPUT))]}
    _target: Target = NumbersOrColumn(warn=True)

    def __init__(
        self,
        loss: str = "squared_error",
        hidden_layer_sizes: Any = (100,),
        activation: str = "relu",
        *,
        solver: str = "adam",
        alpha: float = 0.0001,
        batch_size: Any = "auto",
        learning_rate: str = "constant",
        learning_rate_init: float = 0.001,
        power_t: float = 0.5,
        max_iter: int = 200,
        shuffle: bool = True,
        random_state: Any = None,
        tol: float = 1e-4,
        verbose: bool = False,
        warm_start: bool = False,
        momentum: float = 0.9,
        nesterovs_momentum: bool = True,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-8,
        n_iter_no_change: float = 10,
        max_fun: int = 15000,
        start: float | None = None,
        missing: str | None = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.loss = loss
        self.hidden_layer_sizes = hidden_layer_sizes
        self.activation = activation
        self.solver = solver
        self.alpha = alpha
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.learning_rate_init = learning_rate_init
        self.power_t = power_t
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.random_state = random_state
        self.tol = tol
        self.verbose = verbose
        self.warm_start = warm_start
        self.momentum = momentum
        self.nesterovs_momentum = nesterovs_momentum
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.beta_1 = beta_1
        self.beta_2 = beta_2
        self.epsilon = epsilon
        self.n_iter_no_change = n_iter_no_change
        self.max_fun = max_fun
        self.start = start
        self.missing = missing

    def fit(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None, in_memory: bool = False
    ) -> Self:
        """Learn from these rows alone, unless `warm_start` says otherwise.

        Parameters
        ----------
        X : any table; sparse rows too; or files, read once an epoch, or whole with `in_memory=True`
        y : one number a row, or a table of several targets; None where the rows come from files
        sample_weight : one weight a row: its part in the error of a step
        target : the column of numbers to predict, where the rows come from files
        in_memory : whether the rows of files may be read whole
        """
        self._fit(X, y, sample_weight, self._epochs, target, in_memory)
        return self

    @available_if(steps_by_rows)  # type: ignore[untyped-decorator]
    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from more rows: one epoch over them.

        Parameters
        ----------
        X : any table; sparse rows too
        y : one number a row, or a table of several targets
        sample_weight : one weight a row
        """
        self._learn_on(X, y, sample_weight, self._one_epoch)
        return self

    def _plan(self) -> NetFunctionPlan:
        return NetFunctionPlan(self._owner)

    def _epochs(self, source: MemorySource, before: FittedModel | None) -> Found:
        return self._learned(source, before if self.warm_start else None, once=False)

    def _one_epoch(self, source: MemorySource, before: FittedModel | None) -> Found:
        return self._learned(source, before, once=True)

    def _learned(self, source: Any, before: FittedModel | None, *, once: bool) -> Found:
        known = None if before is None else (before.model.weights, before.model.record)
        if isinstance(source, NetFile):
            rows: Any = FileRows(source, self._numbers, 1, source.n)
        else:
            block = source.block(slice(0, source.table.n))
            X = block.parts[0]
            rows = NetRows(X, self._numbers(block).astype(X.dtype, copy=False), block.w)
        found = self._trained(rows, OUTPUT[self.loss], known, _explained, None, once=once)
        return Found(NetFunction(found.net, found.record), found.record.epochs, found.settled)

    def _numbers(self, block: Block) -> Array:
        """What the outputs should say to the rows of a block (n, t)."""
        y = np.asarray(block.y)
        if self.loss == "poisson" and (y < 0).any():
            raise bad(self._owner, "y", "at least 0 where loss is 'poisson'", float(y.min()), "Use squared_error.")
        return y

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


def _explained(net: NetWeights, rows: NetRows) -> float:
    """R^2; NaN where outputs are no numbers."""
    answers = net.outputs(rows.X)
    if not np.isfinite(answers).all():
        return float("nan")
    return float(r2_score(rows.T, answers, sample_weight=rows.w if rows.w is not None and rows.w.any() else None))
