"""What a user writes about a decision, read once, by label, into arrays in class order: the one place that refuses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad, shown
from suffice.core.phrases import ForPython, Phrase

TOLERANCE = 1e-9  # how far from 1 the sum of a prior may be; it is then divided by its sum
LOOSE = 1e-4  # how far from 1 a row of probabilities may sum, as those of single precision do
PRIOR = "one probability per class"
A_COST = Phrase(ForPython("None or "), "a finite cost, in the unit of `costs`")
A_PROBABILITY = Phrase(ForPython("None or "), "a probability from 0 to 1")


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
    labels = label_tuple(classes)
    if isinstance(prior, str):
        if prior not in PRIORS:
            raise bad(owner, "prior", f"None, one of {shown(tuple(PRIORS))}, or {PRIOR}", prior)
        return PRIORS[prior](len(labels))
    if is_mapping(prior):
        given = dict(prior.items())
        places_of(owner, "prior", given, labels)
        absent = [label for label in labels if label not in given]
        if absent:
            remedy = f"Class {shown(absent[0])} is absent; give every class its probability, 0 included."
            raise bad(owner, "prior", PRIOR, given, remedy)
        prior = [given[label] for label in labels]
    return checked_prior(owner, prior, len(labels))


def checked_prior(owner: object, prior: Any, K: int | None = None) -> Array:
    """A prior in class order: finite, not negative, summing to 1, and for K classes where K is known."""
    p = as_numbers(owner, "prior", PRIOR, prior)
    if p.ndim != 1 or p.size == 0 or (K is not None and p.size != K):
        raise bad(owner, "prior", PRIOR + ("" if K is None else f", {K} of them"), prior)
    if not np.isfinite(p).all() or (p < 0).any():
        raise bad(owner, "prior", f"{PRIOR}, none of them negative, infinite or NaN", prior)
    with np.errstate(over="ignore"):
        total = p.sum()
    if abs(total - 1.0) > TOLERANCE:
        remedy = f"They sum to {total:.10g}; divide them by that." if total < np.inf else "Give shares of 1."
        raise bad(owner, "prior", f"{PRIOR}, summing to 1", prior, remedy)
    settled = abs(total - 1.0) <= p.size * np.finfo(np.float64).eps  # dividing again would only change last digits
    return frozen(p if settled else p / total)


def checked_reject(owner: object, reject: Any) -> float | None:
    """What refusing costs: any finite number, in the unit of the costs, or None for never refuse."""
    if reject is None:
        return None
    return as_real(owner, "reject", A_COST, reject)


def checked_at_least(owner: object, at_least: Any) -> float | None:
    """The smallest posterior that is answered, or None for any."""
    if at_least is None:
        return None
    p = as_real(owner, "at_least", A_PROBABILITY, at_least)
    if not 0.0 <= p <= 1.0:
        raise bad(owner, "at_least", A_PROBABILITY, at_least)
    return p


def as_real(owner: object, name: str, rule: str, value: Any) -> float:
    """One finite number. True and False are refused: `reject=True` is a wish, not a cost."""
    try:
        number = float(value) if isinstance(value, Real) and not isinstance(value, bool) else np.nan
    except OverflowError:
        number = np.inf
    if not np.isfinite(number):
        raise bad(owner, name, rule, value)
    return number


def as_numbers(owner: object, name: str, rule: str, values: Any) -> Array:
    """A fresh array of float64 from anything that holds numbers; text is not a number."""
    try:
        raw = np.asarray(values)
        if raw.dtype.kind not in "iufO":
            raise TypeError(raw.dtype)
        numbers = np.array(raw, dtype=np.float64)
        numbers += 0.0  # no negative zeros: equal decisions have equal bytes
        return numbers
    except (TypeError, ValueError, OverflowError):
        raise bad(owner, name, rule, values) from None


def frozen(values: Array) -> Array:
    """The array, read-only."""
    values.setflags(write=False)
    return values


def label_tuple(classes: Sequence[Any]) -> tuple[Any, ...]:
    """Labels as plain Python values."""
    return tuple(classes.tolist() if isinstance(classes, np.ndarray) else classes)


def is_mapping(values: Any) -> bool:
    """Mappings and labelled columns (a pandas Series is no Mapping, but its labels must not be ignored)."""
    return isinstance(values, Mapping) or (hasattr(values, "keys") and hasattr(values, "items"))


def places_of(owner: object, name: str, given: Any, labels: tuple[Any, ...]) -> dict[Any, int]:
    """Where each class stands; refuses by name a label that is no class."""
    places = {label: i for i, label in enumerate(labels)}
    for label in given:
        if label not in places:
            raise bad(owner, name, f"given for the classes {shown(labels)}", label, "There is no such class.")
    return places


def checked_proba(owner: object, name: str, proba: Any, K: int | None = None) -> Array:
    """Class probabilities (n, K): finite, not negative, each row summing to 1 (to what single precision keeps)."""
    rule = "a table of probabilities, a row for each row and a column for each class"
    p = as_numbers(owner, name, rule, proba)
    if p.ndim != 2 or p.shape[1] == 0 or K not in (None, p.shape[1]):
        raise bad(owner, name, rule + ("" if K is None else f", {K} of them"), p.shape)
    if not (np.isfinite(p).all() and (p >= 0).all()):
        raise bad(owner, name, f"{rule}, none of them negative, infinite or NaN", proba)
    off = np.abs(p.sum(axis=1) - 1.0) > LOOSE
    if off.any():
        i = int(off.argmax())
        raise bad(owner, name, f"{rule}, each row summing to 1", p[i].tolist(), f"Row {i} sums to {p[i].sum():.6g}.")
    return p


def checked_weights(owner: object, name: str, weights: Any, n: int, what: str) -> Array:
    """One finite weight of at least 0 for each of n things, not all of them 0; equal ones for None."""
    if weights is None:
        return np.ones(n)
    rule = f"one number of at least 0 for each of the {n} {what}"
    w = as_numbers(owner, name, rule, weights)
    if w.shape != (n,):
        raise bad(owner, name, rule, w.shape)
    if not (np.isfinite(w).all() and (w >= 0).all() and w.any()):
        raise bad(owner, name, f"{rule}, all finite and some of them above 0", weights)
    return w


def checked_answers(owner: object, name: str, y: Any, classes: Sequence[Any] | None, K: int, n: int) -> Array:
    """The class number (n,) of each label; labels are class numbers themselves where `classes` is None."""
    labels = tuple(range(K)) if classes is None else label_tuple(classes)
    if len(labels) != K:
        raise bad(owner, "classes", f"the {K} labels in the order of the columns", labels)
    values = np.asarray(y)
    if values.shape != (n,):
        raise bad(owner, name, f"one label for each of the {n} rows", values.shape)
    known = values.tolist()
    places = places_of(owner, name, dict.fromkeys(known), labels)
    return np.array([places[label] for label in known], dtype=np.intp)
