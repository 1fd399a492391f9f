"""DendrogramDisplay: the merges of a tree, each a bracket at its height."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.clusters.hierarchies.merge_tree import MergeTree
from suffice.core.errors import Said, bad
from suffice.plots.canvas import canvas, need_matplotlib
from suffice.plots.display import Display
from suffice.plots.palette import FAINT, INK, colour


@dataclass(kw_only=True, eq=False, repr=False)
class DendrogramDisplay(Display):
    """A tree of clusters; merges below those they are made of (inversions) are drawn as they are, and told.

    Parameters
    ----------
    tree : the tree, such as `AgglomerativeClustering().fit(X).tree_`
    names : of the leaves; None for their numbers

    Attributes
    ----------
    lines_ : one bracket a merge
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.clusters import linkage_tree
    >>> from suffice.plots import DendrogramDisplay
    >>> tree = linkage_tree([[0.0], [1.0], [5.0]], "single")
    >>> len(DendrogramDisplay(tree=tree).plot(ax=Figure().subplots(), clusters=2).lines_)
    2
    """

    tree: MergeTree
    names: Sequence[Any] | None = None

    @classmethod
    def from_estimator(cls, estimator: Any, *, names: Any = None, ax: Any = None, **options: Any) -> Self:
        """Draw the tree of a fitted model.

        Parameters
        ----------
        estimator : a fitted model with `tree_`
        names : of the leaves
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        tree = getattr(estimator, "tree_", None)
        if not isinstance(tree, MergeTree):
            raise bad(cls.__name__, "estimator", "a fitted model with a tree of merges", estimator, "Fit it first.")
        return cls(tree=tree, names=names).plot(ax=ax, **options)

    def plot(self, ax: Any = None, *, clusters: int | None = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        clusters : brackets within each of so many clusters get its colour
        """
        n = self.tree.n
        names = [str(i) for i in range(n)] if self.names is None else [str(name) for name in self.names]
        if len(names) != n:
            raise bad(self._owner, "names", f"one a leaf ({n})", Said(str(len(names))), "Give one name a row.")
        label = None if clusters is None else self.tree.cut(clusters)
        x, y = self.tree.lines()
        with canvas(self._owner, ax) as axes:
            self.lines_ = []
            for i in range(len(x)):
                below: Any = [] if label is None else np.unique(label[self.tree.leaves(n + i)])
                ink = colour(int(below[0])) if len(below) == 1 else INK
                self.lines_ += axes.plot(x[i], y[i], color=ink)
            if clusters is not None and 1 < clusters < n:
                level = np.sort(self.tree.heights)
                axes.axhline(0.5 * (level[n - clusters - 1] + level[n - clusters]), color=FAINT, ls="--")
            order = self.tree.order()
            axes.set(xticks=range(n), xticklabels=[names[i] for i in order], ylabel="Height")
            if not self.tree.monotone:
                axes.set_title(f"{len(self.tree.inversions)} merges below their parts")
            self._drawn(axes)
        return self
