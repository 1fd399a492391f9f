"""Which statistic which kind permits: a table of kinds and statistics, every cell of it allowed, converted or refused.

A kind has an order, a scale, a true zero, or none of them; each statistic needs one. No scikit-learn.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

from suffice.core.errors import BadInput, Said, bad
from suffice.core.kinds import Kind


class Answer(Enum):
    """What becomes of the question."""

    ALLOWED = "allowed"
    CONVERTED = "converted"
    REFUSED = "refused"


class Permission(NamedTuple):
    """Whether a kind permits a statistic, and why or how."""

    answer: Answer
    reason: str = ""


class Need(Enum):
    """What a statistic needs of the values of a column."""

    NOTHING = "values"
    ORDER = "an order"
    SCALE = "an order and a scale"
    ZERO = "a scale with a true zero"


NEEDS: Mapping[str, Need] = {
    "mode": Need.NOTHING,
    "median": Need.ORDER,
    "lower_median": Need.ORDER,
    "upper_median": Need.ORDER,
    "quantile": Need.ORDER,
    "percentile": Need.ORDER,
    "minimum": Need.ORDER,
    "maximum": Need.ORDER,
    "mean": Need.SCALE,
    "variance": Need.SCALE,
    "sd": Need.SCALE,
    "range": Need.SCALE,
    "midrange": Need.SCALE,
    "interquartile_range": Need.SCALE,
    "modal_bin": Need.SCALE,
    "central_moment": Need.SCALE,
    "skewness": Need.SCALE,
    "kurtosis": Need.SCALE,
    "excess": Need.SCALE,
    "bounds": Need.SCALE,
    "geometric_mean": Need.ZERO,
    "harmonic_mean": Need.ZERO,
    "log_range": Need.ZERO,
    "log_midrange": Need.ZERO,
}
HAS: Mapping[Kind, Need | None] = {  # the most that the values of a kind have; None: they are no values of a feature
    Kind.UNKNOWN: None,
    Kind.BOOLEAN: Need.NOTHING,
    Kind.CATEGORICAL: Need.NOTHING,
    Kind.TEXT: Need.NOTHING,
    Kind.IDENTIFIER: Need.NOTHING,
    Kind.ORDINAL: Need.ORDER,
    Kind.DATE: Need.SCALE,
    Kind.QUANTITATIVE: Need.SCALE,
    Kind.COUNT: Need.ZERO,
    Kind.RATIO: Need.ZERO,
}
CONVERTED: Mapping[tuple[Kind, str], str] = {
    (Kind.BOOLEAN, "mean"): "the share of True",
    (Kind.ORDINAL, "median"): "the lower median, as values without a scale have no middle",
    **{(Kind.DATE, name): "in days" for name in ("variance", "sd", "range", "interquartile_range", "central_moment")},
}
_RANK = list(Need)
_REMEDY = {
    Need.ORDER: "Declare it ordinal, with its values lowest first.",
    Need.SCALE: "Use its mode (and its median, if it has an order), or calibrate it first.",
    Need.ZERO: "Declare it 'ratio' if 0 means none of it.",
}


def permission(kind: Kind, statistic: str) -> Permission:
    """Whether a kind permits a statistic.

    >>> permission(Kind.CATEGORICAL, "mean")
    Permission(answer=<Answer.REFUSED: 'refused'>, reason='a categorical column has values, not an order and a scale')
    """
    need, has = NEEDS[statistic], HAS[kind]
    if (kind, statistic) in CONVERTED:
        return Permission(Answer.CONVERTED, CONVERTED[kind, statistic])
    if has is None:
        return Permission(Answer.REFUSED, f"a column of {kind.value} kind has no cells")
    if _RANK.index(has) >= _RANK.index(need):
        return Permission(Answer.ALLOWED)
    return Permission(Answer.REFUSED, f"a {kind.value} column has {has.value}, not {need.value}")


def refusal_of(owner: str, name: object, kind: Kind, statistic: str) -> BadInput | None:
    """What to raise where a kind does not permit a statistic; None where it does."""
    found = permission(kind, statistic)
    if found.answer is not Answer.REFUSED:
        return None
    rule = f"of a column with {NEEDS[statistic].value}"
    got = Said(f"column {name!r} of kind {kind.value}" if name is not None else f"one of kind {kind.value}")
    return bad(owner, f"the {statistic.replace('_', ' ')}", rule, got, _REMEDY.get(NEEDS[statistic], ""))
