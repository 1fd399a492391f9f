"""Trees as text, as rules and as a picture in SVG. No scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.trees.conditions import edge_condition, merged, path_conditions
from suffice.trees.nodes import TreeNodes


@dataclass(frozen=True)
class Wording:
    """How columns, symbols and answers of a tree are called."""

    names: Sequence[Any]
    words: Mapping[int, Sequence[Any]]
    classes: Sequence[Any] | None  # None: numbers
    shares: Array  # (M, V)
    edges: tuple[int, ...] | None = None  # where the classes of each of several outputs begin

    def answer(self, node: int) -> str:
        """What a node says."""
        if self.classes is None:
            return ", ".join(f"{v:.6g}" for v in self.shares[node])
        if self.edges is None:
            return _likeliest(self.classes, self.shares[node])
        outputs = zip(self.classes, pairwise(self.edges), strict=True)
        return ", ".join(_likeliest(classes, self.shares[node, a:b]) for classes, (a, b) in outputs)

    def edge(self, nodes: TreeNodes, node: int, child: int) -> str:
        """What leads to a child."""
        return edge_condition(nodes, node, child).text(self.names, self.words)


def _likeliest(classes: Sequence[Any], shares: Array) -> str:
    best = int(shares.argmax())
    return f"{classes[best]} ({shares[best]:.3g})"


def tree_text(nodes: TreeNodes, wording: Wording, tree: int = 0) -> str:
    """One line a node, indented by depth."""
    lines: list[str] = []

    def show(node: int, before: str) -> None:
        for child, kid in enumerate(nodes.kids(node).tolist()):
            told = f"{before}{wording.edge(nodes, node, child)}"
            if nodes.width[kid]:
                lines.append(told)
                show(kid, before + "|   ")
            else:
                lines.append(f"{told}: {wording.answer(kid)}, weight {nodes.weight[kid]:.6g}")

    root = int(nodes.roots[tree])
    if not nodes.width[root]:
        return f"{wording.answer(root)}, weight {nodes.weight[root]:.6g}"
    show(root, "")
    return "\n".join(lines)


def tree_rules(nodes: TreeNodes, wording: Wording, tree: int = 0) -> list[str]:
    """One sentence a leaf."""
    told = []
    leaves = [leaf for leaf in nodes.leaves.tolist() if _root(nodes, leaf) == nodes.roots[tree]]
    for leaf in leaves:
        path = [leaf]
        while nodes.parent[path[-1]] >= 0:
            path.append(int(nodes.parent[path[-1]]))
        conditions = merged(path_conditions(nodes, path[::-1]))
        reasons = " and ".join(c.text(wording.names, wording.words) for c in conditions)
        told.append(f"{f'if {reasons} then ' if reasons else 'always '}{wording.answer(leaf)}")
    return told


def _root(nodes: TreeNodes, node: int) -> int:
    while nodes.parent[node] >= 0:
        node = int(nodes.parent[node])
    return node


def tree_layout(nodes: TreeNodes, tree: int = 0) -> tuple[list[int], Array]:
    """Nodes of a tree and where they stand (m, 2): leaves side by side, parents above the middle of their children."""
    order: list[int] = []
    place: dict[int, tuple[float, float]] = {}
    used = 0.0
    stack: list[tuple[int, int, bool]] = [(int(nodes.roots[tree]), 0, False)]
    while stack:
        node, depth, done = stack.pop()
        kids = nodes.kids(node).tolist()
        if not kids:
            place[node], used = (used, depth), used + 1.0
            order.append(node)
        elif done:
            place[node] = (float(np.mean([place[kid][0] for kid in kids])), depth)
            order.append(node)
        else:
            stack.append((node, depth, True))
            stack += [(kid, depth + 1, False) for kid in kids[::-1]]
    return order, np.array([place[node] for node in order])


def tree_svg(nodes: TreeNodes, wording: Wording, tree: int = 0) -> str:
    """The tree as an SVG picture; every name is escaped."""
    order, at = tree_layout(nodes, tree)
    xy = dict(zip(order, at * np.array([150.0, 80.0]) + np.array([80.0, 30.0]), strict=True))
    width, height = at[:, 0].max() * 150 + 160, at[:, 1].max() * 80 + 70
    lines, boxes = [], []
    for node in order:
        x, y = xy[node]
        kids = nodes.kids(node).tolist()
        for child, kid in enumerate(kids):
            u, v = xy[kid]
            said = escape(wording.edge(nodes, node, child))
            lines.append(f'<line x1="{x:.0f}" y1="{y:.0f}" x2="{u:.0f}" y2="{v:.0f}" stroke="#888"/>')
            boxes.append(f'<text x="{(x + u) / 2:.0f}" y="{(y + v) / 2 + 4:.0f}" class="edge">{said}</text>')
        label = escape(wording.answer(node))
        fill = "#fff" if kids else "#dbe9f6"
        boxes.append(
            f'<rect x="{x - 55:.0f}" y="{y - 12:.0f}" width="110" height="24" rx="6" fill="{fill}" class="n"/>'
        )
        boxes.append(f'<text x="{x:.0f}" y="{y + 4:.0f}">{label}</text>')
    style = "text{font:11px sans-serif;text-anchor:middle}.edge{fill:#555;font-size:10px}.n{stroke:#456}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}"'
    return f'{head} viewBox="0 0 {width:.0f} {height:.0f}"><style>{style}</style>{"".join(lines + boxes)}</svg>'
