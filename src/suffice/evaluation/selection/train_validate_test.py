"""Choice by rows held out: fit on a part, choose by another, and estimate the error on a third that had no say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.evaluation.resampling.replicas import read_table
from suffice.evaluation.scores.estimate import Estimate
from suffice.evaluation.scores.losses import read_loss
from suffice.evaluation.selection.held_out_errors import error_on, fit_part
from suffice.evaluation.selection.parameter_grid import _candidates
from suffice.evaluation.selection.row_parts import random_parts

OWNER = "train_validate_test"


@dataclass(frozen=True, eq=False)
class Validation:
    """The candidates with their errors, the chosen one, and its error on rows that neither taught nor chose."""

    candidates: tuple[Mapping[str, Any], ...]
    training: Array  # (C,) error on the rows learned from
    validation: Array  # (C,) error on the rows chosen by; that of the chosen one is too low
    best: int
    estimator: Any  # the chosen one, as it was fitted to the training rows
    error: Estimate  # its error on the test rows: unbiased
    parts: tuple[Array, Array, Array]  # row numbers: training, validation, test
    loss: str

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The chosen ones."""
        return self.candidates[self.best]

    def __str__(self) -> str:
        """A line for each candidate, and the test error."""
        lines = [
            f"{'>' if i == self.best else ' '} {a:.6g}  {b:.6g}  {dict(one)}"
            for i, (a, b, one) in enumerate(zip(self.training, self.validation, self.candidates, strict=True))
        ]
        sizes = " / ".join(str(len(part)) for part in self.parts)
        return "\n".join([f"{self.loss}, training and validation, {sizes} rows", *lines, f"test {self.error}"])

    __repr__ = __str__


def train_validate_test(
    estimator: Any,
    grid: Mapping[str, Sequence[Any]] | Iterable[Mapping[str, Any]],
    X: Any,
    y: Any,
    *,
    parts: Any = (0.5, 0.25, 0.25),
    loss: str | None = None,
    sample_weight: Any = None,
    random_state: Any = 0,
) -> Validation:
    """Fit every candidate on training rows, keep the one of least validation error, and test it on rows of their own.

    Parameters
    ----------
    estimator : a classifier or a regressor; it is not changed
    grid : parameter -> values, of which all combinations are tried, or the candidates one by one; {} is the estimator
    X, y : the rows
    parts : shares or numbers of rows for training, validation and test; or three lists of row numbers
    loss : as for `out_of_bag_error`
    sample_weight : one weight a row
    random_state : a seed for the parts

    >>> from suffice import PolynomialRegression
    >>> x = np.linspace(-1.0, 1.0, 40)[:, None]
    >>> y = np.sin(3.0 * x[:, 0]) + 0.1 * np.cos(50.0 * x[:, 0])
    >>> print(train_validate_test(PolynomialRegression(), {"degree": [1, 3, 5]}, x, y))
    squared_error, training and validation, 20 / 10 / 10 rows
      0.178979  0.209826  {'degree': 1}
      0.00626537  0.00560794  {'degree': 3}
    > 0.00537018  0.0034654  {'degree': 5}
    test 0.0108 (0.0041 to 0.0174)
    """
    candidates, asked = _candidates(grid, OWNER), read_loss(OWNER, loss, estimator)
    table = read_table(OWNER, X, y, sample_weight, estimator)
    train, validate, test = _parts(parts, table.n, random_state)
    models = [fit_part(clone(estimator).set_params(**one), table, train) for one in candidates]
    training, validation = (
        np.array([error_on(model, table, part, asked).value for model in models]) for part in (train, validate)
    )
    if np.isnan(validation).all():
        raise bad(OWNER, "parts", "such that validation rows weigh something", Said("none that do"))
    best = int(np.nanargmin(validation))
    error = error_on(models[best], table, test, asked)
    found = (train, validate, test)
    return Validation(candidates, training, validation, best, models[best], error, found, asked.name)


def _parts(parts: Any, n: int, random_state: Any) -> tuple[Array, Array, Array]:
    rule = "three: for training, validation and test"
    if not isinstance(parts, (tuple, list)) or len(parts) != 3:
        raise bad(OWNER, "parts", rule, parts, "Give shares, numbers of rows, or row numbers.")
    if np.ndim(parts[0]) == 0:
        a, b, c = random_parts(n, parts, random_state)
        return a, b, c
    a, b, c = (np.asarray(part, dtype=np.intp) for part in parts)
    rows = np.concatenate([a, b, c])
    if len(np.unique(rows)) < len(rows) or not all(map(len, (a, b, c))) or rows.min() < 0 or rows.max() >= n:
        raise bad(OWNER, "parts", "disjoint lists of row numbers, none empty", Said("other ones"), "Use no row twice.")
    return a, b, c
