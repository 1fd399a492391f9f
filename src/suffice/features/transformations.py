"""The table of transformations between kinds: what a column of one kind becomes of another kind by. No scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from suffice.core.errors import Said, bad
from suffice.core.kinds import Kind


class Transformation(NamedTuple):
    """How a column of one kind becomes one of another."""

    name: str
    objects: tuple[str, ...]  # names in suffice, the usual one first
    supervised: bool  # whether it needs labels

    def make(self, **parameters: Any) -> Any:
        """The usual object, ready to fit."""
        import suffice

        return getattr(suffice, self.objects[0])(**parameters)


_Q, _O, _C, _B = Kind.QUANTITATIVE, Kind.ORDINAL, Kind.CATEGORICAL, Kind.BOOLEAN
NORMALISATION = Transformation(
    "normalisation",
    ("StandardScaler", "VarianceScaler", "RobustScaler", "MinMaxScaler", "MaxAbsScaler", "SixSigmaScaler"),
    False,
)
CALIBRATION = Transformation("calibration", ("Calibrate", "TargetEncoder"), True)
DISCRETISATION = Transformation("discretisation", ("Discretizer", "KBinsDiscretizer"), True)
ORDERING = Transformation("ordering", ("OrderCategories", "OrdinalEncoder"), True)
UNORDERING = Transformation("unordering", ("OneHotEncoder",), False)
GROUPING = Transformation("grouping", ("GroupCategories",), False)
THRESHOLDING = Transformation("thresholding", ("Threshold", "Binarizer"), False)
BINARISATION = Transformation("binarisation", ("OneHotEncoder",), False)
TABLE: Mapping[tuple[Kind, Kind], Transformation] = {  # (from, to)
    (_Q, _Q): NORMALISATION,
    (_O, _Q): CALIBRATION,
    (_C, _Q): CALIBRATION,
    (_B, _Q): CALIBRATION,
    (_Q, _O): DISCRETISATION,
    (_O, _O): ORDERING,
    (_C, _O): ORDERING,
    (_B, _O): ORDERING,
    (_Q, _C): DISCRETISATION,
    (_O, _C): UNORDERING,
    (_C, _C): GROUPING,
    (_Q, _B): THRESHOLDING,
    (_O, _B): THRESHOLDING,
    (_C, _B): BINARISATION,
}
EMPTY = {  # cells without a transformation, and why
    (_B, _C): "a boolean column is a categorical one already",
    (_B, _B): "a boolean column is one already",
}
_READ_AS = {Kind.COUNT: _Q, Kind.RATIO: _Q, Kind.DATE: _Q}


def plan(from_kind: Any, to_kind: Any) -> Transformation:
    """How a column of one kind becomes one of another.

    Parameters
    ----------
    from_kind, to_kind : "quantitative", "ordinal", "categorical" or "boolean"; counts, ratios and dates are taken as
        quantitative

    Examples
    --------
    >>> from suffice.features import plan
    >>> plan("categorical", "quantitative").name, plan("quantitative", "boolean").objects
    ('calibration', ('Threshold', 'Binarizer'))
    """
    pair = _kind("from_kind", from_kind), _kind("to_kind", to_kind)
    if pair in EMPTY:
        came = Said(f"{pair[0].value} and {pair[1].value}")
        raise bad("plan", "kinds", f"such that something is to do ({EMPTY[pair]})", came, "Use it as it is.")
    return TABLE[pair]


def _kind(name: str, given: Any) -> Kind:
    kind = Kind.read("plan", name, given)
    kind = _READ_AS.get(kind, kind)
    if kind not in (_Q, _O, _C, _B):
        rule = "quantitative, ordinal, categorical or boolean"
        raise bad(
            "plan", name, rule, Said(kind.value), "Texts become counts of words, and identifiers are no features."
        )
    return kind
