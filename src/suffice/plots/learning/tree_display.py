"""TreeDisplay: the nodes of a tree, with what leads from one to the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from suffice.core.errors import bad
from suffice.plots.canvas import canvas, need_matplotlib
from suffice.plots.display import Display
from suffice.plots.palette import FAINT, INK, colour
from suffice.trees.nodes import TreeNodes
from suffice.trees.tree_text import Wording, tree_layout


@dataclass(kw_only=True, eq=False, repr=False)
class TreeDisplay(Display):
    """A tree: leaves side by side, parents above them, conditions on the edges, answers in the nodes.

    Parameters
    ----------
    nodes : the nodes of a tree
    wording : names of columns, symbols and classes
    most : deepest level that is drawn; None: all

    Attributes
    ----------
    boxes_ : one text a node
    edges_ : one line a child
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice import Tree
    >>> from suffice.plots import TreeDisplay
    >>> tree = Tree().fit({"age": [20, 30, 60, 70]}, ["no", "no", "yes", "yes"])
    >>> len(TreeDisplay.from_estimator(tree, ax=Figure().subplots()).boxes_)
    3
    """

    nodes: TreeNodes
    wording: Wording
    most: int | None = None

    @classmethod
    def from_estimator(cls, estimator: Any, *, max_depth: int | None = None, ax: Any = None, **options: Any) -> Self:
        """Draw a fitted tree.

        Parameters
        ----------
        estimator : a fitted tree, or one from a file
        max_depth : deepest level that is drawn; None: all
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        nodes = getattr(estimator, "nodes_", None)
        if not isinstance(nodes, TreeNodes) or not hasattr(estimator, "wording"):
            raise bad(cls.__name__, "estimator", "a fitted tree of suffice", estimator, "Fit a tree first.")
        return cls(nodes=nodes, wording=estimator.wording(), most=max_depth).plot(ax=ax, **options)

    def plot(self, ax: Any = None, *, fontsize: float = 8.0) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        fontsize : of the texts
        """
        order, at = tree_layout(self.nodes)
        places = {node: (float(x), -float(y)) for node, (x, y) in zip(order, at, strict=True)}
        shown = [node for node in order if self.most is None or -places[node][1] <= self.most]
        classes = self.wording.classes is not None
        with canvas(self._owner, ax) as axes:
            self.boxes_, self.edges_ = [], []
            for node in shown:
                x, y = places[node]
                for child, kid in enumerate(self.nodes.kids(node).tolist()):
                    if kid not in shown:
                        continue
                    u, v = places[kid]
                    self.edges_ += axes.plot([x, u], [y, v], color=FAINT, zorder=1)
                    told = self.wording.edge(self.nodes, node, child)
                    axes.text((x + u) / 2, (y + v) / 2, told, ha="center", va="center", fontsize=fontsize, color=INK)
                ink = colour(int(self.wording.shares[node].argmax())) if classes else INK
                box = {"boxstyle": "round", "facecolor": "white", "edgecolor": ink}
                said = f"{self.wording.answer(node)}\n{self.nodes.weight[node]:.6g}"
                style = {"ha": "center", "va": "center", "fontsize": fontsize, "zorder": 3}
                self.boxes_.append(axes.text(x, y, said, bbox=box, **style))
            axes.margins(0.15)
            axes.set_axis_off()
            self._drawn(axes)
        return self
