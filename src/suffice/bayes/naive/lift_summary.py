"""Lifting a summary to a joined schema: columns that one shard never saw a cell of come in empty."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice.core.block import Coded, Words
from suffice.core.by_class import ByClass
from suffice.core.kinds import Storage
from suffice.core.schema import Schema
from suffice.core.shares import Shares
from suffice.core.summary import Together
from suffice.families.product import Product
from suffice.summaries.counts import relabelled


def lift(summary: ByClass, old: Schema, new: Schema, before: Product, product: Product) -> ByClass:
    """The same rows, over the parts of a schema that knows at least as much; `before` is the product they were for."""
    summary = in_words(summary, old, new)
    if old.parts == new.parts and before == product:
        return summary
    assert isinstance(summary.summary, Together)
    nobody = Shares.hard(np.zeros(0, dtype=np.int32), len(summary.labels))
    empty = product.summarize([_EMPTY[storage](len(places)) for storage, places in new.parts], nobody)
    parts: list[Any] = list(empty.parts)
    for i, ((storage, had), part) in enumerate(zip(old.parts, summary.summary.parts, strict=True)):
        at = next(at for at, (kept, places) in enumerate(new.parts) if kept is storage and set(had) <= set(places))
        places = new.parts[at][1]
        at_place = {place: spot for spot, place in enumerate(places)}
        spots = None if had == places else [at_place[place] for place in had]
        pieces = {repr(key): _among(piece, spots, len(places)) for key, piece in _pieces(before, i, part)}
        found = [pieces.get(repr(key), none) for key, none in _pieces(product, at, parts[at])]
        parts[at] = Together(tuple(found)) if product.keeps_apart(at) else found[0]
    return ByClass(summary.labels, summary.tally, Together(tuple(parts)))


def _pieces(product: Product, i: int, part: Any) -> list[tuple[Any, Any]]:
    """What is kept of a part: what all its columns keep, under None, and what some keep apart, under its keeper."""
    if not product.keeps_apart(i):
        return [(None, part)]
    return list(zip([None, *(keeper for keeper, _ in product.apart(i, 0))], part.parts, strict=True))


def _among(piece: Any, spots: list[int] | None, d: int) -> Any:
    """The summary of some columns, at their places among more."""
    return piece if spots is None else piece.among(spots, d)


_EMPTY: Mapping[Storage, Any] = {  # parts without rows
    Storage.NUMBERS: lambda columns: np.zeros((0, columns)),
    Storage.SYMBOLS: lambda columns: Coded(np.zeros((0, columns), dtype=np.int32), ((),) * columns),
    Storage.WORDS: lambda columns: Words(np.zeros((0, 0)), ()),
}


def in_words(summary: ByClass, old: Schema, new: Schema) -> ByClass:
    """Truth values of columns that turn out to hold more than two words, as they were written."""
    turned = old.turned(new)
    if not turned:
        return summary
    assert isinstance(summary.summary, Together)
    parts = [
        relabelled(part, {places.index(place): words for place, words in turned.items() if place in places})
        for (_, places), part in zip(old.parts, summary.summary.parts, strict=True)
    ]
    return ByClass(summary.labels, summary.tally, Together(tuple(parts)))
