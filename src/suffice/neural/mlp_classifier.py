"""MLPClassifier: layers of units between the columns and the classes.

s_l = activation(s_(l-1) W_l + b_l),     p(class | x) = logistic or softmax of s_(L-1) W_L + b_L
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.metaestimators import available_if

from suffice.core.block import Array, Coded
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.label_tables import LabelOrIndicators
from suffice.estimators.boundary.targets import Target
from suffice.estimators.faces.several_labels import SeveralLabels, by_labels
from suffice.estimators.glue.sequential_probabilistic import SequentialProbabilistic
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.estimators.state.origin import label_array, label_type
from suffice.neural.file_epochs import FileRows, NetFile
from suffice.neural.gradient_descent import NetRows
from suffice.neural.mlp_training import CONSTRAINTS, MLPTraining, steps_by_rows
from suffice.neural.net_labels import NetLabels
from suffice.neural.net_models import NetClasses, NetReadings
from suffice.neural.net_plans import NetClassPlan
from suffice.neural.net_targets import ClassTargets, FileTargets, LabelTargets, declared_classes
from suffice.neural.net_weights import NetWeights
from suffice.sources.engines.memory import MemorySource

Known = NetClasses | NetLabels | None  # what was learned before
AnyTargets = ClassTargets | LabelTargets | FileTargets


class MLPClassifier(NetReadings, MLPTraining, SequentialProbabilistic):
    """A multilayer perceptron for scikit-learn users: the same net, epoch for epoch.

    From files of any size "sgd" and "adam" learn epoch by epoch: rows are shuffled within windows of some 16,000 rows.
    Decisions by prior, costs and refusing are made afterwards, as with every classifier with probabilities.

    Parameters
    ----------
    hidden_layer_sizes : units of each hidden layer; () for none
    activation : of hidden units: "relu", "logistic", "tanh" or "identity"
    solver : "adam", "sgd" or "lbfgs"
    alpha : of the penalty alpha / 2 on squared weights, divided by the rows of a step; a step of one row with rate r
        takes r alpha off each weight: weight decay
    batch_size : rows of a step; 1 is online training, the number of rows batch training; "auto": at most 200
    learning_rate : of "sgd": "constant", "invscaling" (rate / rows^power_t) or "adaptive" (a fifth where gain ends)
    learning_rate_init : the rate to begin with
    power_t : of "invscaling"
    max_iter : most epochs
    shuffle : whether each epoch has an order of its own
    random_state : of the first weights, the orders and the rows held out
    tol : the gain below which an epoch is in vain; of "lbfgs", the slope to stop at
    verbose : whether each epoch is printed
    warm_start : whether `fit` begins where the last one ended
    momentum, nesterovs_momentum : of "sgd"
    early_stopping : whether epochs are judged by rows held out; see `suffice.neural.error_by_epoch` for folds
    validation_fraction : the share of rows held out
    beta_1, beta_2, epsilon : of "adam"
    n_iter_no_change : epochs in vain after which to stop
    max_fun : most evaluations of "lbfgs"
    loss : "log_loss", the cross-entropy, or "squared_error", half the squared distance from the indicators of classes
    start : weights to begin with are drawn from -start to start; None: by the sizes of the layers
    missing : "indicator" gives the missing cells of a column a column of their own, with the mean in place of the
        number; "error" refuses them; None refuses those of arrays alone, as scikit-learn does
    refusal : what `predict` answers where it refuses

    Attributes
    ----------
    classes_, coefs_, intercepts_, loss_, best_loss_, loss_curve_, validation_scores_, best_validation_score_, n_iter_,
    t_, n_layers_, n_outputs_, out_activation_, n_features_in_, feature_names_in_ : as in scikit-learn
    learning_rate_ : the rate of the last step
    epochs_in_vain_ : last epochs without enough gain

    Examples
    --------
    >>> from suffice import MLPClassifier
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> net = MLPClassifier((4,), "tanh", solver="lbfgs", alpha=0.0, random_state=0).fit(X, y)
    >>> net.predict(X).tolist(), net.hidden_outputs(X).shape
    ([0, 1, 1, 0], (4, 4))

    References
    ----------
    D. Rumelhart, G. Hinton and R. Williams, Learning representations by back-propagating errors (1986).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **CONSTRAINTS,
        "loss": [StrOptions({"log_loss", "squared_error"})],
        "refusal": "no_validation",
    }

    _target: Target = LabelOrIndicators()

    def __init__(
        self,
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
        loss: str = "log_loss",
        start: float | None = None,
        missing: str | None = None,
        refusal: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
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
        self.loss = loss
        self.start = start
        self.missing = missing
        self.refusal = refusal

    def fit(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None, in_memory: bool = False
    ) -> Self:
        """Learn from these rows alone, unless `warm_start` says otherwise.

        Parameters
        ----------
        X : any table; sparse rows too; or files, read once an epoch, or whole with `in_memory=True`
        y : one label a row, or a table of 0 and 1 with a column for each of several labels; None where the rows come
            from files
        sample_weight : one weight a row: its part in the error of a step
        target : the column of labels, where the rows come from files
        in_memory : whether the rows of files may be read whole
        """
        self._fit(X, y, sample_weight, self._epochs, target, in_memory)
        return self

    @available_if(steps_by_rows)  # type: ignore[untyped-decorator]
    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None, classes: Any = None) -> Self:
        """Learn from more rows: one epoch over them.

        Parameters
        ----------
        X : any table; sparse rows too
        y : one label a row, or a table of 0 and 1 with a column for each of several labels
        sample_weight : one weight a row
        classes : all classes that may ever come; needed in the first call
        """
        first = self._before is None
        self._learn_on(X, y, sample_weight, partial(self._one_epoch, classes))
        if first:
            self._origin = replace(self._origin, label_type=label_type(classes))
        return self

    def predict(self, X: Any, prior: Any = None, costs: Any = None, reject: Any = None, at_least: Any = None) -> Array:
        """The label of least expected cost for each row; of several labels, which it has (n, K), 0 or 1.

        Parameters
        ----------
        X, prior, costs, reject, at_least : as for every classifier with probabilities; several labels take X alone
        """
        model = self._state()[0].model
        if not isinstance(model, NetLabels):
            return super().predict(X, prior=prior, costs=costs, reject=reject, at_least=at_least)
        if any(wish is not None for wish in (prior, costs, reject, at_least)):
            model.prior  # noqa: B018  (refuses)
        return SeveralLabels.predict(self, X)

    def _adopt(self, fitted: FittedModel, origin: Any) -> Self:
        if isinstance(fitted.model, NetLabels):
            fitted = by_labels(fitted)
        adopted: Self = super()._adopt(fitted, origin)
        return adopted

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags

    def _plan(self) -> NetClassPlan:
        return NetClassPlan(self._owner)

    def _epochs(self, source: MemorySource, before: FittedModel | None) -> Found:
        known: Known = before.model if self.warm_start and before is not None else None
        targets = self._targets(source, None)
        alike = known is None or isinstance(known, NetLabels) == isinstance(targets, LabelTargets)
        if known is not None and not (alike and targets.classes == known.classes):
            was, now = label_array(known.classes), label_array(targets.classes)
            note = "warm_start can only be used where `y` has the same classes as in the previous call to fit."
            rule = f"of the classes of the last fit ({note} Previously got {was}, `y` has {now})"
            raise bad(self._owner, "y", rule, Said("others"), "Use warm_start=False.")
        return self._learned(source, targets, known, 0.0, once=False)

    def _one_epoch(self, classes: Any, source: MemorySource, before: FittedModel | None) -> Found:
        known: Known = None if before is None else before.model
        declared = declared_classes(self._owner, classes, None if known is None else known.classes)
        targets = self._targets(source, declared)
        return self._learned(source, targets, known, 0.0 if known is None else known.seen, once=True)

    def _targets(self, source: Any, declared: tuple[Any, ...] | None) -> AnyTargets:
        if isinstance(source, NetFile):
            return FileTargets.of(self._owner, source, declared)
        y = source.block(slice(0, source.table.n)).y
        if isinstance(y, Coded):
            return ClassTargets.of(self._owner, y, declared)
        return LabelTargets.of(self._owner, np.asarray(y), declared)

    def _learned(self, source: Any, targets: AnyTargets, known: Known, seen: Any, *, once: bool) -> Found:
        rows, weights = _rows_and_weights(source, targets)
        several, two = isinstance(targets, LabelTargets), len(targets.classes) <= 2
        before = None if known is None else (known.weights, known.record)
        stratify = rows.T.astype(bool) if two and not several and isinstance(rows, NetRows) else None
        output = "logistic" if two or several else "softmax"
        score = _all_right if several else _accuracy
        found = self._trained(rows, output, before, score, stratify, once=once)
        kind = NetLabels if several else NetClasses
        model = kind(found.net, targets.classes, seen + weights, found.record)
        return Found(model, found.record.epochs, found.settled)


