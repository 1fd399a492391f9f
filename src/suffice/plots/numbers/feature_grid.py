"""FeatureGrid: all pairs of values of two features, over the range of some rows, at which a model is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.decision.decide.read_wishes import as_real
from suffice.plots.numbers.number_columns import NumberColumns, read_columns

AROUND = 0.1  # of the range of a feature is added at each end


class FeatureGrid(NamedTuple):
    """Two features: the values of each at which a model is asked, and the rows whose range they cover.

    >>> grid = FeatureGrid.of("me", [[0.0, 10.0], [1.0, 30.0]], 3, eps=1.0)
    >>> grid.x, grid.y
    (array([-1. ,  0.5,  2. ]), array([ 9., 20., 31.]))
    >>> grid.ask(lambda X: X[:, 0] + X[:, 1])[0]
    array([ 8. ,  9.5, 11. ])
    """

    x: Array  # (g,) values of the first feature
    y: Array  # (g,) values of the second
    columns: NumberColumns  # the rows

    @classmethod
    def of(cls, owner: object, X: Any, resolution: Any = 100, eps: Any = None) -> FeatureGrid:
        """The grid over the range of some rows.

        Parameters
        ----------
        owner : who asks, for the messages
        X : table of two features
        resolution : number of values of each feature
        eps : how far the grid goes beyond the rows, in the unit of the features; None: a tenth of the range of each
        """
        columns = read_columns(owner, X, 2)
        if isinstance(resolution, bool) or not isinstance(resolution, int | np.integer) or resolution < 2:
            raise bad(owner, "grid_resolution", "a whole number of at least 2", resolution)
        beyond = None if eps is None else as_real(owner, "eps", "None or a finite number of at least 0", eps)
        if beyond is not None and beyond < 0.0:
            raise bad(owner, "eps", "None or a finite number of at least 0", eps)
        x, y = (np.linspace(*_ends(owner, column, beyond), int(resolution)) for column in columns.values.T)
        return cls(x, y, columns)

    @property
    def pair(self) -> tuple[str, str]:
        """The names of the two features."""
        return self.columns.names[0], self.columns.names[1]

    @property
    def table(self) -> Any:
        """All points, the first feature running fastest, as a table like that of the rows."""
        across, up = np.meshgrid(self.x, self.y)
        return self.columns.make(np.column_stack([across.ravel(), up.ravel()]))

    def ask(self, answer: Callable[[Any], Any]) -> Array:
        """What a model says at each point, (second feature, first feature, ...)."""
        said = np.asarray(answer(self.table))
        return said.reshape(len(self.y), len(self.x), *said.shape[1:])


def _ends(owner: object, column: Array, beyond: float | None) -> tuple[float, float]:
    """The range of a column and a little more; one value has a unit around it."""
    seen = column[np.isfinite(column)]
    if not len(seen):
        raise bad(owner, "X", "of at least one finite number in each column", column.tolist())
    low, high = float(seen.min()), float(seen.max())
    more = beyond if beyond is not None else AROUND * (high - low)
    more = more if high - low + more > 0.0 else max(1.0, abs(low) * 1e-6)
    return low - more, high + more
