"""ModelImputer: missing cells from models of their columns, in rounds."""

from __future__ import annotations

import warnings
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import MetaEstimatorMixin, clone, is_regressor
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import HasMethods, Interval

from suffice.compose.held import Held, to_save
from suffice.compose.model_fill import ModelFill, ModelFillPlan
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.doors import NumberRows
from suffice.estimators.glue.memory_transformer import MemoryTransformer
from suffice.estimators.state.described import plain
from suffice.estimators.state.fitted import Found
from suffice.estimators.state.loaded import SavedModel
from suffice.linear import Ridge
from suffice.sources.engines.memory import MemorySource


class ModelImputer(MetaEstimatorMixin, MemoryTransformer):  # type: ignore[misc]
    """Fills the missing cells of a column with what a model predicts from the other columns, in rounds, in memory.

    Missing cells begin at the mean of their column. In each round every column with missing cells is predicted by a
    model of its present cells given the others, filled in as they are so far; rounds end when cells stand still. New
    rows go through the models of the last round in the same way, and a column that had no missing cell has one too.

    Parameters
    ----------
    estimator : any regressor; None: `Ridge()`
    max_iter : largest number of rounds
    tol : change of a cell, beside the size of its column's mean and 1, at which rounds end

    Attributes
    ----------
    estimators_ : the models, one a column
    n_iter_ : number of rounds
    n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import LinearRegression, ModelImputer
    >>> nan = float("nan")
    >>> imputer = ModelImputer(LinearRegression(), tol=1e-9).fit([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0], [4.0, nan]])
    >>> imputer.transform([[5.0, nan], [nan, 20.0]]).round(6).tolist()
    [[5.0, 10.0], [10.0, 20.0]]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
    }
    _door = NumberRows({"dtype": ["float64", "float32"], "ensure_all_finite": "allow-nan"})

    def __init__(self, estimator: Any = None, *, max_iter: int = 100, tol: float = 1e-3) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.estimator = estimator
        self.max_iter = max_iter
        self.tol = tol

    @property
    def estimators_(self) -> list[Any]:
        """The models, one a column."""
        return [held.live for held in self._state()[0].model.helds]

    @property
    def n_iter_(self) -> int:
        """Number of rounds."""
        return int(self._state()[0].state.passes)

    def _inner(self) -> Any:
        return Ridge() if self.estimator is None else self.estimator

    def _plan(self) -> ModelFillPlan:
        return ModelFillPlan(self._owner)

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        X = np.asarray(source.block(slice(0, source.table.n)).parts[0], dtype=np.float64)
        self._check(X, source.schema.names)
        gaps = np.isnan(X)
        start = np.nanmean(X, axis=0)
        out, spread = np.where(gaps, start, X), 1.0 + np.abs(start)
        some = np.argsort(gaps.sum(axis=0), kind="stable")
        some = some[np.asarray(gaps.any(axis=0))[some]]
        rounds, moved = 1, 0.0
        for rounds in range(1, int(self.max_iter) + 1):  # noqa: B007  (how many there were)
            before = out.copy()
            for j in some:
                model = self._learned(out, X[:, j], gaps[:, j], j)
                out[gaps[:, j], j] = model.predict(np.delete(out[gaps[:, j]], j, axis=1))
            moved = float(np.abs((out - before) / spread).max(initial=0.0))
            if moved <= self.tol:
                break
        if moved > self.tol:
            told = f"cells still moved by {moved:.3g} after {rounds} rounds. Raise max_iter or tol."
            warnings.warn(f"{self._owner}: {told}", ConvergenceWarning, stacklevel=4)
        helds = tuple(Held(self._learned(out, X[:, j], gaps[:, j], j)) for j in range(X.shape[1]))
        return Found(
            ModelFill(self._owner, start, helds, int(self.max_iter), float(self.tol)), rounds, moved <= self.tol
        )

    def _learned(self, out: Array, cells: Array, gaps: Array, j: int) -> Any:
        """A model of the present cells of a column, given the others."""
        return clone(self._inner()).fit(np.delete(out[~gaps], j, axis=1), cells[~gaps])

    def _check(self, X: Array, names: tuple[Any, ...]) -> None:
        if not is_regressor(self._inner()):
            raise bad(self._owner, "estimator", "a regressor", self._inner(), "Use Ridge().")
        if X.shape[1] < 2:
            rule = "at least two columns: one is predicted from others"
            raise bad(self._owner, "X", rule, Said(f"{X.shape[1]} feature(s)"), "Use ClassImputer or the mean.")
        absent = np.isnan(X).all(axis=0)
        if absent.any():
            came = Said(f"none in column {names[int(np.flatnonzero(absent)[0])]!r}")
            raise bad(self._owner, "a cell", "present in some row of every column", came, "Leave the column out.")

    def _saved(self) -> SavedModel:
        """What is held is written as its own file would be."""
        fitted = self._state()[0]
        kept = to_save(self._owner, fitted)
        state = replace(kept.state, passes=fitted.state.passes, settled=fitted.state.settled)
        return SavedModel(self._owner, replace(kept, state=state), self._origin, plain(self._parameters()))

    def _restore(self, value: SavedModel) -> Self:
        """Take on what a file held, models as estimators."""
        state = replace(value.fitted.state, model=value.fitted.model.holding(Held.restored))
        return super()._restore(replace(value, fitted=replace(value.fitted, state=state)))

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
