"""How multilayer perceptrons are trained, whatever they answer: options read once, weights drawn, solver chosen."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.model_selection import train_test_split
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, Options, StrOptions

from suffice.core.block import Array
from suffice.core.errors import Said, bad, in_our_name
from suffice.estimators.algebras.in_memory import rows_in_memory
from suffice.estimators.boundary.doors import NumberRows
from suffice.estimators.boundary.opening import Opened
from suffice.estimators.design.coded_plan import CodedPlan
from suffice.estimators.design.coded_rows import coded_door
from suffice.estimators.design.missing_option import MISSING_RULE
from suffice.neural.activations import ACTIVATIONS
from suffice.neural.file_epochs import FileRows, rows_or_file
from suffice.neural.flat_weights import FlatWeights
from suffice.neural.gradient_descent import GradientDescent, NetDescent, NetRows, warn_unsettled
from suffice.neural.net_record import NetRecord
from suffice.neural.net_weights import NetWeights
from suffice.neural.optimizers import OptimizerOptions
from suffice.neural.quasi_newton import quasi_newton
from suffice.sources.engines.file_source import FileSource

ROWS = NumberRows({"accept_sparse": ["csr"], "dtype": [np.float64, np.float32]}, predicting={"accept_sparse": ["csr"]})
CONSTRAINTS: dict[str, Any] = {
    "hidden_layer_sizes": ["array-like", Interval(Integral, 1, None, closed="left")],
    "activation": [StrOptions(set(ACTIVATIONS))],
    "solver": [StrOptions({"lbfgs", "sgd", "adam"})],
    "alpha": [Interval(Real, 0, None, closed="left")],
    "batch_size": [StrOptions({"auto"}), Interval(Integral, 1, None, closed="left")],
    "learning_rate": [StrOptions({"constant", "invscaling", "adaptive"})],
    "learning_rate_init": [Interval(Real, 0, None, closed="neither")],
    "power_t": [Interval(Real, 0, None, closed="left")],
    "max_iter": [Interval(Integral, 1, None, closed="left")],
    "shuffle": ["boolean"],
    "random_state": ["random_state"],
    "tol": [Interval(Real, 0, None, closed="left")],
    "verbose": ["verbose"],
    "warm_start": ["boolean"],
    "momentum": [Interval(Real, 0, 1, closed="both")],
    "nesterovs_momentum": ["boolean"],
    "early_stopping": ["boolean"],
    "validation_fraction": [Interval(Real, 0, 1, closed="left")],
    "beta_1": [Interval(Real, 0, 1, closed="left")],
    "beta_2": [Interval(Real, 0, 1, closed="left")],
    "epsilon": [Interval(Real, 0, None, closed="neither")],
    "n_iter_no_change": [Interval(Integral, 1, None, closed="left"), Options(Real, {np.inf})],
    "max_fun": [Interval(Integral, 1, None, closed="left")],
    "missing": MISSING_RULE,
    "start": [Interval(Real, 0, None, closed="neither"), None],
}
Score = Callable[[NetWeights, NetRows], float]


class MLPTraining:
    """Reads the options of an estimator with scikit-learn's parameters, and trains."""

    _door = coded_door(ROWS)
    _not_saved: ClassVar[tuple[str, ...]] = ("random_state",)
    _epochs_read_files: ClassVar[bool] = True

    def _read_rows(self: Any, opened: Opened, in_memory: bool) -> tuple[Any, Any]:
        """Rows in memory; or files of any size, where steps are taken row by row."""
        files = isinstance(opened.source, FileSource) and opened.source.rereadable
        if in_memory or not files or self.solver == "lbfgs" or not isinstance(opened.plan, CodedPlan):
            return rows_in_memory(self, opened, in_memory)
        return rows_or_file(self, opened)

    def _trained(
        self: Any,
        rows: Any,
        output: str,
        before: tuple[NetWeights, NetRecord] | None,
        score: Score,
        stratify: Array | None,
        *,
        once: bool,
    ) -> NetDescent:
        """Train from random weights, or from where the last call ended."""
        rng = check_random_state(self.random_state)
        sizes = (rows.width, *self._hidden_sizes(), rows.targets)
        if before is None:
            start = None if self.start is None else float(self.start)
            parameters = FlatWeights.drawn(sizes, self.activation, output, self.loss, rows.kind, rng, start)
        else:
            parameters = FlatWeights.of(before[0], self.loss)
            self._check_sizes(sizes, parameters.sizes)
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            if self.solver == "lbfgs":
                found = quasi_newton(
                    self._owner,
                    parameters,
                    rows,
                    float(self.alpha),
                    max_iter=int(self.max_iter),
                    max_fun=int(self.max_fun),
                    tol=float(self.tol),
                )
            else:
                record = NetRecord() if before is None else before[1]
                found = self._descended(parameters, rows, rng, record, score, stratify, once)
        self._refuse_overflow(found.net)
        return found

    def _descended(
        self: Any,
        parameters: FlatWeights,
        rows: Any,
        rng: Any,
        record: NetRecord,
        score: Score,
        stratify: Array | None,
        once: bool,
    ) -> NetDescent:
        descent, judge = self._descent(), None
        if self.early_stopping and once:
            rule = "False with partial_fit (partial_fit does not support early_stopping=True)"
            raise bad(self._owner, "early_stopping", rule, True, "Use fit.")
        if self.early_stopping:
            rows, held = self._apart(rows, rng, stratify)
            judge = lambda net: score(net, held)  # noqa: E731
        found: NetDescent = descent.run(parameters, rows, rng, record, judge, once=once)
        if not found.settled and found.record.epochs == self.max_iter:
            warn_unsettled(self._owner, int(self.max_iter), 8)
        return found

    def _descent(self: Any) -> GradientDescent:
        return GradientDescent(
            self._owner,
            OptimizerOptions(
                self.solver,
                float(self.learning_rate_init),
                self.learning_rate,
                float(self.power_t),
                float(self.momentum),
                bool(self.nesterovs_momentum),
                float(self.beta_1),
                float(self.beta_2),
                float(self.epsilon),
            ),
            float(self.alpha),
            None if self.batch_size == "auto" else int(self.batch_size),
            bool(self.shuffle),
            int(self.max_iter),
            float(self.tol),
            float(self.n_iter_no_change),
            bool(self.verbose),
        )

    def _hidden_sizes(self: Any) -> tuple[int, ...]:
        given = self.hidden_layer_sizes
        sizes = np.atleast_1d(np.asarray(given))
        if sizes.ndim != 1 or (sizes.size and sizes.dtype.kind not in "iu") or (sizes <= 0).any():
            rule = "whole numbers of at least 1 (hidden_layer_sizes must be > 0)"
            raise bad(self._owner, "hidden_layer_sizes", rule, given, "Give the units of each hidden layer.")
        return tuple(sizes.tolist())

    def _check_sizes(self: Any, sizes: tuple[int, ...], before: tuple[int, ...]) -> None:
        if sizes != before:
            rule = f"layers of {before} units, as before"
            raise bad(self._owner, "the net", rule, Said(f"{sizes}"), "Begin with a new one, or with warm_start=False.")

    def _apart(self: Any, rows: Any, rng: Any, stratify: Array | None) -> tuple[Any, NetRows]:
        """Rows to learn from, and rows held out."""
        if isinstance(rows, FileRows):
            return rows.apart(self._owner, float(self.validation_fraction), rng)
        with in_our_name(self._owner):
            mine, held = train_test_split(
                np.arange(rows.n), random_state=rng, test_size=self.validation_fraction, stratify=stratify
            )
        if len(held) < 2:
            rule = "a share of at least 2 rows (The validation set is too small)"
            raise bad(self._owner, "validation_fraction", rule, self.validation_fraction, "Give more rows.")
        return rows.take(mine), rows.take(held)

    def _refuse_overflow(self: Any, net: NetWeights) -> None:
        if not all(np.isfinite(array).all() for array in (*net.coefs, *net.intercepts)):
            note = "Solver produced non-finite parameter weights. The input data may contain large values and need to"
            rule = f"finite ({note} be preprocessed.)"
            raise bad(self._owner, "the weights", rule, Said("infinity"), "Scale the columns, or lower the rate.")


def steps_by_rows(estimator: Any) -> bool:
    """Whether an estimator can go on with `partial_fit`."""
    if estimator.solver == "lbfgs":
        raise AttributeError(f"{estimator._owner}: partial_fit needs solver 'sgd' or 'adam', got 'lbfgs'.")
    return True
