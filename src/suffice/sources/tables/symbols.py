"""Symbols as codes: each table library codes its own column inside a block; what it lacks is done by a dictionary."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import BadInput, Said, bad, shown
from suffice.sources.tables.cells import OTHER, absent, addresses, singletons
from suffice.sources.tables.hash_codes import hashed_texts, hashed_words

What = tuple[str, str]  # who refuses a cell, and what the cell is called
Symbols = tuple[Array, list[Any]]  # codes (n,) int32, -1 where missing, and the values they stand for
HASHED = 256  # cells from which our own hash tables may pay
SPAN = 1_000_000  # whole numbers within such a range are coded by a table


def code_column(what: What, column: Any, first: int = 0) -> Symbols:
    """The symbols of a narwhals column."""
    import narwhals.stable.v2 as nw

    native = column.to_native()
    objects = str(getattr(native, "dtype", "")) == "object"  # whose type narwhals would guess
    if not objects and column.dtype == nw.Boolean:
        return _booleans(column), [False, True]
    if hasattr(native, "factorize"):
        return _by_pandas(what, native, first)
    if column.dtype in (nw.String, nw.Categorical, nw.Enum):
        try:
            return _by_arrow(native.to_arrow() if hasattr(native, "to_arrow") else native)
        except (ModuleNotFoundError, TypeError):  # polars without pyarrow; values that can't be hashed
            pass
    return code_cells(what, column.to_list(), first)


def _booleans(column: Any) -> Array:
    import narwhals.stable.v2 as nw

    native = column.to_native()
    codes: Array
    if str(getattr(native, "dtype", "")) == "boolean":  # pandas' own; narwhals would take eight times as long
        codes = native.to_numpy(dtype=np.int32, na_value=-1)
    else:
        codes = column.cast(nw.Int8).fill_null(-1).to_numpy().astype(np.int32)
    return codes


def _by_pandas(what: What, column: Any, first: int) -> Symbols:
    found = _few_objects(column) if str(column.dtype) == "object" else None
    found = _texts(_arrow_of(column)) if found is None else found
    if found is not None:
        return found
    try:
        return _factorized(column)
    except TypeError:  # a cell that can't be hashed; the slow way finds it
        return code_cells(what, column.tolist(), first)


def _few_objects(column: Any) -> Symbols | None:
    """Codes of the objects of a column, of which each is looked at once; None where most are different ones."""
    cells = column.to_numpy()
    found = _distinct(cells)
    if found is None:
        return None
    codes, rows = found
    some = cells[rows].tolist()
    if set(map(type, some)) == {str} and len(set(some)) == len(some):
        return codes, some
    try:
        own, labels = _factorized(column.iloc[rows])
    except TypeError:
        return None
    return own[codes], labels


def _distinct(cells: Array) -> tuple[Array, Array] | None:
    """Codes of the objects of an array, equal for the same object, and the first row of each; None: no way pays."""
    where = addresses(cells) if len(cells) >= HASHED else None
    return None if where is None else hashed_words(where, crowded=False)


def _factorized(column: Any) -> Symbols:
    if str(column.dtype) == "object":
        truths = code_truths(column.to_numpy())
        if truths is not None:
            return truths
    codes, labels = column.factorize()
    found = codes.astype(np.int32), list(map(_plain, labels.tolist()))
    return merged([found]) if str(column.dtype).startswith("dictionary") else found


def _arrow_of(column: Any) -> Any:
    """The texts of a column of pandas as Arrow keeps them; None where it does not."""
    if "str" not in str(column.dtype) or not hasattr(column.array, "__arrow_array__"):
        return None
    return column.array.__arrow_array__() if getattr(column.dtype, "storage", "pyarrow") == "pyarrow" else None


def _texts(column: Any) -> Symbols | None:
    """The symbols of a string column of Arrow by hash tables of our own; None where they do not pay."""
    if column is None or len(column) < HASHED:
        return None
    chunks = [chunk for chunk in getattr(column, "chunks", [column]) if len(chunk)]
    pieces = [piece for piece in map(hashed_texts, chunks) if piece is not None]
    if not pieces or len(pieces) < len(chunks):
        return None
    return pieces[0] if len(pieces) == 1 else merged(pieces)


def _by_arrow(column: Any) -> Symbols:
    if not len(column):
        return np.empty(0, dtype=np.int32), []
    if hasattr(column.type, "index_type"):  # a dictionary of its own, or one for each chunk
        chunks = column.chunks if hasattr(column, "chunks") else [column]
        return merged([(_indices(chunk), chunk.dictionary.to_pylist()) for chunk in chunks])
    found = _texts(column)
    if found is not None:
        return found
    coded = column.dictionary_encode()
    coded = coded.combine_chunks() if hasattr(coded, "combine_chunks") else coded  # unites the chunks' dictionaries
    return present(_indices(coded), coded.dictionary.to_pylist())


def _indices(coded: Any) -> Array:
    codes: Array = coded.indices.cast("int32").fill_null(-1).to_numpy(zero_copy_only=False)
    return codes


def merged(pieces: Sequence[Symbols]) -> Symbols:
    """Pieces of a column one after the other, each with labels of its own: equal ones are one, and some are missing.

    A dictionary of Arrow may hold a value twice, or none, and need not be that of the chunk before.
    """
    place: dict[Any, int] = {}
    found = []
    for codes, labels in pieces:
        own = [-1 if absent(label) else place.setdefault(label, len(place)) for label in labels]
        found.append(np.array([*own, -1], dtype=np.int32)[codes] if own != list(range(len(own))) else codes)
    return found[0] if len(found) == 1 else np.concatenate(found), list(place)


def code_truths(cells: Array) -> Symbols | None:
    """The symbols of an array of objects that are True, False or missing; None if there is any other."""
    codes = singletons(cells)
    rest = codes == OTHER
    if not all(map(absent, cells[rest].tolist())):
        return None
    codes[rest] = -1
    return codes.astype(np.int32), [False, True] if (codes >= 0).any() else []


def code_array(what: What, values: Array, first: int = 0) -> Symbols:
    """The symbols of a one-dimensional array."""
    if values.dtype.kind == "b":
        return values.astype(np.int32), [False, True]
    if values.dtype.kind in "iu":
        return code_integers(values)
    if values.dtype.kind == "O":
        return _code_objects(what, values, first)
    if values.dtype.kind in "mM":
        values = values.astype(f"{values.dtype.kind}8[us]")  # finer ones would come as whole numbers
    return code_cells(what, values.tolist(), first)


def _code_objects(what: What, values: Array, first: int) -> Symbols:
    found = _distinct(values)
    if found is not None:
        codes, rows = found
        if all(map(_hashable, cells := values[rows].tolist())):
            own, labels = code_truths(values[rows]) or code_cells(what, cells)
            return own[codes], labels
    return code_truths(values) or code_cells(what, values.tolist(), first)


def code_integers(values: Array) -> Symbols:
    """Codes of whole numbers, smallest first, by a table; where they are far apart, by a dictionary."""
    low, high = (int(values.min()), int(values.max())) if len(values) else (0, -1)
    if high - low >= SPAN:
        return code_cells(("X", "a whole number"), values.tolist())
    wide = values if values.dtype.itemsize > 2 else values.astype(np.int32)  # 127 - (-128) is no 8-bit number
    at = (wide - wide.dtype.type(low) if low else wide).astype(np.intp, copy=False)
    seen = np.zeros(high - low + 1, dtype=bool)
    seen[at] = True
    if seen.all():
        return at.astype(np.int32), list(range(low, high + 1))
    place = np.cumsum(seen, dtype=np.int32) - np.int32(1)
    return place[at], [low + step for step in np.flatnonzero(seen).tolist()]


def code_cells(what: What, cells: Sequence[Any], first: int = 0) -> Symbols:
    """Codes in order of appearance, -1 where missing, and the values they stand for, as plain Python values.

    By a dictionary, not by sorting, so that any values may meet; `what` is for the sentence about a value that can't.
    """
    place: defaultdict[Any, int] = defaultdict()
    place.default_factory = place.__len__  # a new value gets the next number
    try:
        codes = np.fromiter(map(place.__getitem__, cells), dtype=np.int32, count=len(cells))
    except TypeError:
        raise _not_single(what, cells, first) from None
    return present(codes, list(map(_plain, place)))


def present(codes: Array, labels: list[Any]) -> Symbols:
    """Without the labels that are missing values: their code becomes -1."""
    return keep(codes, labels, ~np.fromiter(map(absent, labels), dtype=bool, count=len(labels)))


def keep(codes: Array, labels: list[Any], kept: Array) -> Symbols:
    """Only some of the labels: the code of the others becomes -1."""
    if kept.all():
        return codes, labels
    place = np.append(np.where(kept, np.cumsum(kept) - 1, -1), -1).astype(np.int32)  # code -1 stays -1
    return place[codes], [label for label, stays in zip(labels, kept, strict=True) if stays]


def _plain(cell: Any) -> Any:
    """NumPy's numbers, Booleans and texts as Python's."""
    simple = isinstance(cell, (np.number, np.bool_, np.str_, np.bytes_)) and not isinstance(cell, np.timedelta64)
    return cell.item() if simple else cell


def _not_single(what: What, cells: Sequence[Any], first: int) -> BadInput:
    row = next(row for row, cell in enumerate(cells) if not _hashable(cell))
    return bad(
        *what,
        "a single value",
        Said(f"{shown(cells[row])} in row {first + row}"),
        "Split it into columns, or leave it out.",
    )


def _hashable(cell: Any) -> bool:
    try:
        hash(cell)
    except TypeError:
        return False
    return True