def _rows_and_weights(source: Any, targets: AnyTargets) -> tuple[Any, Array]:
    """What the net learns from, and the weight of the rows of each class."""
    if isinstance(targets, FileTargets):
        units = 1 if len(targets.classes) <= 2 else len(targets.classes)
        return FileRows(source, targets.of_block, units, source.n), targets.seen
    block = source.block(slice(0, source.table.n))
    X = block.parts[0]
    return NetRows(X, targets.units(X.dtype), block.w), targets.weights(block.w)


def _all_right(net: NetWeights, rows: NetRows) -> float:
    """The share of rows all of whose labels are right; NaN where outputs are no numbers."""
    answers = net.outputs(rows.X)
    if not np.isfinite(answers).all():
        return float("nan")
    right: Array = ((answers > 0.5) == (rows.T > 0.5)).all(axis=1)
    return float(np.average(right, weights=rows.w if rows.w is not None and rows.w.any() else None))


def _accuracy(net: NetWeights, rows: NetRows) -> float:
    """The share of rows whose class is the likeliest; NaN where outputs are no numbers."""
    answers = net.outputs(rows.X)
    if not np.isfinite(answers).all():
        return float("nan")
    right: Array = (
        (answers[:, 0] > 0.5) == (rows.T[:, 0] > 0.5)
        if answers.shape[1] == 1
        else answers.argmax(axis=1) == rows.T.argmax(axis=1)
    )
    return float(np.average(right, weights=rows.w if rows.w is not None and rows.w.any() else None))
