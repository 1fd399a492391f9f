"""The options of NaiveBayes that say more than a value: families by kind, weights of columns, the class prior."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np

from suffice.bayes.class_priors import ClassPrior, EqualPrior, GivenPrior, LearnedPrior
from suffice.bayes.naive.naive_plan import DEFAULTS
from suffice.core.errors import BadInput, bad
from suffice.core.kinds import Kind
from suffice.decision.decide.read_wishes import read_prior
from suffice.families.family import Family
from suffice.sources.tables.labels import code_labels

KINDS = [kind.value for kind in DEFAULTS]


def read_by_kind(owner: str, given: Mapping[Any, Family]) -> dict[str, Family]:
    """Families by the names of kinds."""
    named = {kind.value if isinstance(kind, Kind) else kind: family for kind, family in given.items()}
    for name in named:
        if name not in KINDS:
            raise bad(owner, "by_kind", f"about kinds ({', '.join(KINDS)})", name, "Correct the kind.")
    return named


def read_feature_weights(owner: str, given: Mapping[Any, Any]) -> dict[Any, float]:
    """Weights by column, none below 0."""
    for name, value in given.items():
        number = isinstance(value, Real) and not isinstance(value, bool)
        if not (number and np.isfinite(value) and value >= 0):
            rule = "a finite number of at least 0"
            raise bad(owner, f"the weight of column {name!r}", rule, value, "1 counts a column once.")
    return {name: float(value) for name, value in given.items()}


def read_classes(owner: str, given: Any) -> tuple[Any, ...]:
    """Labels that exist whether or not rows have them, read as the labels of rows are."""
    if given is None:
        return ()
    try:
        found: tuple[Any, ...] = tuple(code_labels(given).labels[0])
        whole = len(found) == len(given) > 0
    except BadInput:
        whole = False
    if not whole:
        rule = "None or a list of labels, none of them missing or named twice"
        raise bad(owner, "classes", rule, given, "Name each class once.")
    return found


def read_class_prior(owner: str, given: Any) -> ClassPrior:
    """How class shares are found."""
    made = not isinstance(given, type)  # Dirichlet(1), not Dirichlet
    if given is None or (made and hasattr(given, "over")):
        return LearnedPrior() if given is None else LearnedPrior(given)
    if made and hasattr(given, "estimate"):
        return given  # type: ignore[no-any-return]
    if isinstance(given, Mapping):
        shares = read_prior(owner, given, tuple(given))
        return GivenPrior(dict(zip(given, shares.tolist(), strict=True)))
    if isinstance(given, str) and given == "uniform":
        return EqualPrior()
    rule = 'None, "uniform", a mapping label -> share, or pseudo-counts such as Dirichlet(1)'
    raise bad(owner, "prior", rule, given, "Choose one of these.")
