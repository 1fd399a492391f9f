"""ModelImputer: missing cells from models of their columns, in rounds."""

from __future__ import annotations

import warnings
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import MetaEstimatorMixin, clone, is_classifier, is_regressor
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import HasMethods, Interval

from suffice.bayes import GaussianNB
from suffice.compose.fill_rounds import HidingTables, fill_in_rounds
from suffice.compose.held import Held, to_save
from suffice.compose.model_fill import Labels, ModelFill, ModelFillPlan, coded_cells, read_labels, wide_limits
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.kinds import Kind
from suffice.core.schema import Schema
from suffice.estimators.boundary.distance_rows import refuse_far
from suffice.estimators.boundary.doors import AnyTable
from suffice.estimators.glue.memory_transformer import MemoryTransformer
from suffice.estimators.state.described import plain
from suffice.estimators.state.fitted import Found
from suffice.estimators.state.loaded import SavedModel
from suffice.linear import LogisticRegression, Ridge
from suffice.sources.engines.memory import MemorySource


class ModelImputer(MetaEstimatorMixin, MemoryTransformer):  # type: ignore[misc]
    """Fills the missing cells of a column with what a model predicts from the other columns, in rounds, in memory.

    Columns of symbols are predicted by a classifier, and are indicators to the models of others. Missing cells begin at
    the mean of their column, or at its most frequent symbol. In each round a model of every column with missing cells
    learns its present cells from the others, and fills; rounds end when cells stand still. The other cells from
    which a column is learned are filled without it: cells that it helped to fill would tell it, and its model would
    trust them too much. No number is filled further beyond the cells of its column than three times their range. New
    rows go through the models of the last round, and a column that had no missing cell has one too.
    In memory are the missing cells once for each column.

    Parameters
    ----------
    estimator : any regressor; None: `Ridge()`
    classifier : any classifier, for columns of symbols; None: `LogisticRegression()`
    kinds : mapping column -> kind, overriding what the column shows
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
    >>> ModelImputer().fit_transform([["a", 1.0], ["a", 1.1], ["b", 5.0], ["b", 5.2], [None, 4.9]])[-1].tolist()
    ['b', 4.9]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "classifier": [HasMethods(["fit", "predict"]), None],
        "kinds": "no_validation",
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
    }
    _door = AnyTable(allow_nan=True)

    def __init__(
        self,
        estimator: Any = None,
        *,
        classifier: Any = None,
        kinds: Any = None,
        max_iter: int = 100,
        tol: float = 1e-3,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.estimator = estimator
        self.classifier = classifier
        self.kinds = kinds
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
        return ModelFillPlan(self._owner, self.kinds)

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        block = source.block(slice(0, source.table.n))
        places, labels = read_labels(block, source.schema)
        X = coded_cells(block, labels)
        self._check(X, source.schema, places)
        gaps, start, limits = np.isnan(X), _start(X, labels), wide_limits(X)
        some = np.argsort(gaps.sum(axis=0), kind="stable")
        some, whole = (some[np.asarray(gaps.any(axis=0))[some] == lacks] for lacks in (True, False))

        def learn(given: Array, cells: Array, j: int) -> Any:
            inner = self._inner() if labels[j] is None else self._chooser(cells)
            return clone(inner).fit(given, cells)

        most, tol = int(self.max_iter), float(self.tol)
        models, rounds, moved = fill_in_rounds(HidingTables(X, start, some, labels, limits), learn, most, tol)
        if moved > tol:
            told = f"cells still moved by {moved:.3g} after {rounds} rounds. Raise max_iter or tol."
            warnings.warn(f"{self._owner}: {told}", ConvergenceWarning, stacklevel=4)
        models |= fill_in_rounds(HidingTables(X, start, whole, labels, limits), learn, most, tol, models)[0]
        helds = tuple(Held(models[j]) for j in range(X.shape[1]))
        return Found(ModelFill(self._owner, start, helds, most, tol, labels, places, limits), rounds, moved <= tol)

    def _chooser(self, codes: Array) -> Any:
        """The classifier; of one symbol there is nothing to learn but that it is there."""
        if len(np.unique(codes)) == 1:
            return GaussianNB(var_smoothing=1.0)
        return LogisticRegression() if self.classifier is None else self.classifier

    def _check(self, X: Array, schema: Schema, places: tuple[int, ...]) -> None:
        if not is_regressor(self._inner()):
            raise bad(self._owner, "estimator", "a regressor", self._inner(), "Use Ridge().")
        if self.classifier is not None and not is_classifier(self.classifier):
            raise bad(self._owner, "classifier", "a classifier", self.classifier, "Use LogisticRegression().")
        empty = [column.name for column in schema.columns if column.kind is Kind.UNKNOWN]
        absent = np.asarray(np.isnan(X).all(axis=0))
        empty += [schema.names[place] for place, gone in zip(places, absent, strict=True) if gone]
        if empty:
            came = Said(f"none in column {empty[0]!r}")
            raise bad(self._owner, "a cell", "present in some row of every column", came, "Leave the column out.")
        refuse_far(self._owner, X, [schema.names[place] for place in places])
        if X.shape[1] < 2:
            rule = "at least two columns: one is predicted from others"
            raise bad(self._owner, "X", rule, Said(f"{X.shape[1]} feature(s)"), "Use ClassImputer or the mean.")

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
        tags.input_tags.sparse = False
        tags.input_tags.string = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _start(X: Array, labels: tuple[Labels, ...]) -> Array:
    """Means of numbers, codes of the most frequent symbols (d,)."""
    found = np.empty(X.shape[1])
    for j, own in enumerate(labels):
        cells = X[~np.isnan(X[:, j]), j]
        found[j] = cells.mean() if own is None else np.bincount(cells.astype(np.intp)).argmax()
    return found
