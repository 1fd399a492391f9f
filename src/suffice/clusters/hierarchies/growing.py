"""From options to a tree with a cut: what clusterings of rows and of columns share."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.clusters.hierarchies.graph_merging import EDGE_RULES, completed, graph_merges, read_graph
from suffice.clusters.hierarchies.link_constraints import LinkConstraints
from suffice.clusters.hierarchies.linkages import LINKAGES
from suffice.clusters.hierarchies.merge_tree import MergeTree
from suffice.clusters.hierarchies.merging import (
    _levels,
    _nearest_pairs_in_order,
    nearest_pair_merges,
    read_rows,
    refuse_many,
    start_distances,
    tree_of,
)
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.spaces.distances.distance import refuse_unknown
from suffice.spaces.distances.mixed_kinds import MixedDistance
from suffice.spaces.distances.named_distances import as_distance


class Grown(NamedTuple):
    """A tree, a cut, and the components of the graph it grew along."""

    tree: MergeTree
    labels: Array
    components: int


def grow(options: Any, X: Array, size: Array, by_kind: MixedDistance | None = None) -> Grown:
    """A tree of the rows by the options of an estimator, and its cut; `by_kind` goes before their metric."""
    metric = options.metric if by_kind is None else "mixed"
    _check(options, metric)
    if by_kind is not None:
        refuse_many(options._owner, len(X))
        X, metric = refuse_unknown(options._owner, by_kind.between(X)), "precomputed"
    given = isinstance(metric, str) and metric == "precomputed"
    X = read_rows(options._owner, X, given)
    if options.n_clusters is not None and options.n_clusters > len(X):
        told = f"Cannot extract more clusters than samples: {options.n_clusters} clusters were given"
        rule = f"at most the number of rows ({told} for a tree with {len(X)} leaves.)"
        raise bad(options._owner, "n_clusters", rule, options.n_clusters, "Lower it.")
    tree, components = _tree(options, X, size, metric)
    return Grown(tree, _cut(options, tree), components)


def _check(options: Any, metric: Any) -> None:
    owner = options._owner
    if (options.n_clusters is None) == (options.distance_threshold is None):
        rule = "given, or distance_threshold (Exactly one of n_clusters and distance_threshold has to be set)"
        raise bad(owner, "n_clusters", rule, options.n_clusters, "Leave the other None.")
    if options.distance_threshold is not None and not options.compute_full_tree:
        rule = "true where distance_threshold is given (compute_full_tree must be True if distance_threshold is set)"
        raise bad(owner, "compute_full_tree", rule, options.compute_full_tree, "Leave it auto.")
    euclidean = isinstance(metric, str) and metric in ("euclidean", "l2")
    if options.linkage == "ward" and not euclidean:
        rule = f"euclidean or l2 for Ward's linkage ({metric} was provided as metric)"
        raise bad(owner, "metric", rule, metric, "Choose another linkage.")


def _tree(options: Any, X: Array, size: Array, metric: Any) -> tuple[MergeTree, int]:
    must, cannot = getattr(options, "must_link", None), getattr(options, "cannot_link", None)
    if options.connectivity is not None:
        if must is not None or cannot is not None:
            rule = "None where must_link or cannot_link is given"
            raise bad(options._owner, "connectivity", rule, Said("a graph"), "Give one kind of constraint.")
        return _along(options, X, size, metric)
    if must is not None or cannot is not None:
        return _linked(options, X, size, LinkConstraints.of(len(X), must, cannot, options._owner), metric), 1
    weight = None if (size == 1.0).all() else size
    return tree_of(options._owner, X, options.linkage, metric, weight, "auto", {}), 1


def _along(options: Any, X: Array, size: Array, metric: Any) -> tuple[MergeTree, int]:
    if options.linkage not in (*EDGE_RULES, "ward"):
        rule = f"one of {', '.join([*EDGE_RULES, 'ward'])} where connectivity is given"
        raise bad(options._owner, "linkage", rule, options.linkage, "Choose one of these.")
    distance, given = as_distance(metric, X, owner=options._owner), isinstance(metric, str) and metric == "precomputed"
    graph, parts = completed(read_graph(options._owner, options.connectivity, X), X, distance, given)
    whole = options.compute_full_tree
    if isinstance(whole, str):  # auto
        whole = options.distance_threshold is not None or options.n_clusters < max(100, 0.02 * len(X))
    stop = 1 if whole else int(options.n_clusters)
    return graph_merges(X, graph, size, options.linkage, distance, given, stop, options._owner), parts


def _linked(options: Any, X: Array, size: Array, links: LinkConstraints, metric: Any) -> MergeTree:
    way = LINKAGES[options.linkage]
    D = links.forbid(start_distances(options._owner, X, size, way, metric, {}))
    pairs, heights = nearest_pair_merges(D, size, way, begun=links.joined())
    weight = None if (size == 1.0).all() else size
    tree = _nearest_pairs_in_order(len(X), pairs, _levels(heights, way), weight)
    if options.n_clusters is not None and tree.clusters > options.n_clusters:
        rule = f"at least {tree.clusters}, where merging ends as cannot_link forbids every pair that is left"
        raise bad(options._owner, "n_clusters", rule, options.n_clusters, "Raise it, or leave pairs out.")
    return tree


def _cut(options: Any, tree: MergeTree) -> Array:
    if options.distance_threshold is None:
        return tree.cut(max(int(options.n_clusters), tree.clusters))
    return tree.cut(max(int(np.count_nonzero(tree.heights >= options.distance_threshold)) + tree.clusters, 1))
