"""Tables of pandas, polars and Arrow, through narwhals; no such library is imported here."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from suffice.sources.tables.analyzer import Analyzer
from suffice.sources.tables.library_column import LibraryColumn
from suffice.sources.tables.named_columns import NamedColumns
from suffice.sources.tables.parts import Cells
from suffice.sources.tables.plain_column import PlainColumn


@dataclass(frozen=True)
class Frame(NamedColumns):
    """A table of a library, as a narwhals frame. Each block is converted column by column, never the whole table.

    >>> import narwhals.stable.v2 as nw
    >>> import pandas as pd
    >>> table = pd.DataFrame({"age": [31, 44], "site": ["north", None]})
    >>> print(Frame(nw.from_native(table)).infer())
    column  kind
    age     count
    site    categorical
    """

    frame: Any
    analyzer: Analyzer = field(default_factory=Analyzer)

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.frame.shape[0])

    @cached_property
    def _columns(self) -> dict[Any, Cells]:
        return {name: _opened(self.frame.get_column(name)) for name in self.frame.columns}


def _opened(series: Any) -> Cells:
    """A column of the library, or the NumPy array that pandas keeps its numbers in: cut without its overhead."""
    native = series.to_native()
    kept = getattr(native, "dtype", None)
    plain = isinstance(kept, np.dtype) and kept.kind in "biufmM"
    return PlainColumn(native.to_numpy()) if plain else LibraryColumn(series)
