"""What fitted imputers tell: the same for estimators and for loaded models. No scikit-learn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad


class Filled(NamedTuple):
    """How many cells of a column are filled, and by what."""

    column: Any
    cells: int
    by: str


class FillReport(tuple[Filled, ...]):
    """One line a column that has missing cells."""

    def __str__(self) -> str:
        """As a table."""
        if not self:
            return "no cell is missing"
        width = max(len("column"), *(len(str(line.column)) for line in self))
        lines = [
            f"{'column':<{width}}   cells  filled by",
            *(f"{f.column!s:<{width}}  {f.cells:>6}  {f.by}" for f in self),
        ]
        return "\n".join(lines)


class NormalFillReadings:
    """Mean, covariance, draws and a report."""

    @property
    def mean_(self: Any) -> Array:
        """Mean of each column (d,), of the distribution under which what was observed is most probable."""
        return np.asarray(self._state()[0].model.normals.mean.value[0])

    @property
    def covariance_(self: Any) -> Array:
        """Its covariance (d, d)."""
        return np.asarray(self._state()[0].model.normals.covariance[0])

    @property
    def n_missing_(self: Any) -> Array:
        """How many cells of each column the rows lacked (d,)."""
        return np.asarray(self._state()[0].model.missing)

    def draw(self: Any, X: Any, m: int = 20, random_state: Any = None, burn_in: int = 50) -> Iterator[Array]:
        """m tables (n, d) with missing cells drawn: proper multiple imputation.

        Each has parameters of its own, drawn from their posterior given the rows learned from, and cells drawn given
        these. Analyse each, and put the answers together by `pool`.

        Parameters
        ----------
        X : table
        m : number of tables
        random_state : seed
        burn_in : rounds of data augmentation before the first draw
        """
        if not (isinstance(m, (int, np.integer)) and m >= 1):
            raise bad(self._owner, "m", "a whole number of at least 1", m, "Twenty are enough for most intervals.")
        if not (isinstance(burn_in, (int, np.integer)) and burn_in >= 20):
            raise bad(
                self._owner, "burn_in", "a whole number of at least 20", burn_in, "The more is missing, the more."
            )
        state, X = self._state(X)
        cells = np.asarray(state.block(X).parts[0], dtype=np.float64)
        return islice(state.model.draws(cells, np.random.default_rng(random_state), int(burn_in)), int(m))

    def report(self: Any, X: Any) -> FillReport:
        """How many cells of which column `transform` fills, and by what.

        Parameters
        ----------
        X : table
        """
        return _told(self, X, "its expectation given the other cells of the row")


class ClassFillReadings:
    """Centres of the classes, and a report."""

    @property
    def centres_(self: Any) -> Array:
        """Centre of each class and column (K, d)."""
        return np.asarray(self._state()[0].model.centres)

    @property
    def classes_(self: Any) -> Array:
        """The labels, in the order of `centres_`."""
        return np.asarray(self._origin.classes(self._state()[0].model.labels))

    def report(self: Any, X: Any) -> FillReport:
        """How many cells of which column `transform` fills, and by what.

        Parameters
        ----------
        X : table
        """
        return _told(self, X, f"the {self._state()[0].plan.centre}s of the classes, as probable as they are")


class ColumnFillReadings:
    """The value of each column, and a report."""

    @property
    def statistics_(self: Any) -> Array:
        """What fills each column (d,); NaN where it had no cell."""
        model = self._state()[0].model
        values = [np.nan if value is None else value for value in model.values]
        symbols = any(not isinstance(value, float) for value in values)
        return np.array(values, dtype=object if symbols else np.float64)

    def report(self: Any, X: Any) -> FillReport:
        """How many cells of which column `transform` fills, and by what.

        Parameters
        ----------
        X : table
        """
        state, X = self._state(X)
        model = state.model
        gaps = model.gaps(state.block(X))
        names = state.schema.names
        how = model.plan.how
        return FillReport(Filled(names[j], n, how.told(model.values[j])) for j, n in sorted(gaps.items()) if n)


class NearestFillReadings:
    """A report."""

    def report(self: Any, X: Any) -> FillReport:
        """How many cells of which column `transform` fills, and by what.

        Parameters
        ----------
        X : table
        """
        return _told(self, X, f"the mean of its {self._state()[0].model.k} nearest rows")


def _told(holder: Any, X: Any, by: str) -> FillReport:
    state, X = holder._state(X)
    cells = np.asarray(state.block(X).parts[0], dtype=np.float64)
    lacks = getattr(state.model, "lacks", None)  # where a number means missing
    lacking = np.isnan(cells if lacks is None else lacks(cells)).sum(axis=0)
    return FillReport(Filled(name, int(n), by) for name, n in zip(state.schema.names, lacking, strict=True) if n)
