"""The limits of growth as scikit-learn's users give them: whole numbers, or shares of the rows."""

from __future__ import annotations

from math import ceil, log2, sqrt
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, RealNotInt, StrOptions

from suffice.core.block import Array, Coded
from suffice.core.by_class import canonical
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.class_weights import class_weights
from suffice.estimators.state.origin import label_array
from suffice.trees.growth.growing import Growth
from suffice.trees.growth.monotone import read_monotone
from suffice.trees.growth.splits import SplitLimits

CONSTRAINTS: dict[str, Any] = {
    "splitter": [StrOptions({"best", "random"})],
    "max_depth": [Interval(Integral, 1, None, closed="left"), None],
    "min_samples_split": [Interval(Integral, 2, None, closed="left"), Interval(RealNotInt, 0.0, 1.0, closed="right")],
    "min_samples_leaf": [Interval(Integral, 1, None, closed="left"), Interval(RealNotInt, 0.0, 1.0, closed="neither")],
    "min_weight_fraction_leaf": [Interval(Real, 0.0, 0.5, closed="both")],
    "max_features": [
        Interval(Integral, 1, None, closed="left"),
        Interval(RealNotInt, 0.0, 1.0, closed="right"),
        StrOptions({"sqrt", "log2"}),
        None,
    ],
    "random_state": ["random_state"],
    "max_leaf_nodes": [Interval(Integral, 2, None, closed="left"), None],
    "min_impurity_decrease": [Interval(Real, 0.0, None, closed="left")],
    "ccp_alpha": [Interval(Real, 0.0, None, closed="left")],
    "monotonic_cst": ["array-like", None],
}


def read_growth(options: Any, n: int, d: int, target: Any, seed: int | None = None) -> Growth:
    """The limits that the parameters of an estimator ask for, of n rows and d columns."""
    weight = float(target.w.sum())
    leaf = _rows(options.min_samples_leaf, n, 1)
    split = max(_rows(options.min_samples_split, n, 2), 2 * leaf)
    most = columns_of(options.max_features, d)
    return Growth(
        depth=None if options.max_depth is None else int(options.max_depth),
        split_rows=split,
        limits=SplitLimits(rows=leaf, weight=float(options.min_weight_fraction_leaf) * weight),
        gain=float(options.min_impurity_decrease),
        leaves=None if options.max_leaf_nodes is None else int(options.max_leaf_nodes),
        columns=None if most == d and options.max_features is None else most,
        at_random=getattr(options, "splitter", "best") == "random",
        seed=seed_of(options.random_state) if seed is None else seed,
        monotone=read_monotone(options._owner, options.monotonic_cst, d, target),
    )


def _rows(given: Any, n: int, least: int) -> int:
    return int(given) if isinstance(given, Integral) else max(ceil(given * n), least)


def columns_of(given: Any, d: int) -> int:
    """How many columns are looked at."""
    if given is None:
        return d
    if isinstance(given, str):
        return max(1, int(sqrt(d) if given == "sqrt" else log2(d)))
    return min(int(given), d) if isinstance(given, Integral) else max(1, int(given * d))


def seed_of(random_state: Any) -> int:
    """A whole number from what users give as a seed."""
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def read_classes(owner: str, y: Coded, w: Array | None) -> tuple[Array, tuple[Any, ...], Array]:
    """Class numbers (n,), classes that have a row that weighs something, and weights (n,)."""
    codes = y.codes[:, 0]
    weights = np.ones(len(codes)) if w is None else w
    live = np.bincount(codes, weights > 0, len(y.labels[0])) > 0
    classes = canonical([label for label, alive in zip(y.labels[0], live, strict=True) if alive])
    if not classes:
        raise bad(owner, "y", "labels of rows that weigh something", Said("none"), "Give some row a weight.")
    place = {label: k for k, label in enumerate(classes)}
    return np.array([place.get(label, 0) for label in y.labels[0]], dtype=np.int64)[codes], classes, weights


def weigh_classes(owner: str, given: Any, codes: Array, classes: tuple[Any, ...], w: Array) -> Array:
    """Weights of rows times those of their classes."""
    if given is None:
        return w
    if isinstance(given, list):
        rule = "a dict, where y has one label a row"
        raise bad(owner, "class_weight", rule, Said("a list"), "Give {label: weight}.")
    labels = label_array(classes)
    if isinstance(given, dict):
        strange = [label for label in given if label not in classes]
        if strange:
            rule = f"about the classes {list(classes)} (The classes, {strange}, are not in class_weight)"
            raise bad(owner, "class_weight", rule, strange[0], "Correct it.")
    factors = class_weights(owner, given, labels, codes[w > 0])  # by numbers of rows, as scikit-learn's trees count
    if not (factors >= 0).all() or not np.isfinite(factors).all() or not (w * factors[codes]).any():
        raise bad(owner, "class_weight", "finite, at least 0, and above 0 for some class", given, "Correct it.")
    return np.asarray(w * factors[codes])
