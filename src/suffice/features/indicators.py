"""Symbols as indicators: one column a category, from counts over open vocabularies. No scikit-learn.

z_jv = 1 if x_j is the category v, else 0
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from suffice.core.affine import Indicated
from suffice.core.block import Array, Block, Coded
from suffice.core.by_class import canonical
from suffice.core.errors import BadType, Said, bad, refusal
from suffice.core.kinds import Kind
from suffice.core.registry import saved
from suffice.core.schema import Column, Schema
from suffice.core.shares import Shares
from suffice.core.summary import Together
from suffice.core.tally import Tally
from suffice.features.categories import (
    FEW,
    MISSING,
    Infrequent,
    absent,
    category_array,
    nan_for,
    refuse_strangers,
    shown,
)
from suffice.features.column_plan import SymbolCells
from suffice.summaries.counts import Counts

Dropped = Callable[[Sequence[Any]], int | None]
DROPS: Mapping[str | None, Dropped] = {  # which of a column's categories has no column of its own
    None: lambda categories: None,
    "first": lambda categories: 0,
    "if_binary": lambda categories: 0 if len(categories) == 2 else None,
}


@dataclass(frozen=True)
class Unknown:
    """What happens to a cell whose category was never learned."""

    refused: bool
    told: bool | None  # whether a warning says so; None: where a category is dropped, whose zeros look alike
    grouped: bool = False  # whether it is one of the infrequent, where there are such


UNKNOWN: Mapping[str, Unknown] = {
    "error": Unknown(True, False),
    "ignore": Unknown(False, None),
    "infrequent_if_exist": Unknown(False, None, True),
    "warn": Unknown(False, True, True),
}


@saved
@dataclass(frozen=True)
class IndicatorPlan(SymbolCells):
    """Which categories there are, which is dropped, and what is done about others."""

    categories: tuple[tuple[Any, ...], ...] | None = None  # of each column; None: those that rows show
    drop: Any = None  # a name in `DROPS`, or one category a column
    unknown: str = "error"
    sparse: bool = True
    kind: str = "<f8"  # NumPy's name for the type of indicators
    rare: Infrequent | None = None  # which categories share an indicator
    combine: Callable[[Any, Any], str] | None = None  # the name of an indicator, from column and category

    @property
    def linear(self) -> bool:  # type: ignore[override]
        """Whether it is linear in indicators of an open vocabulary: one each, not one for all infrequent ones."""
        return self.rare is None

    encodes: ClassVar[bool] = True  # columns of symbols become others

    def learner(self, schema: Schema) -> IndicatorLearner:
        """The learner."""
        if self.categories is not None and len(self.categories) != len(schema.columns):
            rule = f"one list for each of the {len(schema.columns)} columns (Shape mismatch: if categories is an array)"
            raise bad(self.owner, "categories", rule, len(self.categories), "Give one list a column.")
        if isinstance(self.drop, tuple) and len(self.drop) != len(schema.columns):
            rule = f"one category for each of the {len(schema.columns)} columns (`drop` should have length equal to \
the number of features)"
            raise bad(self.owner, "drop", rule, len(self.drop), "Give one category a column.")
        return IndicatorLearner(self, schema.names)

    def readings(self) -> tuple[type[Any], ...]:
        """Categories, and which is dropped."""
        from suffice.features.indicator_readings import IndicatorReadings

        return (IndicatorReadings,)


@dataclass(frozen=True)
class IndicatorLearner:
    """Keeps how many rows there are, and how many have each category."""

    plan: IndicatorPlan
    names: tuple[Any, ...]

    def summarize(self, block: Block, model: Indicators | None = None) -> Together:
        """Counts of all rows."""
        return self.shared(block, Shares.hard(np.zeros(block.n, dtype=np.int32), 1, block.w))

    def shared(self, block: Block, R: Shares) -> Together:
        """Counts of the rows of each component."""
        return Together((Tally.of(R), Counts.of(block.parts[0], R)))

    def free(self, block: Block) -> Block:
        """Rows as those after it may keep them before categories are known: a missing cell is a category too."""
        part = block.parts[0]
        lacking = (part.codes < 0).any(axis=0)
        ends = np.array([len(labels) for labels in part.labels], dtype=part.codes.dtype)
        labels = tuple((*some, MISSING) if gap else tuple(some) for some, gap in zip(part.labels, lacking, strict=True))
        return block._replace(parts=(Coded(np.where(part.codes < 0, ends, part.codes), labels),))

    def estimate(self, summary: Together, model: Indicators | None = None) -> Indicators:
        """The categories that rows showed, in order, missing cells as the last; or those that were given."""
        tally, counts = summary.parts
        assert isinstance(tally, Tally)
        assert isinstance(counts, Counts)
        rows, total = counts.rows.sum(axis=0), int(tally.rows.sum())
        found = []
        for labels, at in zip(counts.labels, counts.slices, strict=True):
            lacking = (MISSING,) if int(rows[at].sum()) < total else ()
            found.append((*canonical(labels), *lacking))
        categories = self._checked(found)
        made = Indicators(self.plan, self.names, categories, self._few(categories, tally, counts))
        made.check_drops()
        return made

    def _few(
        self, categories: tuple[tuple[Any, ...], ...], tally: Tally, counts: Counts
    ) -> tuple[tuple[Any, ...], ...]:
        """The infrequent categories of each column."""
        rule = self.plan.rare
        if rule is None:
            return ()
        weight, total, found = counts.weight.sum(axis=0), float(tally.weight.sum(0)[0]), []
        for some, labels, at in zip(categories, counts.labels, counts.slices, strict=True):
            each = dict(zip(labels, weight[at].tolist(), strict=True))
            each[MISSING] = total - float(weight[at].sum())
            found.append(rule.among(some, np.array([each.get(v, 0.0) for v in some]), total))
        return tuple(found)

    def _checked(self, found: list[tuple[Any, ...]]) -> tuple[tuple[Any, ...], ...]:
        """The categories that were given, if none was shown beside them that matters."""
        if self.plan.categories is None:
            return tuple(found)
        given = tuple(tuple(MISSING if absent(v) else v for v in some) for some in self.plan.categories)
        for j, (mine, theirs) in enumerate(zip(given, found, strict=True)):
            strange = [category for category in theirs if category not in set(mine)]
            if strange and UNKNOWN[self.plan.unknown].refused:
                refuse_strangers(self.plan.owner, self.names[j], j, strange)
        return given


@dataclass(frozen=True)
class Indicators:
    """The categories of each column, and where their indicators lie."""

    plan: IndicatorPlan
    names: tuple[Any, ...]  # of the columns
    categories: tuple[tuple[Any, ...], ...]
    few: tuple[tuple[Any, ...], ...] = ()  # the infrequent ones of each column; (): none are

    @property
    def image(self) -> Indicated:
        """What summaries are pushed by."""
        at = tuple((j, category) for j, some in enumerate(self.kept) for category in some)
        return Indicated(self.names_out(self.names), self.names, at)

    @cached_property
    def groups(self) -> tuple[tuple[Any, ...], ...]:
        """The categories of each column that stand alone, then all infrequent ones as one."""
        if not any(self.few):
            return self.categories
        both = zip(self.categories, self.few, strict=True)
        return tuple((*(v for v in some if v not in few), *((FEW,) if few else ())) for some, few in both)

    def check_drops(self) -> None:
        """Refuse to drop what is no category of its own."""
        for j, category in enumerate(self.plan.drop if isinstance(self.plan.drop, tuple) else ()):
            category = MISSING if absent(category) else category
            told = nan_for(category)
            if self.few and category in self.few[j]:
                rule = f"frequent (Unable to drop category {told!r} from feature {j} because it is infrequent)"
            elif category not in self.categories[j]:
                rule = f"among those of column {j} (The following categories were supposed to be dropped, but were \
not found in the training data.)"
            else:
                continue
            raise bad(self.plan.owner, "a category to drop", rule, told)

    @cached_property
    def dropped(self) -> tuple[int | None, ...]:
        """The place of the group of each column that has no indicator."""
        if isinstance(self.plan.drop, tuple):
            both = zip(self.groups, self.plan.drop, strict=True)
            return tuple(some.index(MISSING if absent(v) else v) for some, v in both)
        return tuple(DROPS[self.plan.drop](some) for some in self.groups)

    @cached_property
    def kept(self) -> tuple[tuple[Any, ...], ...]:
        """The groups that have an indicator."""
        both = zip(self.groups, self.dropped, strict=True)
        return tuple(tuple(v for i, v in enumerate(some) if i != out) for some, out in both)

    @cached_property
    def starts(self) -> list[int]:
        """Where the indicators of each column begin, and how many there are in all."""
        return [0, *np.cumsum([len(some) for some in self.kept]).tolist()]

    @cached_property
    def _places(self) -> list[tuple[dict[Any, int], int]]:
        """Which indicator each category has, -1: it is dropped; and that of cells that were never learned."""
        found = []
        grouped = UNKNOWN[self.plan.unknown].grouped
        for j, (some, mine, start) in enumerate(zip(self.categories, self.kept, self.starts, strict=False)):
            at = {v: start + i for i, v in enumerate(mine)}
            few = set(self.few[j]) if self.few else set()
            found.append(({v: at.get(FEW if v in few else v, -1) for v in some}, at.get(FEW, -1) if grouped else -1))
        return found

    def codes(self, block: Block) -> Array:
        """The indicator that is 1 in each row and column (n, d); -1 where none is."""
        part = block.parts[0]
        assert isinstance(part, Coded)
        out = np.empty(part.codes.shape, dtype=np.int64)
        strange: dict[int, list[Any]] = {}
        for j, (labels, (known, other)) in enumerate(zip(part.labels, self._places, strict=True)):
            cells = (*labels, MISSING)  # -1 is the last
            codes = part.codes[:, j]
            odd = [i if i < len(labels) else -1 for i, cell in enumerate(cells) if cell not in known]
            if odd and np.isin(codes, odd).any():
                strange[j] = [cells[i] for i in odd if (codes == i).any()]
            out[:, j] = np.array([known.get(cell, other) for cell in cells], dtype=np.int64)[codes]
        if strange:
            self._tell(strange)
        return out

    def _tell(self, strange: Mapping[int, list[Any]]) -> None:
        """Refuse categories that were never learned, or say that they become zeros."""
        how = UNKNOWN[self.plan.unknown]
        if how.refused:
            j, found = next(iter(strange.items()))
            rule = f"those of training (Found unknown categories {shown(found)} in column {j} during transform)"
            remedy = "Use handle_unknown='ignore' to make them zeros."
            raise bad(self.plan.owner, f"the categories of column {j}", rule, Said(shown(found)), remedy)
        if how.told or (how.told is None and self.plan.drop is not None):
            warnings.warn(
                f"Found unknown categories in columns {list(strange)} during transform. These unknown categories will "
                f"be encoded as {'the infrequent category.' if how.grouped else 'all zeros'}",
                UserWarning,
                stacklevel=2,
            )

    def map(self, block: Block) -> Block:
        """Indicators of the rows (n, V), as an array."""
        codes = self.codes(block)
        out = np.zeros((len(codes), self.starts[-1]))
        row, column = np.nonzero(codes >= 0)
        out[row, codes[row, column]] = 1.0
        return block._replace(parts=(out,))

    def finish(self, codes: Array, cells: Any = None) -> Any:
        """Codes of all rows as the matrix that was asked for."""
        from scipy.sparse import csr_array, csr_matrix

        n, shape = len(codes), (len(codes), self.starts[-1])
        live = codes >= 0
        ends = np.concatenate([[0], np.cumsum(live.sum(axis=1))])
        ones = np.ones(int(ends[-1]), dtype=self.plan.kind)
        made = csr_array((ones, codes[live].astype(np.int32), ends.astype(np.int32)), shape=shape)
        return csr_matrix(made) if self.plan.sparse else made.toarray().reshape(n, shape[1])

    def inverse(self, Z: Array) -> Array:
        """The category of each row and column; zeros are the dropped one, or None where none is."""
        columns = [self._inverse(j, Z[:, self.starts[j] : self.starts[j + 1]]) for j in range(len(self.categories))]
        kinds = {column.dtype for column in columns}
        out = np.empty((len(Z), len(columns)), dtype=kinds.pop() if len(kinds) == 1 else object)
        for j, column in enumerate(columns):
            out[:, j] = column
        return out

    def _inverse(self, j: int, Z: Array) -> Array:
        kept, out = self.kept[j], self.dropped[j]
        values = category_array((*kept, *((self.groups[j][out],) if out is not None else ())))
        zeros = ~(Z != 0).any(axis=1) if Z.shape[1] else np.ones(len(Z), dtype=bool)
        if out is None and zeros.any() and UNKNOWN[self.plan.unknown].refused:
            rule = f"an indicator of every column (Samples {np.flatnonzero(zeros)} can not be inverted when drop=None \
and handle_unknown='error' because they contain all zeros)"
            raise bad(self.plan.owner, "a row", rule, Said(f"zeros in row {int(np.flatnonzero(zeros)[0])}"))
        place = np.where(zeros, len(kept), Z.argmax(axis=1) if Z.shape[1] else 0)
        if out is None and zeros.any():
            values = np.append(values.astype(object), [None])
        return np.asarray(values[place])

    def map_schema(self, schema: Schema) -> Schema:
        """One column of numbers an indicator."""
        return Schema(tuple(Column(name, Kind.QUANTITATIVE) for name in self.names_out(schema.names)))

    def names_out(self, names: tuple[Any, ...]) -> tuple[str, ...]:
        """column_category, or what `combine` says."""
        both = zip(names, self.kept, strict=True)
        if self.plan.combine is None:
            return tuple(f"{name}_{nan_for(v)}" for name, some in both for v in some)
        made = [self.plan.combine(name, v) for name, some in both for v in category_array(some)]
        odd = next((word for word in made if not isinstance(word, str)), None)
        if odd is not None:
            rule = "a function to a string (When `feature_name_combiner` is a callable, it should return a Python \
string.)"
            raise refusal(BadType, self.plan.owner, "feature_name_combiner", rule, odd)
        return tuple(made)
