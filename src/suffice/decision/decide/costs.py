"""Costs as a user writes them, read by label into `costs[true, action]`, alike for all rows or row by row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad, shown
from suffice.decision.decide.read_wishes import as_numbers, as_real, frozen, is_mapping, label_tuple, places_of

LARGEST = 1e300  # sums of larger costs might overflow
COSTS = "a table of finite costs, a row for each true class and a column for each action"
NOT_FREE = "a table in which no action is free whatever the truth"
PAIRS = "a mapping of (true class, action) to cost, or of true class to a mapping of action to cost"


def read_costs(owner: object, costs: Any, classes: Sequence[Any]) -> Array:
    """Costs[true, action] (K, K), or costs[row, true, action] (n, K, K); all finite, a negative cost is a benefit.

    Parameters
    ----------
    owner: who asks, for the messages.
    costs: a (K, K) table in class order, one such table for each row (n, K, K), a data frame with labels on both sides,
        a mapping {(true, action): cost}, or a mapping {true: {action: cost}}; what labels do not name costs 0 if right
        and 1 if wrong, and a cost in a mapping may be a column of n numbers, one for each row.
    classes: the K labels in order.

    A table under which some action is free whatever the truth is refused: it would answer every row.

    >>> read_costs("me", {("spam", "ham"): 1, ("ham", "spam"): 10}, ("ham", "spam"))
    array([[ 0., 10.],
           [ 1.,  0.]])
    >>> read_costs("me", {"fraud": {"fine": [20.0, 900.0]}}, ("fine", "fraud"))[1]
    array([[  0.,   1.],
           [900.,   0.]])
    """
    labels = label_tuple(classes)
    entries = _entries(owner, costs)
    table = checked_costs(owner, costs if entries is None else _filled(owner, entries, labels), len(labels))
    refuse_free(owner, table, labels)
    return table


def zero_one(K: int) -> Array:
    """0 for a right answer and 1 for a wrong one (K, K)."""
    return 1.0 - np.eye(K)


def refuse_free(owner: object, costs: Array, labels: Sequence[Any] | None = None) -> None:
    """Refuse costs under which an action is free whatever the truth, in every row, and none is a benefit.

    Where there are benefits, 0 is a price like others; a single class has no mistakes. `labels` name the actions.
    """
    K = costs.shape[-1]
    lines = costs.reshape(-1, K)
    if K == 1 or lines[:K].any(axis=0).all():  # the first table, which nearly always says enough
        return
    free = np.flatnonzero(~lines.any(axis=0))
    if free.size and len(lines) and lines.min() >= 0.0:
        action = f"class number {free[0]}" if labels is None else shown(labels[free[0]])
        told = Said(f"0 for every true class where {action} is answered")
        raise bad(owner, "costs", NOT_FREE, told, "Every row would be answered so; say what its mistakes cost.")


def _filled(owner: object, entries: dict[tuple[Any, Any], Any], labels: tuple[Any, ...]) -> Array:
    """A whole table: what is named, and 0 and 1 for the rest."""
    places = places_of(owner, "costs", [label for pair in entries for label in pair], labels)
    prices = {pair: _price(owner, cost) for pair, cost in entries.items()}
    table = np.tile(zero_one(len(labels)), (*_rows(owner, prices), 1, 1))
    for (true, action), price in prices.items():
        table[..., places[true], places[action]] = price
    return table


def checked_costs(owner: object, costs: Any, K: int | None = None) -> Array:
    """Costs in class order: finite, square (for each row, if there are three axes), for K classes where K is known."""
    table: Array = costs if _is_ours(costs) else as_numbers(owner, "costs", COSTS, costs)
    square = table.ndim in (2, 3) and 0 < table.shape[-1] == table.shape[-2] and K in (None, table.shape[-1])
    if not square:
        rows = "n, " if table.ndim == 3 else ""
        size = f"of shape ({rows}{K}, {K})" if K else "that is square"
        raise bad(owner, "costs", f"{COSTS}, {size}", table.shape, "An action is to answer one of the classes.")
    if not largest(table) <= LARGEST:
        rule = f"{COSTS}, none of them NaN or above {LARGEST:g}"
        raise bad(owner, "costs", rule, costs, "For an action that must never be taken, a cost of 1e9 will do.")
    return frozen(table)


def largest(costs: Array) -> float:
    """The largest size of a cost, without a copy of the table; NaN if one is."""
    return float(max(costs.max(initial=0.0), -costs.min(initial=0.0)))


def expected(proba: Array, costs: Array) -> Array:
    """The expected cost of each action (n, K): sum_c p(c | x) costs[c, action]."""
    if costs.ndim == 2:
        return np.asarray(proba @ costs)
    return np.asarray(np.matmul(proba[:, None, :], costs)[:, 0, :])


def of_action(costs: Array, action: Array) -> Array:
    """What the action taken in each row costs for each true class (n, K)."""
    if costs.ndim == 2:
        return np.asarray(costs.T[action])
    return np.asarray(costs[np.arange(len(action)), :, action])


def _is_ours(costs: Any) -> bool:
    """A table that has been read before and that nobody can write to: no need for another copy."""
    plain = isinstance(costs, np.ndarray) and costs.dtype == np.float64
    return plain and costs.flags.owndata and not costs.flags.writeable


def _price(owner: object, cost: Any) -> float | Array:
    """One cost, or a column of them."""
    if np.ndim(cost) == 0:
        return as_real(owner, "costs", "finite numbers", cost)
    column = as_numbers(owner, "costs", "finite numbers, one for each row", cost)
    if column.ndim != 1:
        raise bad(owner, "costs", "finite numbers, one for each row", column.shape, "Give a column, not a table.")
    return column


def _rows(owner: object, prices: dict[tuple[Any, Any], float | Array]) -> tuple[int, ...]:
    """(n,) if some costs are columns, else ()."""
    lengths = sorted({len(price) for price in prices.values() if isinstance(price, np.ndarray)})
    if len(lengths) > 1:
        raise bad(owner, "columns of costs", "all of one length", lengths, "Each holds a cost for each row.")
    return tuple(lengths)


def _entries(owner: object, costs: Any) -> dict[tuple[Any, Any], Any] | None:
    """Costs by pair of labels, or None for a table without labels."""
    if hasattr(costs, "columns") and hasattr(costs, "index"):  # rows are true classes, as in costs[true, action]
        rows = np.asarray(costs).tolist()
        return {
            (t, a): cost
            for t, row in zip(costs.index, rows, strict=True)
            for a, cost in zip(costs.columns, row, strict=True)
        }
    if not is_mapping(costs):
        return None
    nested = [is_mapping(value) and not (_is_pair(key) and hasattr(value, "__array__")) for key, value in costs.items()]
    if not nested:
        raise bad(owner, "costs", PAIRS, costs, "Name at least one cost, or leave `costs` out.")
    if all(nested):
        return {(true, action): cost for true, row in costs.items() for action, cost in row.items()}
    for key in costs:
        if not _is_pair(key):
            raise bad(owner, "costs", PAIRS, key)
    return dict(costs.items())


def _is_pair(key: Any) -> bool:
    """A true class and an action; a column of costs may stand behind it, even one with labels of its own."""
    return isinstance(key, tuple) and len(key) == 2
