"""Symbols as numbers: codes of categories, of groups of them, or their ranks. No scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.by_class import canonical
from suffice.core.errors import Said, bad
from suffice.core.kinds import Kind
from suffice.core.registry import saved
from suffice.core.schema import Column, Schema
from suffice.core.summary import Together
from suffice.core.tally import Tally
from suffice.features.categories import (
    FEW,
    MISSING,
    Infrequent,
    category_array,
    nan_for,
    refuse_strangers,
)
from suffice.features.column_plan import SymbolCells
from suffice.features.discretise.agglomerative_merging import merge_classes
from suffice.features.discretise.strategies import critical_value
from suffice.summaries.counts import Counts


@saved
@dataclass(frozen=True)
class CodePlan(SymbolCells):
    """Which code each category gets, and what becomes of others."""

    how: Any = None  # an object with `codes`
    unknown: float | None = None  # code of what was never learned; None: it is refused
    missing: float = np.nan  # code of missing cells
    kind: str = "<f8"
    rare: Infrequent | None = None  # which categories share the last code

    @property
    def supervised(self) -> bool:  # type: ignore[override]
        """Whether codes look at classes."""
        return bool(self.how.supervised)

    @property
    def face(self) -> str:  # type: ignore[override]
        """Whether rows come with labels."""
        return "supervised_transformer" if self.supervised else "transformer"

    def keeps(self, schema: Schema) -> Any:
        """Counts by class, or of all rows."""
        return self.supervised

    def made(self, schema: Schema, labels: tuple[Any, ...], kept: Together) -> SymbolCodes:
        """The code of every category of every column."""
        tally, counts = kept.parts
        assert isinstance(tally, Tally)
        assert isinstance(counts, Counts)
        total = int(tally.rows.sum())
        tables, lacking, few = [], [], []
        for j, name in enumerate(schema.names):
            shown = canonical(counts.labels[j])
            place = {label: i for i, label in enumerate(counts.labels[j])}
            at = np.array([place[label] for label in shown], dtype=np.intp)
            gone = int(counts.rows[:, counts.slices[j]].sum()) < total
            lacking.append(gone)
            weight = counts.column(j)[:, at]
            table = self.how.codes(self.owner, name, j, shown, weight, gone, self.unknown)
            few.append(self._few(table, dict(zip(shown, weight.sum(axis=0).tolist(), strict=True)), tally))
            tables.append(_grouped(table, few[-1]))
        made = SymbolCodes(self, schema.names, tuple(tables), tuple(lacking), tuple(few))
        made.check_codes()
        return made

    def _few(self, table: Mapping[Any, float], weight: Mapping[Any, float], tally: Tally) -> tuple[Any, ...]:
        if self.rare is None:
            return ()
        each = np.array([weight.get(label, 0.0) for label in table])
        return self.rare.among(tuple(table), each, float(tally.weight.sum(0)[0]))

    def readings(self) -> tuple[type[Any], ...]:
        """Categories and groups."""
        return (CodeReadings,)


@saved
@dataclass(frozen=True)
class InOrder:
    """Categories in order, from 0: as they sort, or as they were given."""

    categories: tuple[tuple[Any, ...], ...] | None = None

    supervised = False

    def codes(
        self, owner: str, name: Any, j: int, shown: tuple[Any, ...], weight: Array, gone: bool, unknown: Any
    ) -> Mapping[Any, float]:
        """Code of each category."""
        if self.categories is None:
            return {label: float(i) for i, label in enumerate(shown)}
        if j >= len(self.categories):
            raise bad(owner, "categories", "one list a column (Shape mismatch: if categories is an array)", j)
        given = [label for label in self.categories[j] if label is not None and label == label]
        strange = [label for label in shown if label not in set(given)]
        if strange and unknown is None:
            refuse_strangers(owner, name, j, strange)
        return {label: float(i) for i, label in enumerate(given)}


@saved
@dataclass(frozen=True)
class ByRate:
    """Categories in the order of the share of the last class, or of how frequent they are."""

    by_class: bool = True

    @property
    def supervised(self) -> bool:
        """Whether the share of a class decides."""
        return self.by_class

    def codes(
        self, owner: str, name: Any, j: int, shown: tuple[Any, ...], weight: Array, gone: bool, unknown: Any
    ) -> Mapping[Any, float]:
        """Rank of each category; those alike in the order in which they sort."""
        n = weight.sum(axis=0)
        rate = weight[-1] / np.where(n > 0, n, 1.0) if self.by_class else n
        order = np.argsort(rate, kind="stable")
        return {shown[i]: float(rank) for rank, i in enumerate(order.tolist())}


@saved
@dataclass(frozen=True)
class RareTogether:
    """Categories that few rows have are one group, the last; the others keep a code of their own."""

    least: float = 0.01  # share of the rows
    most: int | None = None  # groups

    supervised = False

    def codes(
        self, owner: str, name: Any, j: int, shown: tuple[Any, ...], weight: Array, gone: bool, unknown: Any
    ) -> Mapping[Any, float]:
        """Group of each category."""
        n = weight.sum(axis=0)
        keep = n >= self.least * n.sum()
        if self.most is not None and keep.sum() > self.most - 1 and len(n) > self.most:
            top = np.argsort(-n, kind="stable")[: self.most - 1]
            keep &= np.isin(np.arange(len(n)), top)
        code = np.where(keep, np.cumsum(keep) - 1, keep.sum())
        return {label: float(c) for label, c in zip(shown, code.tolist(), strict=True)}


@saved
@dataclass(frozen=True)
class AlikeTogether:
    """Categories in the order of the share of the last class; neighbours whose classes do not differ are one group."""

    p: float = 0.05
    most: int | None = None  # groups

    supervised = True

    def codes(
        self, owner: str, name: Any, j: int, shown: tuple[Any, ...], weight: Array, gone: bool, unknown: Any
    ) -> Mapping[Any, float]:
        """Group of each category, rising with the share."""
        n = weight.sum(axis=0)
        order = np.argsort(weight[-1] / np.where(n > 0, n, 1.0), kind="stable")
        K = len(weight)
        start = merge_classes(weight.T[order], critical_value(self.p, K) if K > 1 else np.inf, most=self.most)
        group = np.searchsorted(start, np.arange(len(order)), side="right") - 1
        return {shown[i]: float(g) for i, g in zip(order.tolist(), group.tolist(), strict=True)}


def _grouped(table: Mapping[Any, float], few: tuple[Any, ...]) -> Mapping[Any, float]:
    """The same with the infrequent ones as the last; the order of the categories stays."""
    if not few:
        return table
    left = [label for label in table if label not in few]
    codes = {label: float(i) for i, label in enumerate(left)}
    return {label: codes.get(label, float(len(left))) for label in table}


class CodeReadings:
    """Categories and groups."""

    @property
    def categories_(self: Any) -> list[Array]:
        """The categories of each column, in the order of their codes; a missing cell is the last."""
        model = self._state()[0].model
        found = []
        for j, (table, gone) in enumerate(zip(model.tables, model.lacking, strict=True)):
            order = list(table) if model.few[j] else sorted(table, key=table.__getitem__)
            found.append(category_array((*order, *([MISSING] if gone else []))))
        return found

    @property
    def infrequent_categories_(self: Any) -> list[Array | None]:
        """The categories of each column that share the last code; None where none do."""
        return [category_array(some) if some else None for some in self._state()[0].model.few]

    @property
    def groups_(self: Any) -> list[list[list[Any]]]:
        """The categories that share a code, code by code, column by column."""
        found = []
        for table in self._state()[0].model.tables:
            groups: dict[float, list[Any]] = {}
            for label, code in table.items():
                groups.setdefault(code, []).append(label)
            found.append([groups[code] for code in sorted(groups)])
        return found


@dataclass(frozen=True)
class SymbolCodes:
    """The code of each category of each column."""

    plan: CodePlan
    names: tuple[Any, ...]
    tables: tuple[Mapping[Any, float], ...]
    lacking: tuple[bool, ...]  # whether cells were missing
    few: tuple[tuple[Any, ...], ...]  # the infrequent categories, which share a code

    def check_codes(self) -> None:
        """Refuse a code for missing cells that is a category's, or that is no number of its type."""
        gone = [name for name, gone in zip(self.names, self.lacking, strict=True) if gone]
        missing = self.plan.missing
        if gone and np.isnan(missing) and np.dtype(self.plan.kind).kind != "f":
            rule = f"a number where cells are missing (There are missing values in features {gone}. For OrdinalEncoder \
to encode missing values with dtype: {np.dtype(self.plan.kind).type}, set encoded_missing_value to a non-nan value, or \
set dtype to a float dtype)"
            raise bad(self.plan.owner, "encoded_missing_value", rule, missing)
        both = zip(self.names, self.lacking, self.tables, strict=True)
        taken = [name for name, gone, table in both if gone and missing in table.values()]
        if taken:
            rule = f"no code of a category (encoded_missing_value ({missing:g}) is already used to encode a known \
category in features: {taken})"
            raise bad(self.plan.owner, "encoded_missing_value", rule, missing)

    def map(self, block: Block) -> Block:
        """Codes (n, d)."""
        part = block.parts[0]
        out = np.empty(part.codes.shape, dtype=self.plan.kind)
        for j, (labels, table) in enumerate(zip(part.labels, self.tables, strict=True)):
            odd = [label for label in labels if label not in table]
            codes = part.codes[:, j]
            if odd and self.plan.unknown is None:
                met = [label for i, label in enumerate(labels) if label in odd and (codes == i).any()]
                if met:
                    self._refuse(j, met)
            if self.plan.unknown is None and not self.lacking[j] and (codes < 0).any():
                self._refuse(j, [MISSING])
            other = np.nan if self.plan.unknown is None else self.plan.unknown
            gone = self.plan.missing if self.lacking[j] or self.plan.unknown is None else self.plan.unknown
            found = np.array([*(table.get(label, other) for label in labels), gone])[codes]
            out[:, j] = found
        return block._replace(parts=(out,))

    def _refuse(self, j: int, met: list[Any]) -> None:
        shown = str([nan_for(label) for label in met])
        rule = f"those of training (Found unknown categories {shown} in column {j} during transform)"
        remedy = "Say by handle_unknown what becomes of them."
        raise bad(self.plan.owner, f"the categories of column {j}", rule, Said(shown), remedy)

    def inverse(self, Z: Array) -> Array:
        """The category of each code; None where there is none."""
        arrays = [self._back(j, Z[:, j].tolist()) for j in range(len(self.tables))]
        kinds = {array.dtype for array in arrays}
        out = np.empty(Z.shape, dtype=kinds.pop() if len(kinds) == 1 else object)
        for j, array in enumerate(arrays):
            out[:, j] = array
        return out

    def _back(self, j: int, codes: list[float]) -> Array:
        """Categories of the codes of a column; an object array where some have none."""
        few, gone = self.few[j], self.plan.missing
        back = {code: FEW if label in few else label for label, code in self.tables[j].items()}
        if self.lacking[j]:
            back[gone] = MISSING
        nan = MISSING if self.lacking[j] and gone != gone else None
        found = [nan if z != z else back.get(z) for z in codes]
        if None not in found:
            return category_array(found)
        labels = category_array([MISSING if v is None else v for v in found]).astype(object)
        labels[[i for i, v in enumerate(found) if v is None]] = None
        return labels

    def map_schema(self, schema: Schema) -> Schema:
        """Numbers."""
        return Schema(tuple(Column(name, Kind.QUANTITATIVE) for name in schema.names))

    def names_out(self, names: tuple[Any, ...]) -> tuple[Any, ...]:
        """The names of the columns stay."""
        return names
