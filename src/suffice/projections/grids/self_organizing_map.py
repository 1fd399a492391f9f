"""SelfOrganizingMap: a grid of units that learn to stand for near rows where they are near."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.core.errors import bad
from suffice.core.learner import Source, iterate
from suffice.core.schema import Schema
from suffice.estimators.algebras.gathering import gathered
from suffice.estimators.boundary.distance_rows import DistanceRows
from suffice.estimators.glue.passes_transformer import PassesTransformer
from suffice.estimators.state.fitted import FittedModel, Found, Plan
from suffice.projections.grids.batch_map import BatchMap
from suffice.projections.grids.grid_model import GridModel, GridPlan, GridReadings
from suffice.projections.grids.grid_start import start
from suffice.projections.grids.online_map import train_online, visits
from suffice.projections.grids.unit_grid import UnitGrid
from suffice.sources.engines.memory import MemorySource


class SelfOrganizingMap(GridReadings, PassesTransformer):
    """Kohonen's map: a picture of rows on a grid, in passes over the rows or row after row.

    `predict` says the best matching unit of each row, `transform` its place on the grid, `distance_map` how far units
    are from their neighbours: borders between groups are where that is large.

    Parameters
    ----------
    rows, columns : of the grid
    topology : "rectangular" or "hexagonal"
    rule : "batch", in passes over rows in memory or in files; "online", row after row, in memory
    epochs : number of passes
    steps : rows visited by the online rule; None is epochs times the rows
    learning_rate : of the online rule, falling to 0
    sigma : width of the neighbourhood at the beginning; None is half the longer side
    init : "plane", units on the principal plane; "rows", at rows drawn by the seed; "random"
    random_state : seed
    threads : number of threads; None takes all processors

    Attributes
    ----------
    weights_, n_iter_

    Examples
    --------
    >>> from suffice import SelfOrganizingMap
    >>> colours = np.array([[0, 0, 0], [0, 0, 1], [1, 0, 0], [1, 1, 1.0]])
    >>> som = SelfOrganizingMap(4, 4).fit(colours)
    >>> len(set(som.predict(colours).tolist())), som.distance_map().shape
    (4, (4, 4))

    References
    ----------
    T. Kohonen, Self-organizing maps (2001).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "rows": [Interval(Integral, 1, None, closed="left")],
        "columns": [Interval(Integral, 1, None, closed="left")],
        "topology": [StrOptions({"rectangular", "hexagonal"})],
        "rule": [StrOptions({"batch", "online"})],
        "epochs": [Interval(Integral, 1, None, closed="left")],
        "steps": [Interval(Integral, 1, None, closed="left"), None],
        "learning_rate": [Interval(Real, 0, 1, closed="right")],
        "sigma": [Interval(Real, 0, None, closed="neither"), None],
        "init": [StrOptions({"plane", "rows", "random"})],
        "random_state": [Interval(Integral, 0, None, closed="left"), None],
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }
    _door = DistanceRows({"dtype": ["float64", "float32"]})

    def __init__(
        self,
        rows: int = 6,
        columns: int = 8,
        *,
        topology: str = "rectangular",
        rule: str = "batch",
        epochs: int = 20,
        steps: int | None = None,
        learning_rate: float = 0.5,
        sigma: float | None = None,
        init: str = "plane",
        random_state: int | None = None,
        threads: int | None = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.rows = rows
        self.columns = columns
        self.topology = topology
        self.rule = rule
        self.epochs = epochs
        self.steps = steps
        self.learning_rate = learning_rate
        self.sigma = sigma
        self.init = init
        self.random_state = random_state
        self.threads = threads

    def _plan(self) -> GridPlan:
        if self.rows * self.columns < 2:
            raise bad(self._owner, "rows times columns", "at least 2", self.rows * self.columns, "Use a larger grid.")
        return GridPlan(self._owner)

    def _pass_over(self, plan: Plan, source: Source, before: FittedModel | None) -> tuple[Schema, Found]:
        """One pass to begin, then one an epoch; or row after row."""
        grid = UnitGrid(int(self.rows), int(self.columns), self.topology)
        if self.rule == "online" and not isinstance(source, MemorySource):
            source = gathered(self._owner, source, self.threads)
        schema, weights = start(self._owner, source, grid, self.init, int(self.random_state or 0))
        source = source.read_as(schema)
        sigma = max(grid.rows, grid.columns) / 2.0 if self.sigma is None else float(self.sigma)
        if self.rule == "online":
            assert isinstance(source, MemorySource)
            return schema, self._row_after_row(source, grid, weights, sigma)
        last = min(sigma, 0.5)  # the width falls by the same factor each epoch
        widths = tuple((sigma * (last / sigma) ** (e / max(self.epochs - 1, 1))) for e in range(self.epochs))
        done = iterate(BatchMap(widths), source, GridModel(grid, weights), max_iter=int(self.epochs), tol=0.0)
        return schema, Found(done.model, done.passes + 1)

    def _row_after_row(self, source: MemorySource, grid: UnitGrid, weights: Any, sigma: float) -> Found:
        block = source.block(slice(0, source.table.n))
        X, rng = np.asarray(block.parts[0], dtype=np.float64), np.random.default_rng(int(self.random_state or 0))
        steps = int(self.steps or self.epochs * len(X))
        order = visits(len(X), block.w, steps, rng)
        centre = X.mean(axis=0)  # far from 0, differences of rows would lose digits
        W = train_online(
            X - centre, order, np.ascontiguousarray(weights - centre), grid, float(self.learning_rate), sigma
        )
        return Found(GridModel(grid, W + centre, -(-steps // len(X))), 1)
