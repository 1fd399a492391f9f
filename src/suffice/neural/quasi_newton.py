"""L-BFGS on all rows at once, by SciPy."""

from __future__ import annotations

import warnings

import numpy as np
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning

from suffice.neural.backpropagation import backpropagate
from suffice.neural.flat_weights import FlatWeights
from suffice.neural.gradient_descent import NetDescent, NetRows
from suffice.neural.net_record import NetRecord


def quasi_newton(
    owner: str, parameters: FlatWeights, rows: NetRows, alpha: float, *, max_iter: int, max_fun: int, tol: float
) -> NetDescent:
    """Train until the largest slope is below `tol`.

    Parameters
    ----------
    owner : who speaks in warnings
    parameters : weights to begin with
    rows : to learn from
    alpha : of the penalty
    max_iter, max_fun : most iterations, and most evaluations of the error
    tol : the slope to stop at
    """
    kind, losses = parameters.flat.dtype, []

    def error(flat: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> tuple[float, object]:
        gradient = np.empty_like(parameters.flat)
        value = backpropagate(parameters.at(flat.astype(kind, copy=False)), *rows, alpha, gradient)
        return value, gradient.astype(np.float64, copy=False)

    found = minimize(
        error,
        parameters.flat.astype(np.float64),
        method="L-BFGS-B",
        jac=True,
        callback=lambda intermediate_result: losses.append(float(intermediate_result.fun)),
        options={"maxfun": max_fun, "maxiter": max_iter, "gtol": tol},
    )
    if found.status == 1:
        told = f"{owner}: L-BFGS stopped before the error settled, after {found.nit} iterations ({found.message})."
        warnings.warn(f"{told} Raise max_iter or max_fun, or scale the columns.", ConvergenceWarning, stacklevel=7)
    record = NetRecord(
        epochs=min(int(found.nit), max_iter),
        rows=0,
        losses=np.array(losses),
        loss=float(found.fun),
        best_loss=float(found.fun),
    )
    return NetDescent(parameters.at(found.x.astype(kind, copy=False)).value(), record, found.status == 0)
