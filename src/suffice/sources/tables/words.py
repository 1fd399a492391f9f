"""Documents as counts of words over the block's own vocabulary."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from suffice.core.block import Words
from suffice.core.errors import BadInput, Said, bad, shown
from suffice.sources.tables.cells import absent


def count_documents(
    documents: Sequence[Any], analyzer: Callable[[str], list[str]], name: Any = "text", first: int = 0
) -> Words:
    """Analyze each document and count its words; a missing document is marked.

    Parameters
    ----------
    documents : texts; None, NaN or NA where missing
    analyzer : what makes words of a text
    name : of their column, for messages
    first : row of the first document, for messages

    >>> from suffice.sources.tables.analyzer import Analyzer
    >>> found = count_documents(["to be or not to be", None], Analyzer())
    >>> found.labels, found.counts.toarray().tolist(), found.missing.tolist()
    (('to', 'be', 'or', 'not'), [[2.0, 2.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0]], [False, True])
    """
    from scipy.sparse import csr_array

    ends = np.zeros(len(documents) + 1, dtype=np.int64)
    missing = np.zeros(len(documents), dtype=bool)

    def words_of_rows() -> Iterator[list[str]]:
        for i, document in enumerate(documents):
            if isinstance(document, str):
                words = analyzer(document)
                ends[i + 1] = len(words)
                yield words
            elif absent(document):
                missing[i] = True
            else:
                raise _no_text(document, name, first + i)

    place: defaultdict[str, int] = defaultdict()
    place.default_factory = place.__len__  # a new word gets the next number
    columns = np.fromiter(map(place.__getitem__, chain.from_iterable(words_of_rows())), dtype=np.int32)
    counts = csr_array((np.ones(len(columns)), columns, np.cumsum(ends)), shape=(len(documents), len(place)))
    counts.sum_duplicates()
    return Words(counts, tuple(place), missing if missing.any() else None)


def _no_text(document: Any, name: Any, row: int) -> BadInput:
    return bad(
        "X",
        f"the cells of column {name!r}",
        "texts",
        Said(f"{shown(document)} in row {row}"),
        "Convert the column or declare another kind.",
    )
