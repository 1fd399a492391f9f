"""How exemplars divide the plane: Voronoi cells, cells of the k nearest, and how many answers there can be."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.spaces.distances.distance import number_rows
from suffice.spaces.distances.named_distances import as_distance
from suffice.spaces.exemplars import mean_point
from suffice.spaces.search.search_choice import neighbour_search


def exemplar_cells(
    exemplars: Any, X: Any, k: int = 1, *, ordered: bool = True, distance: Any = "euclidean"
) -> tuple[Array, tuple[tuple[int, ...], ...]]:
    """In which cell each row lies: which exemplars are its k nearest.

    Parameters
    ----------
    exemplars : rows
    X : rows to place; the points of a grid, for a picture by `DecisionRegionDisplay`
    k : how many of the nearest make a cell; 1 gives Voronoi cells
    ordered : whether the nearest and the next are told apart; not where they vote alike
    distance : a `Distance`, its name, or a function of two rows

    Returns
    -------
    the number of the cell of each row (n,), and the exemplars of each cell

    >>> codes, cells = exemplar_cells([[0.0], [2.0], [5.0]], [[-1.0], [0.9], [1.1], [4.0]], 2)
    >>> codes.tolist(), cells
    ([0, 0, 1, 2], ((0, 1), (1, 0), (2, 1)))
    """
    rows = number_rows(exemplars)
    if isinstance(k, bool) or not isinstance(k, int) or not 1 <= k <= len(rows):
        raise bad("exemplar_cells", "k", f"a whole number from 1 to {len(rows)}", k, "Give 1 for Voronoi cells.")
    measure = as_distance(distance, rows, owner="exemplar_cells")
    near = neighbour_search(rows, measure).nearest(number_rows(X), k).numbers
    cells, codes = np.unique(near if ordered else np.sort(near, axis=1), axis=0, return_inverse=True)
    return np.asarray(codes).ravel(), tuple(tuple(int(i) for i in cell) for cell in cells)


def voronoi_neighbours(exemplars: Any) -> Array:
    """Pairs of exemplars whose Voronoi cells share an edge (m, 2), for two columns or more.

    In the plane and in general position there are 3 n - 3 - h of them, h on the hull. Each edge makes two cells of the
    two nearest, in order; one where order does not count.

    >>> voronoi_neighbours([[0.0, 0.0], [4.0, 1.0], [-1.0, 5.0], [-4.0, -1.0], [1.0, -5.0]]).shape
    (8, 2)
    """
    from scipy.spatial import QhullError, Voronoi

    rows = number_rows(exemplars, "voronoi_neighbours")
    if not np.isfinite(rows).all():
        raise bad("voronoi_neighbours", "exemplars", "finite", Said("NaN or infinity"), "Leave those out.")
    if rows.shape[1] < 2 or len(rows) < rows.shape[1] + 2:
        rule = "more rows than columns by 2 or more, in two columns or more"
        raise bad("voronoi_neighbours", "exemplars", rule, Said(f"shape {rows.shape}"), "Give more of them.")
    try:  # about their mean, as an offset would cost the digits by which circles are told apart
        cells = Voronoi(rows - mean_point(rows))
    except QhullError:
        rule = "rows that do not all lie on a line, or on a plane of fewer dimensions"
        raise bad("voronoi_neighbours", "exemplars", rule, Said("such"), "Leave columns out.") from None
    return np.unique(np.sort(cells.ridge_points, axis=1), axis=0)


def refinement(model: Any, X: Any) -> int:
    """How many different predictions a model makes on some rows: probabilities where it has them.

    With k nearest neighbours it rises with k and falls again: 1 at k = n, at most the number of classes at k = n - 1.
    """
    told = model.predict_proba(X) if hasattr(model, "predict_proba") else model.predict(X)
    answers = np.hstack(told) if isinstance(told, list) else np.asarray(told)  # a list where rows have several labels
    answers = answers.round(12) if answers.dtype.kind == "f" else answers
    return len(np.unique(answers, axis=0))
