"""Columns as powers and products of others, and as truth values: maps that are free of the rows. No scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.errors import BadInput, Said, bad
from suffice.core.kinds import Kind
from suffice.core.registry import saved
from suffice.core.schema import Column, Schema
from suffice.core.sparse import is_sparse, with_cells
from suffice.core.summary import Together
from suffice.features.column_plan import NumberCells
from suffice.features.encode.sparse_products import lists_of_columns, sparse_products

SEVEN = ((1, 0), (0, 1), (3, 0), (0, 3), (1, 1), (2, 0), (0, 2))
SIXTEEN = (
    *((1, 0), (0, 1), (1, 1), (2, 0), (0, 2), (3, 0), (0, 3), (2, 1), (1, 2)),
    *((4, 0), (0, 4), (3, 1), (1, 3), (2, 2), (5, 0), (0, 5)),
)


@saved
@dataclass(frozen=True)
class ProductPlan(NumberCells):
    """How columns become products: an object that says which for d columns."""

    how: Any = None  # an object with `count` and `lists`
    order: str = "C"

    keeps_cells: ClassVar[bool] = False

    def check_sparse(self) -> None:
        """Products of zeros are zeros."""
        if not isinstance(self.how, UpToDegree):
            super().check_sparse()

    def made(self, schema: Schema, labels: tuple[Any, ...], kept: Together) -> ProductColumns:
        """Exponents."""
        d = len(schema.columns)
        self.how.count(self.owner, d)
        return ProductColumns(self.owner, self.how, d, self.order)

    def readings(self) -> tuple[type[Any], ...]:
        """Exponents."""
        return (ProductReadings,)


@saved
@dataclass(frozen=True)
class GivenTerms:
    """Exponents that were listed."""

    terms: tuple[tuple[int, ...], ...]

    def count(self, owner: str, d: int) -> int:
        """Number of products of d columns."""
        if any(len(term) != d for term in self.terms):
            found = next(term for term in self.terms if len(term) != d)
            raise bad(owner, "terms", f"exponents of {d} columns each", Said(str(found)), "Give one exponent a column.")
        return len(self.terms)

    def lists(self, d: int) -> list[tuple[int, ...]]:
        """The columns of each product, each as often as it is multiplied."""
        return [tuple(j for j, power in enumerate(term) for _ in range(power)) for term in self.terms]


@saved
@dataclass(frozen=True)
class UpToDegree:
    """All products of some degrees."""

    least: int = 0
    most: int = 2
    interactions: bool = False  # no column twice
    bias: bool = True

    @property
    def degrees(self) -> range:
        """Degrees of products, without that of the column of ones."""
        return range(max(1, self.least), self.most + 1)

    def count(self, owner: str, d: int) -> int:
        """Number of products of d columns."""
        found = int(self.bias) + sum(lists_of_columns(d, t, self.interactions) for t in self.degrees)
        if not found:
            rule = "such that a column is left (it would result in an empty output array)"
            raise bad(owner, "degree", rule, self.most, "Use include_bias or a larger degree.")
        return found

    def lists(self, d: int) -> list[tuple[int, ...]]:
        """The columns of each product, each as often as it is multiplied."""
        from itertools import chain, combinations, combinations_with_replacement

        ways = combinations if self.interactions else combinations_with_replacement
        chosen = chain.from_iterable(ways(range(d), t) for t in self.degrees)
        return [(), *chosen] if self.bias else list(chosen)


class ProductReadings:
    """Exponents."""

    @property
    def powers_(self: Any) -> Array:
        """Exponent of each column in each product (terms, d)."""
        return np.asarray(self._state()[0].model.powers)

    @property
    def n_output_features_(self: Any) -> int:
        """Number of products."""
        model = self._state()[0].model
        return int(model.how.count(model.owner, model.d))


@dataclass(frozen=True)
class ProductColumns:
    """Products of powers of columns."""

    owner: str
    how: Any  # an object with `count` and `lists`
    d: int
    order: str = "C"

    @cached_property
    def lists(self) -> list[tuple[int, ...]]:
        """The columns of each product; not made for sparse rows, of which there may be very many."""
        return self.how.lists(self.d)  # type: ignore[no-any-return]

    @cached_property
    def powers(self) -> Array:
        """Exponents (terms, d)."""
        out = np.zeros((len(self.lists), self.d), dtype=np.int64)
        for i, term in enumerate(self.lists):
            for j in term:
                out[i, j] += 1
        return out

    def map(self, block: Block) -> Block:
        """Products (n, terms); missing cells make theirs missing."""
        X = block.parts[0]
        if is_sparse(X):
            how = self.how
            products = sparse_products(self.owner, X, how.degrees, how.interactions, how.bias)
            if (beyond := np.isinf(products.data)).any():
                row = int(np.searchsorted(products.indptr, beyond.argmax(), side="right")) - 1
                raise self._beyond("every product", block, row)
            return block._replace(parts=(products,))
        out = np.empty((len(X), len(self.lists)), dtype=X.dtype if X.dtype.kind == "f" else np.float64, order="F")
        for i, term in enumerate(self.lists):
            column: Any = None
            with np.errstate(over="ignore"):  # refused below
                for j in term:
                    column = X[:, j] if column is None else column * X[:, j]
            out[:, i] = 1.0 if column is None else column
            if len(term) > 1 and (beyond := np.isinf(out[:, i])).any():
                name = f"the product {_named(term, [f'x{j}' for j in range(self.d)])!r}"
                raise self._beyond(name, block, int(beyond.argmax()))
        return block._replace(parts=(np.asarray(out, order=self.order),))  # type: ignore[call-overload]

    def _beyond(self, name: str, block: Block, row: int) -> BadInput:
        """The refusal of a product that no number holds: nothing can be learned from it."""
        came = Said(f"infinity in row {block.numbers[row]}")
        return bad(self.owner, name, "a product that numbers can hold", came, "Correct the cell, or scale the columns.")

    def map_schema(self, schema: Schema) -> Schema:
        """Numbers."""
        return Schema(tuple(Column(name, Kind.QUANTITATIVE) for name in self.names_out(schema.names)))

    def names_out(self, names: Sequence[Any]) -> tuple[Any, ...]:
        """Such as x0^2 x1."""
        return tuple(_named(term, names) for term in self.lists)


def _named(term: Sequence[int], names: Sequence[Any]) -> str:
    """Columns in their order, each once, with its power."""
    factors = [(names[j], term.count(j)) for j in sorted(set(term))]
    return " ".join(f"{name}^{p}" if p > 1 else str(name) for name, p in factors) or "1"


@saved
@dataclass(frozen=True)
class AbovePlan(NumberCells):
    """Cells above a given threshold are 1, others 0."""

    threshold: float = 0.0

    keeps_cells: ClassVar[bool] = False

    def check_sparse(self) -> None:
        """Zeros stay zeros unless they are above the threshold."""
        if self.threshold < 0:
            rule = "dense where the threshold is below 0 (Cannot binarize a sparse matrix with threshold < 0)"
            remedy = "Zeros would become ones: use X.toarray(), or a threshold of at least 0."
            raise bad(self.owner, "X", rule, Said("a sparse matrix"), remedy)

    def made(self, schema: Schema, labels: tuple[Any, ...], kept: Together) -> Above:
        """The threshold."""
        return Above(self.threshold)


@dataclass(frozen=True)
class Above:
    """z = 1 if x > threshold, else 0."""

    threshold: float

    def map(self, block: Block) -> Block:
        """Zeros and ones of the type of the cells."""
        X = block.parts[0]
        if is_sparse(X):
            some = with_cells(X, (self.threshold < X.data).astype(X.dtype))
            some.eliminate_zeros()
            return block._replace(parts=(some,))
        return block._replace(parts=((self.threshold < X).astype(X.dtype),))

    def map_schema(self, schema: Schema) -> Schema:
        """The same columns."""
        return schema

    def names_out(self, names: tuple[Any, ...]) -> tuple[Any, ...]:
        """The names of the columns stay."""
        return names
