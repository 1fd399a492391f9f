"""What kept rows tell: which are near, as numbers, as graphs, or as whatever belongs to them."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import BadType, Said, bad, refusal
from suffice.neighbours.near.near_rows import NearRows
from suffice.spaces.search.found_neighbours import Nearest, Within


def near_of(holder: Any) -> NearRows:
    """The rows that a fitted model keeps."""
    kept: NearRows = holder._state()[0].model.near
    return kept


def query_rows(holder: Any, X: Any) -> Any:
    """X as the model reads it."""
    state, checked = holder._state(X)
    return state.block(checked).parts[0]


def _fit_method(holder: Any) -> str:
    """The search that is used."""
    return {"BruteSearch": "brute", "KdTreeSearch": "kd_tree"}.get(type(near_of(holder).search).__name__, "ball_tree")


def _effective_metric(holder: Any) -> Any:
    """The name of the distance."""
    from suffice.neighbours.near.neighbour_options import effective_metric

    return effective_metric(near_of(holder).distance, holder.metric)


def _effective_params(holder: Any) -> dict[str, Any]:
    """Parameters of the distance beside its name."""
    given = dict(holder.metric_params or {})
    if isinstance(holder.metric, str) and holder.metric == "minkowski":
        p = given.pop("p", holder.p)
        if holder.effective_metric_ == "minkowski":
            return {**given, "p": p, "w": given.get("w")}
    return given


class KeptTold(NamedTuple):
    """What both kinds of search tell; properties, not a base, so that models stand on few classes."""

    n: Any = property(lambda holder: near_of(holder).n, doc="How many rows are kept.")
    distance: Any = property(lambda holder: near_of(holder).distance, doc="The distance, as a value.")
    metric: Any = property(_effective_metric)
    params: Any = property(_effective_params)
    method: Any = property(_fit_method)


KEPT = KeptTold()


class KNeighbours:
    """The k nearest rows."""

    n_samples_fit_ = KEPT.n
    distance_ = KEPT.distance
    effective_metric_ = KEPT.metric
    effective_metric_params_ = KEPT.params
    _fit_method = KEPT.method

    def kneighbors(self: Any, X: Any = None, n_neighbors: Any = None, return_distance: bool = True) -> Any:
        """The k nearest rows of each row of X, the nearest first, of equals that of the lowest number.

        Parameters
        ----------
        X : rows like those of training; None takes those, each without itself
        n_neighbors : how many; None takes the model's
        return_distance : whether to tell distances too

        Returns
        -------
        distances (n, k), where asked for, and numbers of the rows (n, k)
        """
        found = _nearest(self, X, n_neighbors)
        return (found.distance, found.numbers) if return_distance else found.numbers

    def kneighbors_graph(self: Any, X: Any = None, n_neighbors: Any = None, mode: str = "connectivity") -> Any:
        """The k nearest rows as a sparse matrix (n, n_samples_fit_).

        Parameters
        ----------
        X, n_neighbors : as for `kneighbors`
        mode : "connectivity", ones; or "distance"
        """
        from scipy.sparse import csr_matrix

        _check_mode(self, mode)
        found = _nearest(self, X, n_neighbors)
        n, k = found.numbers.shape
        cells = np.ones(n * k) if mode == "connectivity" else found.distance.ravel()
        starts = np.arange(0, n * k + 1, k)
        return csr_matrix((cells, found.numbers.ravel(), starts), shape=(n, near_of(self).n))

    def retrieve(self: Any, X: Any = None, payload: Any = None, n_neighbors: Any = None) -> list[list[Any]]:
        """Whatever belongs to the nearest rows, the nearest first: texts, images, the rows themselves.

        Parameters
        ----------
        X, n_neighbors : as for `kneighbors`
        payload : one thing a training row; None takes the rows
        """
        near = near_of(self)
        things = near.rows if payload is None else payload
        n = things.shape[0] if hasattr(things, "shape") else len(things)
        if n != near.n:
            raise bad(self._owner, "payload", f"of {near.n} things, one a training row", Said(str(n)), "Give all.")
        things = things.iloc if hasattr(things, "iloc") else things
        return [[things[int(i)] for i in some] for some in _nearest(self, X, n_neighbors).numbers]


class RadiusNeighbours:
    """All rows within a radius."""

    n_samples_fit_ = KEPT.n
    distance_ = KEPT.distance
    effective_metric_ = KEPT.metric
    effective_metric_params_ = KEPT.params
    _fit_method = KEPT.method

    def radius_neighbors(
        self: Any, X: Any = None, radius: Any = None, return_distance: bool = True, sort_results: bool = False
    ) -> Any:
        """All rows at most `radius` away from each row of X.

        Parameters
        ----------
        X : rows like those of training; None takes those, each without itself
        radius : None takes the model's
        return_distance : whether to tell distances too
        sort_results : the nearest first; else by their numbers

        Returns
        -------
        arrays of arrays, one a row of X: distances, where asked for, and numbers
        """
        if sort_results and not return_distance:
            rule = "True where results are sorted (return_distance must be True if sort_results is True.)"
            raise bad(self._owner, "return_distance", rule, return_distance, "Ask for both.")
        found = _within(self, X, radius)
        found = found.by_distance() if sort_results else found
        numbers = _objects(found.split(found.numbers))
        return (_objects(found.split(found.distance)), numbers) if return_distance else numbers

    def radius_neighbors_graph(
        self: Any, X: Any = None, radius: Any = None, mode: str = "connectivity", sort_results: bool = False
    ) -> Any:
        """All rows within a radius as a sparse matrix (n, n_samples_fit_).

        Parameters
        ----------
        X, radius, sort_results : as for `radius_neighbors`
        mode : "connectivity", ones; or "distance"
        """
        from scipy.sparse import csr_matrix

        _check_mode(self, mode)
        found = _within(self, X, radius)
        found = found.by_distance() if sort_results else found
        cells = np.ones(len(found.numbers)) if mode == "connectivity" else found.distance
        return csr_matrix((cells, found.numbers, found.starts), shape=(len(found.starts) - 1, near_of(self).n))


def _nearest(holder: Any, X: Any, n_neighbors: Any) -> Nearest:
    near = near_of(holder)
    k = read_number(holder, n_neighbors)
    if X is not None:
        return near.nearest(query_rows(holder, X), k)
    return near.others(k, holder._state()[0].model.table if near.given else None)


def read_number(holder: Any, n_neighbors: Any) -> int:
    """How many neighbours are asked for."""
    if n_neighbors is None:
        model = holder._state()[0].model
        return int(model.k)
    if isinstance(n_neighbors, bool) or not isinstance(n_neighbors, Real):
        rule = "a whole number (n_neighbors does not take this value, enter integer value)"
        raise refusal(BadType, holder._owner, "n_neighbors", rule, n_neighbors, "Give 5.")
    if n_neighbors <= 0:
        rule = f"above 0 (Expected n_neighbors > 0. Got {n_neighbors})"
        raise bad(holder._owner, "n_neighbors", rule, n_neighbors, "Give 5.")
    if not isinstance(n_neighbors, Integral):
        rule = f"a whole number (n_neighbors does not take {type(n_neighbors)} value, enter integer value)"
        raise refusal(BadType, holder._owner, "n_neighbors", rule, n_neighbors, "Give 5.")
    return int(n_neighbors)


def _within(holder: Any, X: Any, radius: Any) -> Within:
    near = near_of(holder)
    reach = holder._state()[0].model.radius if radius is None else radius
    if X is not None:
        return near.within(query_rows(holder, X), reach)
    return but_itself(near.within(holder._state()[0].model.table if near.given else near.rows, reach))


def but_itself(found: Within) -> Within:
    """Without the query, where queries are the rows themselves."""
    return found.where(found.numbers != np.repeat(np.arange(len(found.starts) - 1), np.diff(found.starts)))


def _objects(pieces: list[Array]) -> Array:
    out = np.empty(len(pieces), dtype=object)
    out[:] = pieces
    return out


def _check_mode(holder: Any, mode: Any) -> None:
    if mode not in ("connectivity", "distance"):
        rule = "'connectivity' or 'distance' (Unsupported mode, must be one of \"connectivity\", or \"distance\" but "
        rule += f'got "{mode}" instead)'
        raise bad(holder._owner, "mode", rule, mode, "Choose one of these.")
