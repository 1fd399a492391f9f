"""The written target: labels as text, whole numbers or truth values, missing in some rows; and written weights."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array, Coded
from suffice.core.errors import BadInput, Said, bad, shown
from suffice.core.kinds import Kind
from suffice.core.phrases import Phrase, Setting
from suffice.core.schema import Column
from suffice.sources.files.read_report import Strange
from suffice.sources.files.text_format import Format
from suffice.sources.written.convert import Read, fits, read_truth, read_value, relabel, strange_cells
from suffice.sources.written.written_cells import DECLARED_TRUTH, Text, day_of, is_whole, number_of

_INTEGER = re.compile(r"[+-]?[0-9]+")
_TRUTH = {"true": True, "false": False}  # "yes" and "no" are labels that a user wants to see again


class Labels(NamedTuple):
    """The labels of some rows."""

    y: Coded  # -1 where missing or bad
    kind: Kind
    missing: int
    strange: Strange | None


@dataclass(frozen=True)
class WrittenTarget:
    """How labels are read: as whole numbers, as truth values, or as they are written.

    >>> from suffice.sources.written.written_cells import ListText
    >>> WrittenTarget.found(ListText(["1", "0", "NA"], Format()), Format()).labels("y", ListText(["1"], Format())).y
    Coded(codes=array([[0]], dtype=int32), labels=((1,),))
    """

    read: Read
    kind: Kind
    met: dict[Any, set[str]] = field(default_factory=dict, compare=False)  # texts of labels that are not texts

    @classmethod
    def declared(cls, column: Column, format: Format) -> WrittenTarget:
        """What a declared kind asks for."""
        if column.kind in (Kind.TEXT, Kind.IDENTIFIER):
            rule = "one whose values are classes"
            raise bad("open_rows", f"the kind of target {column.name!r}", rule, column.kind.value, "Use categorical.")
        if column.kind is Kind.BOOLEAN:
            return cls(read_truth(DECLARED_TRUTH), column.kind)
        if column.kind in (Kind.COUNT, Kind.RATIO, Kind.QUANTITATIVE):
            return cls(_number(format), column.kind)
        if column.kind is Kind.DATE:
            return cls(_date, column.kind)
        return cls(str if column.order is None else read_value(column.order, format), column.kind)

    @classmethod
    def settled(cls, kind: Kind, format: Format) -> WrittenTarget:
        """What all labels of a pass before have shown."""
        read = {Kind.BOOLEAN: read_truth(_TRUTH), Kind.COUNT: _number(format)}.get(kind, str)
        return cls(read, Kind.QUANTITATIVE if kind is Kind.COUNT else kind)

    @classmethod
    def found(cls, text: Text, format: Format) -> WrittenTarget | None:
        """What the first labels show, as for any column; None where all are missing."""
        if not text.coded[1]:
            return None
        for read, kind in ((read_truth(_TRUTH), Kind.BOOLEAN), (_number(format), Kind.QUANTITATIVE)):
            if fits(text, read, format):
                return cls(read, kind)
        return cls(str, Kind.CATEGORICAL)

    def labels(self, name: Any, text: Text, start: int = 0) -> Labels:
        """The labels of some rows; refuses numbers that are no classes."""
        codes, written = text.coded
        values = [self.read(label) for label in written]
        for code, value in enumerate(values):
            if isinstance(value, float) and not value.is_integer():
                raise _not_a_class(name, value, start + int(np.argmax(codes == code)))
        for value, label in zip(values, written, strict=True):
            if value is not None and not isinstance(value, str):
                self.met.setdefault(value, set()).add(label)
        found, labels = relabel(codes, values)
        y = Coded(found[:, None], (tuple(labels),))
        return Labels(y, self._shown(written, values), int((codes < 0).sum()), strange_cells(codes, written, values))

    def _shown(self, written: Sequence[str], values: Sequence[Any]) -> Kind:
        if self.kind is not Kind.QUANTITATIVE:
            return self.kind
        there = [text for text, value in zip(written, values, strict=True) if value is not None]
        return Kind.COUNT if there and all(map(is_whole, there)) else Kind.QUANTITATIVE if there else Kind.UNKNOWN


def _number(format: Format) -> Read:
    """Whole numbers as such, others as floats."""

    def read(text: str) -> Any:
        value = number_of(text, format.decimal)
        return int(text) if value is not None and len(text) < 300 and _INTEGER.fullmatch(text.strip()) else value

    return read


def _date(text: str) -> str | None:
    """A date as it is written: each is a class."""
    return text if day_of(text) is not None else None


def _not_a_class(name: Any, value: float, row: int) -> BadInput:
    return bad(
        "open_rows",
        f"the labels of target {name!r}",
        "classes",
        Said(f"{shown(value)} in row {row}"),
        Phrase(
            "Group the numbers into classes, or declare ",
            Setting("", kinds={name: "categorical"}),
            " if each number is one.",
        ),
    )


def not_numbers(owner: str, column: Column) -> BadInput:
    """What to say of a target that is to be predicted as a number and is none."""
    remedy: str = "Use a classifier for classes."
    if column.kind is Kind.CATEGORICAL:
        form = Setting("Format", written={column.name: "1,234.5"})
        remedy = Phrase("Use a classifier for classes; if these are numbers, say how they are written: ", form, ".")
    return bad(owner, f"the target {column.name!r}", "a column of numbers", column.kind.value, remedy)


def read_written_weights(name: Any, text: Text, format: Format, needed: Array | None, start: int) -> Array:
    """Weights (n,); rows that are not needed weigh nothing, whatever is written."""
    weights = text.floats
    if weights is None:
        codes, labels = text.coded
        values = [number_of(label, format.decimal) for label in labels]
        odd = strange_cells(np.where(needed, codes, -1) if needed is not None else codes, labels, values)
        if odd is not None:
            raise _bad_weight(name, shown(odd.text), start + odd.first)
        weights = np.array([*(np.nan if v is None else v for v in values), np.nan])[codes]
    return check_weights(name, weights, needed, start)


def check_weights(name: Any, weights: Array, needed: Array | None, start: int) -> Array:
    """Weights (n,) that are numbers of at least 0; rows that are not needed weigh nothing."""
    weights = weights if needed is None else np.where(needed, weights, 0.0)
    odd = np.flatnonzero(~((weights >= 0) & (weights < np.inf)))
    if len(odd):
        value = float(weights[odd[0]])
        raise _bad_weight(name, "nothing" if np.isnan(value) else f"{value:g}", start + int(odd[0]))
    return weights


def _bad_weight(name: Any, got: str, row: int) -> BadInput:
    return bad(
        "open_rows",
        f"the weights of column {name!r}",
        "numbers of at least 0 in every row",
        Said(f"{got} in row {row}"),
        "Correct it, or give a row that should not count weight 0.",
    )
