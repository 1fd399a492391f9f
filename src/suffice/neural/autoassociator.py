"""Autoassociator: a net whose targets are its inputs, through a narrower hidden layer: what gets through is a code.

x -> code -> x',     the weights minimise half the squared distance of x and x'
"""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.metaestimators import available_if

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.estimators.boundary.doors import NumberRows
from suffice.estimators.glue.sequential_transformer import SequentialTransformer
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.neural.gradient_descent import NetRows
from suffice.neural.mlp_training import CONSTRAINTS, MLPTraining, steps_by_rows
from suffice.neural.net_code import NetCode, narrowest
from suffice.neural.net_models import NetReadings
from suffice.neural.net_plans import NetCodePlan
from suffice.neural.net_weights import NetWeights
from suffice.sources.engines.memory import MemorySource

OPTIONS = (
    *("hidden_layer_sizes", "activation", "solver", "alpha", "batch_size", "learning_rate_init", "max_iter"),
    *("shuffle", "random_state", "tol", "verbose", "momentum", "n_iter_no_change", "max_fun", "start"),
)


class Autoassociator(NetReadings, MLPTraining, SequentialTransformer):
    """Rows as the answers of a narrow hidden layer of a net that learns to say them again. In memory.

    Parameters
    ----------
    hidden_layer_sizes : units of each hidden layer; the narrowest is the code
    activation : of hidden units: "logistic", "tanh", "relu" or "identity"
    output : "identity", or "logistic" for rows between 0 and 1
    solver, alpha, batch_size, learning_rate_init, max_iter, shuffle, random_state, tol, verbose, momentum,
    n_iter_no_change, max_fun, start : as of `MLPClassifier`

    Attributes
    ----------
    coefs_, intercepts_, loss_, loss_curve_, n_iter_, n_features_in_, feature_names_in_ : as of `MLPClassifier`

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import Autoassociator
    >>> X = np.outer(np.linspace(-1.0, 1.0, 9), [1.0, 2.0])
    >>> net = Autoassociator((1,), "identity", solver="lbfgs", alpha=0.0, random_state=0).fit(X)
    >>> net.transform(X).shape, bool(np.allclose(net.reconstruct(X), X, atol=0.01))
    ((9, 1), True)

    References
    ----------
    D. Ackley, G. Hinton and T. Sejnowski, A learning algorithm for Boltzmann machines (1985): the encoder problem.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **{name: CONSTRAINTS[name] for name in OPTIONS},
        "output": [StrOptions({"identity", "logistic"})],
        "momentum": [Interval(Real, 0, 1, closed="both")],
    }
    _door = NumberRows({"dtype": [np.float64, np.float32]})
    loss: ClassVar[str] = "squared_error"
    learning_rate: ClassVar[str] = "constant"
    power_t: ClassVar[float] = 0.5
    nesterovs_momentum: ClassVar[bool] = True
    early_stopping: ClassVar[bool] = False
    beta_1: ClassVar[float] = 0.9
    beta_2: ClassVar[float] = 0.999
    epsilon: ClassVar[float] = 1e-8

    def __init__(
        self,
        hidden_layer_sizes: Any = (2,),
        activation: str = "logistic",
        *,
        output: str = "identity",
        solver: str = "adam",
        alpha: float = 0.0001,
        batch_size: Any = "auto",
        learning_rate_init: float = 0.001,
        max_iter: int = 200,
        shuffle: bool = True,
        random_state: Any = None,
        tol: float = 1e-4,
        verbose: bool = False,
        momentum: float = 0.9,
        n_iter_no_change: float = 10,
        max_fun: int = 15000,
        start: float | None = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.hidden_layer_sizes = hidden_layer_sizes
        self.activation = activation
        self.output = output
        self.solver = solver
        self.alpha = alpha
        self.batch_size = batch_size
        self.learning_rate_init = learning_rate_init
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.random_state = random_state
        self.tol = tol
        self.verbose = verbose
        self.momentum = momentum
        self.n_iter_no_change = n_iter_no_change
        self.max_fun = max_fun
        self.start = start

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, in_memory: bool = False) -> Self:
        """Learn from these rows alone.

        Parameters
        ----------
        X : rows of numbers, none missing; or files, with `in_memory=True`
        y : not used
        sample_weight : one weight a row: its part in the error of a step
        in_memory : whether the rows of files may be read whole
        """
        self._fit(X, None, sample_weight, self._epochs, None, in_memory)
        return self

    @available_if(steps_by_rows)  # type: ignore[untyped-decorator]
    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more rows: one epoch over them.

        Parameters
        ----------
        X, y, sample_weight : as for `fit`
        """
        self._learn_on(X, None, sample_weight, self._one_epoch)
        return self

    def reconstruct(self, X: Any) -> Array:
        """Rows as the net says them again (n, d).

        Parameters
        ----------
        X : rows of numbers
        """
        state, X = self._state(X)
        return np.asarray(state.map(X, lambda block: state.model.weights.outputs(block.parts[0]), None))

    def _plan(self) -> NetCodePlan:
        return NetCodePlan(self._owner)

    def _epochs(self, source: MemorySource, before: FittedModel | None) -> Found:
        return self._learned(source, None, once=False)

    def _one_epoch(self, source: MemorySource, before: FittedModel | None) -> Found:
        return self._learned(source, before, once=True)

    def _learned(self, source: MemorySource, before: FittedModel | None, *, once: bool) -> Found:
        block = source.block(slice(0, source.table.n))
        X = np.asarray(block.parts[0])
        hidden = self._hidden_sizes()
        if not hidden:
            raise bad(self._owner, "hidden_layer_sizes", "at least one layer", hidden, "The narrowest is the code.")
        if self.output == "logistic" and not (X.min() >= 0.0 and X.max() <= 1.0):
            odd = float(X.min() if X.min() < 0.0 else X.max())
            raise bad(self._owner, "X", "between 0 and 1 where output is 'logistic'", odd, "Scale it, or use identity.")
        known = None if before is None else (before.model.weights, before.model.record)
        found = self._trained(NetRows(X, X, block.w), self.output, known, _never, None, once=once)
        return Found(NetCode(found.net, narrowest(hidden), found.record), found.record.epochs, found.settled)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _never(net: NetWeights, rows: NetRows) -> float:
    """No rows are held out."""
    raise TypeError("Autoassociator: rows must not be held out.")
