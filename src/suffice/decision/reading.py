"""What a user writes about a decision, read once, by label, into arrays in class order: the one place that refuses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad, shown

TOLERANCE = 1e-9  # how far from 1 the sum of a prior may be; it is then divided by its sum
LARGEST = 1e300  # sums of larger costs might overflow
PRIOR = "one probability per class"
COSTS = "a table of finite costs, a row for each true class and a column for each action"
PAIRS = "a mapping of (true class, action) to cost, or of true class to a mapping of action to cost"


def uniform(K: int) -> Array:
    """The prior of maximum likelihood: every class alike."""
    if isinstance(K, bool) or not isinstance(K, int | np.integer) or K < 1:
        raise bad("Decision", "the number of classes", "a whole number of at least 1", K)
    return np.full(K, 1.0 / K)


PRIORS: dict[str, Callable[[int], Array]] = {"uniform": uniform}


def read_prior(owner: object, prior: Any, classes: Sequence[Any]) -> Array:
    """A class prior (K,) that sums to 1.

    Parameters
    ----------
    owner: who asks, for the messages.
    prior: one probability per class in class order, a mapping of label to probability, or "uniform" (then deciding is
        maximum likelihood).
    classes: the K labels in order.

    >>> read_prior("me", {"spam": 0.2, "ham": 0.8}, ("ham", "spam"))
    array([0.8, 0.2])
    """
    labels = _labels(classes)
    if isinstance(prior, str):
        if prior not in PRIORS:
            raise bad(owner, "prior", f"None, one of {shown(tuple(PRIORS))}, or {PRIOR}", prior)
        return PRIORS[prior](len(labels))
    if _is_mapping(prior):
        given = dict(prior.items())
        _places(owner, "prior", given, labels)
        absent = [label for label in labels if label not in given]
        if absent:
            remedy = f"Class {shown(absent[0])} is absent; give every class its probability, 0 included."
            raise bad(owner, "prior", PRIOR, given, remedy)
        prior = [given[label] for label in labels]
    return checked_prior(owner, prior, len(labels))


def read_costs(owner: object, costs: Any, classes: Sequence[Any]) -> Array:
    """Costs[true, action] (K, K), all finite; a negative cost is a benefit.

    Parameters
    ----------
    owner: who asks, for the messages.
    costs: a (K, K) table in class order, a data frame with labels on both sides, a mapping {(true, action): cost}, or a
        mapping {true: {action: cost}}; what a mapping does not mention costs nothing.
    classes: the K labels in order.

    >>> read_costs("me", {("spam", "ham"): 1, ("ham", "spam"): 10}, ("ham", "spam"))
    array([[ 0., 10.],
           [ 1.,  0.]])
    """
    labels = _labels(classes)
    entries = _entries(owner, costs)
    if entries is None:
        return checked_costs(owner, costs, len(labels))
    table = np.zeros((len(labels), len(labels)))
    places = _places(owner, "costs", [label for pair in entries for label in pair], labels)
    for (true, action), cost in entries.items():
        table[places[true], places[action]] = _real(owner, "costs", "finite numbers", cost)
    return checked_costs(owner, table, len(labels))


def checked_prior(owner: object, prior: Any, K: int | None = None) -> Array:
    """A prior in class order: finite, not negative, summing to 1, and for K classes where K is known."""
    p = _array(owner, "prior", PRIOR, prior)
    if p.ndim != 1 or p.size == 0 or (K is not None and p.size != K):
        raise bad(owner, "prior", PRIOR + ("" if K is None else f", {K} of them"), prior)
    if not np.isfinite(p).all() or (p < 0).any():
        raise bad(owner, "prior", f"{PRIOR}, none of them negative, infinite or NaN", prior)
    total = p.sum()
    if abs(total - 1.0) > TOLERANCE:
        raise bad(owner, "prior", f"{PRIOR}, summing to 1", prior, f"They sum to {total:.10g}; divide them by that.")
    settled = abs(total - 1.0) <= p.size * np.finfo(np.float64).eps  # dividing again would only change last digits
    return _frozen(p if settled else p / total)


def checked_costs(owner: object, costs: Any, K: int | None = None) -> Array:
    """Costs in class order: finite, square, and for K classes where K is known."""
    table = _array(owner, "costs", COSTS, costs)
    if table.ndim != 2 or table.size == 0 or table.shape != (K or len(table),) * 2:
        size = f"of shape ({K}, {K})" if K else "that is square"
        raise bad(owner, "costs", f"{COSTS}, {size}", table.shape, "An action is to answer one of the classes.")
    if not (np.abs(table) <= LARGEST).all():
        rule = f"{COSTS}, none of them NaN or above {LARGEST:g}"
        raise bad(owner, "costs", rule, costs, "For an action that must never be taken, a cost of 1e9 will do.")
    return _frozen(table)


def checked_reject(owner: object, reject: Any) -> float | None:
    """What refusing costs: any finite number, in the unit of the costs, or None for never refuse."""
    if reject is None:
        return None
    return _real(owner, "reject", "None or a finite cost, in the unit of `costs`", reject)


def checked_at_least(owner: object, at_least: Any) -> float | None:
    """The smallest posterior that is answered, or None for any."""
    if at_least is None:
        return None
    p = _real(owner, "at_least", "None or a probability from 0 to 1", at_least)
    if not 0.0 <= p <= 1.0:
        raise bad(owner, "at_least", "None or a probability from 0 to 1", at_least)
    return p


def _real(owner: object, name: str, rule: str, value: Any) -> float:
    """One finite number. True and False are refused: `reject=True` is a wish, not a cost."""
    try:
        number = float(value) if isinstance(value, Real) and not isinstance(value, bool) else np.nan
    except OverflowError:
        number = np.inf
    if not np.isfinite(number):
        raise bad(owner, name, rule, value)
    return number


def _array(owner: object, name: str, rule: str, values: Any) -> Array:
    """A fresh array of float64 from anything that holds numbers; text is not a number."""
    try:
        raw = np.asarray(values)
        if raw.dtype.kind not in "iufO":
            raise TypeError(raw.dtype)
        return np.array(raw, dtype=np.float64) + 0.0  # no negative zeros: equal decisions have equal bytes
    except (TypeError, ValueError, OverflowError):
        raise bad(owner, name, rule, values) from None


def _frozen(values: Array) -> Array:
    values.setflags(write=False)
    return values


def _labels(classes: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(classes.tolist() if isinstance(classes, np.ndarray) else classes)


def _is_mapping(values: Any) -> bool:
    """Mappings and labelled columns (a pandas Series is no Mapping, but its labels must not be ignored)."""
    return isinstance(values, Mapping) or (hasattr(values, "keys") and hasattr(values, "items"))


def _places(owner: object, name: str, given: Any, labels: tuple[Any, ...]) -> dict[Any, int]:
    """Where each class stands; refuses by name a label that is no class."""
    places = {label: i for i, label in enumerate(labels)}
    for label in given:
        if label not in places:
            raise bad(owner, name, f"given for the classes {shown(labels)}", label, "There is no such class.")
    return places


def _entries(owner: object, costs: Any) -> dict[tuple[Any, Any], Any] | None:
    """Costs by pair of labels, or None for a table without labels."""
    if hasattr(costs, "columns") and hasattr(costs, "index"):  # rows are true classes, as in costs[true, action]
        rows = np.asarray(costs).tolist()
        return {
            (t, a): cost
            for t, row in zip(costs.index, rows, strict=True)
            for a, cost in zip(costs.columns, row, strict=True)
        }
    if not _is_mapping(costs):
        return None
    nested = [_is_mapping(value) for value in costs.values()]
    if not nested:
        raise bad(owner, "costs", PAIRS, costs, "Name at least one cost, or leave `costs` out.")
    if all(nested):
        return {(true, action): cost for true, row in costs.items() for action, cost in row.items()}
    for key in costs:
        if not isinstance(key, tuple) or len(key) != 2:
            raise bad(owner, "costs", PAIRS, key)
    return dict(costs.items())
