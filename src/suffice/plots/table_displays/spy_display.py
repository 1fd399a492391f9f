"""SpyDisplay: which cells of a sparse table are not 0, such as the words of documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import scipy.sparse as sp

from suffice.core.block import Array
from suffice.core.by_class import canonical
from suffice.core.errors import Said, bad
from suffice.plots.canvas import canvas, need_matplotlib
from suffice.plots.display import Display
from suffice.plots.palette import FAINT, INK
from suffice.sources.tables.labels import code_labels


@dataclass(kw_only=True, eq=False, repr=False)
class SpyDisplay(Display):
    """A point for each cell that is not 0; rows of a class stand together where labels are given.

    Parameters
    ----------
    rows, columns : (m,) places of the cells
    shape : of the table
    limits : rows at which the next class begins
    labels : names of the classes

    Attributes
    ----------
    points_ : the cells
    limits_ : lines between the classes
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.plots import SpyDisplay
    >>> display = SpyDisplay.from_rows([[1, 0], [0, 2], [3, 0]], ["b", "a", "b"], ax=Figure().subplots())
    >>> display.points_.get_xdata().tolist(), display.points_.get_ydata().tolist()
    ([1, 0, 0], [0, 1, 2])
    """

    rows: Array
    columns: Array
    shape: tuple[int, int]
    limits: tuple[int, ...] = ()
    labels: tuple[Any, ...] = ()

    @classmethod
    def from_rows(cls, X: Any, y: Any = None, *, ax: Any = None, **options: Any) -> Self:
        """Find the cells, and draw.

        Parameters
        ----------
        X : sparse matrix, or table of numbers
        y : one label a row: rows are put in the order of their classes; None: they stay as they are
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        owner = cls.__name__
        need_matplotlib(owner)
        table = sp.csr_array(X if sp.issparse(X) else np.asarray(X))
        if 0 in table.shape:
            raise bad(
                owner, "X", "a table with rows and columns", Said(f"shape {table.shape}"), "Give it something to draw."
            )
        if y is None:
            cells = table.tocoo()
            return cls(rows=cells.row, columns=cells.col, shape=table.shape).plot(ax=ax, **options)
        labels, codes = _classes(owner, y, table.shape[0])
        order = np.argsort(codes, kind="stable")
        cells = table[order].tocoo()
        limits = tuple(np.cumsum(np.bincount(codes, minlength=len(labels)))[:-1].tolist())
        display = cls(rows=cells.row, columns=cells.col, shape=table.shape, limits=limits, labels=labels)
        return display.plot(ax=ax, **options)

    def plot(self, ax: Any = None, *, markersize: float | None = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        markersize : of a cell; None: the smaller, the more rows and columns there are
        """
        n, d = self.shape
        size = float(np.clip(250.0 / max(n, d, 1), 0.5, 8.0)) if markersize is None else markersize
        with canvas(self._owner, ax) as axes:
            (self.points_,) = axes.plot(self.columns, self.rows, ls="", marker="s", ms=size, color=INK, mew=0)
            self.limits_ = [axes.axhline(limit - 0.5, color=FAINT, lw=1.0) for limit in self.limits]
            axes.set(xlabel=f"Columns ({d})", ylabel=f"Rows ({n})", xlim=(-0.5, d - 0.5), ylim=(n - 0.5, -0.5))
            share = len(self.rows) / max(n * d, 1)
            axes.set_title(f"{len(self.rows)} cells not 0 ({100 * share:.2g} %)", fontsize=10)
            starts = [0, *self.limits, n]
            for label, a, b in zip(self.labels, starts[:-1], starts[1:], strict=False):
                axes.text(d - 0.5, (a + b - 1) / 2, f" {label}", va="center", ha="left")
            self._drawn(axes)
        return self


def _classes(owner: str, y: Any, n: int) -> tuple[tuple[Any, ...], Array]:
    """Labels in order, and the number of that of each row."""
    coded = code_labels(y)
    if len(coded.codes) != n:
        raise bad(owner, "y", f"one label for each of the {n} rows", Said(str(len(coded.codes))))
    labels = canonical(coded.labels[0])
    return labels, np.array([labels.index(label) for label in coded.labels[0]])[coded.codes[:, 0]]
