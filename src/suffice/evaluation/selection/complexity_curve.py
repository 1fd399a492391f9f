"""ComplexityCurve: training and test error against a parameter that makes a model more or less flexible."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.evaluation.resampling.replicas import read_table
from suffice.evaluation.scores.confusion import aligned
from suffice.evaluation.scores.losses import read_loss
from suffice.evaluation.selection.held_out_errors import HoldOutErrors, errors_of, random_splits

OWNER = "complexity_curve"


@dataclass(frozen=True, eq=False)
class ComplexityCurve:
    """The errors for each value of a parameter, over the same splits.

    Both errors high: the model is too stiff. Test error far above training error: it is too flexible.
    """

    parameter: str
    values: tuple[Any, ...]
    errors: tuple[HoldOutErrors, ...]

    @property
    def training(self) -> Array:
        """Mean training error of each value (V,)."""
        return np.array([one.training.mean() for one in self.errors])

    @property
    def test(self) -> Array:
        """Mean test error of each value (V,)."""
        return np.array([one.error for one in self.errors])

    @property
    def gap(self) -> Array:
        """Test minus training error of each value (V,)."""
        return self.test - self.training

    @property
    def best(self) -> Any:
        """The value of least test error, which for that is too low: see `smallest_of`."""
        return self.values[int(np.nanargmin(self.test))]

    def __str__(self) -> str:
        """A line for each value."""
        head = [self.parameter, "training", "test", "gap"]
        lines = [
            [str(v), *(f"{e:.4g}" for e in triple)]
            for v, *triple in zip(self.values, self.training, self.test, self.gap, strict=True)
        ]
        return aligned([head, *lines])

    __repr__ = __str__


def complexity_curve(
    estimator: Any,
    parameter: str,
    values: Iterable[Any],
    X: Any,
    y: Any,
    *,
    cv: Any = None,
    loss: str | None = None,
    groups: Any = None,
    sample_weight: Any = None,
) -> ComplexityCurve:
    """Training and test error for several values of a parameter.

    Parameters
    ----------
    estimator : a classifier or a regressor; it is not changed
    parameter : its name, as in `set_params`
    values : to try
    X, y, cv, loss, groups, sample_weight : as for `hold_out_errors`; all values meet the same splits

    >>> from suffice import PolynomialRegression
    >>> x = np.linspace(-1.0, 1.0, 40)[:, None]
    >>> y = np.sin(3.0 * x[:, 0]) + 0.1 * np.cos(50.0 * x[:, 0])
    >>> print(complexity_curve(PolynomialRegression(), "degree", (1, 3, 5), x, y))
    degree  training      test       gap
    1         0.1944    0.1703  -0.02405
    3        0.00819   0.01225  0.004063
    5       0.004844  0.007278  0.002434
    """
    tried = tuple(values) if isinstance(values, Iterable) and not isinstance(values, str) else ()
    if not tried:
        raise bad(OWNER, "values", "at least one value to try", values, "List them.")
    if parameter not in estimator.get_params():
        rule = f"a parameter of {type(estimator).__name__}"
        raise bad(OWNER, "parameter", rule, parameter, "See its get_params().")
    asked, table = read_loss(OWNER, loss, estimator), read_table(OWNER, X, y, sample_weight, estimator)
    splits = random_splits(OWNER, cv, table, groups, estimator)
    models = (clone(estimator).set_params(**{parameter: value}) for value in tried)
    return ComplexityCurve(parameter, tried, tuple(errors_of(model, table, splits, asked) for model in models))
