"""One table in every flavour that a user may bring it in, and its parts in a form that can be compared."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

from suffice.core.block import Coded, Words

UTC = dt.UTC
ORDER = ["none", "mild", "severe"]
COLUMNS: dict[str, list[Any]] = {  # missing cells first, last and side by side: no library can guess from the top
    "age": [None, 31, 0, 44, None, 97],
    "dose": [0.1, None, -2.5, None, 1e-300, 7.0],
    "smokes": [None, True, False, None, True, True],
    "site": ["north", None, "", "south", "north", None],
    "pain": ["mild", "none", None, "severe", "mild", "mild"],
    "seen": [dt.datetime(2020, 2, 29, 12, 30, 15, 123456), None, dt.datetime(1969, 12, 31, 23, 59), None,
             dt.datetime(1970, 1, 1), dt.datetime(2262, 1, 1)],
    "born": [dt.date(1960, 5, 4), dt.date(1970, 1, 1), None, dt.date(2020, 2, 29), dt.date(1900, 3, 1), None],
    "note": ["to be or not to be", None, "", "a B c", "Être, ou ne pas être", "to  be"],
}  # fmt: skip
KINDS = {"pain": ORDER, "note": "text"}  # what no type can say


def pandas_classic(columns: dict[str, list[Any]]) -> pd.DataFrame:
    return pd.DataFrame(columns)


def pandas_nullable(columns: dict[str, list[Any]]) -> pd.DataFrame:
    types = {"age": "Int64", "dose": "Float64", "smokes": "boolean", "site": "string", "pain": "category",
             "seen": "datetime64[ns]", "born": "datetime64[s]", "note": "string"}  # fmt: skip
    return pd.DataFrame({name: pd.Series(cells).astype(types[name]) for name, cells in columns.items()})


def pandas_objects(columns: dict[str, list[Any]]) -> pd.DataFrame:
    cells = {name: [pd.NA if c is None else c for c in cells] for name, cells in columns.items()}
    return pd.DataFrame({name: pd.Series(some, dtype=object) for name, some in cells.items()})


def pandas_arrow(columns: dict[str, list[Any]]) -> pd.DataFrame:
    table = arrow(columns)
    return table.to_pandas(types_mapper=pd.ArrowDtype)


def polars(columns: dict[str, list[Any]]) -> pl.DataFrame:
    return pl.DataFrame(columns, schema_overrides={"pain": pl.Enum(ORDER), "site": pl.Categorical})


TYPES = {"age": pa.int64(), "dose": pa.float64(), "smokes": pa.bool_(), "site": pa.string(), "seen": pa.timestamp("us"),
         "born": pa.date32(), "note": pa.large_string()}  # fmt: skip


def arrow(columns: dict[str, list[Any]]) -> pa.Table:
    ordered = {name: i for i, name in enumerate(ORDER)}
    pain = pa.DictionaryArray.from_arrays(
        pa.array([ordered.get(cell) for cell in columns["pain"]], pa.int8()), pa.array(ORDER), ordered=True
    )
    others = {name: pa.array(columns[name], arrow_type) for name, arrow_type in TYPES.items()}
    return pa.table({**others, "pain": pain, "site": others["site"].dictionary_encode()}).select(list(columns))


def arrow_chunks(columns: dict[str, list[Any]]) -> pa.Table:
    """Every chunk has its own dictionary."""
    cut = 2
    pieces = [arrow({name: cells[part] for name, cells in columns.items()}) for part in (slice(cut), slice(cut, None))]
    return pa.concat_tables(pieces)


class Capsule:
    """An Arrow stream and nothing else."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)


def object_array(columns: dict[str, list[Any]]) -> np.ndarray:
    return np.array(rows(columns), dtype=object)


def rows(columns: dict[str, list[Any]]) -> list[list[Any]]:
    return [list(row) for row in zip(*columns.values(), strict=True)]


def mixed_mapping(columns: dict[str, list[Any]]) -> dict[str, Any]:
    """Lists, tuples, arrays of a type, arrays of objects, and a generator."""
    born = np.array(columns["born"], dtype="datetime64[D]")
    dose = np.array([np.nan if c is None else c for c in columns["dose"]])
    objects = {name: np.array(columns[name], dtype=object) for name in ("smokes", "site")}
    return {
        **columns,
        **objects,
        "born": born,
        "dose": dose,
        "age": tuple(columns["age"]),
        "pain": iter(columns["pain"]),
    }


FLAVOURS = {
    "lists": dict,
    "mapping": mixed_mapping,
    "rows": rows,
    "tuples": lambda columns: tuple(map(tuple, rows(columns))),
    "objects": object_array,
    "objects, column by column": lambda columns: np.asfortranarray(object_array(columns)),
    "pandas": pandas_classic,
    "pandas, nullable": pandas_nullable,
    "pandas, objects": pandas_objects,
    "pandas, Arrow": pandas_arrow,
    "polars": polars,
    "Arrow": arrow,
    "Arrow, several chunks": arrow_chunks,
    "Arrow, record batch": lambda columns: pa.record_batch(arrow(columns).to_struct_array().combine_chunks()),
    "capsule": lambda columns: Capsule(arrow(columns)),
    "capsule of polars": lambda columns: Capsule(polars(columns)),
}


def decoded(part: Any) -> Any:
    """A part of a block as what it says, without the codes that belong to the block alone."""
    if isinstance(part, Coded):
        cells = [
            [labels[c] if c >= 0 else None for c in part.codes[:, j].tolist()] for j, labels in enumerate(part.labels)
        ]
        return list(zip(*cells, strict=True))
    if isinstance(part, Words):
        dense = part.counts.toarray()
        counts = [{part.labels[j]: float(row[j]) for j in np.flatnonzero(row)} for row in dense]
        return [None if part.missing is not None and part.missing[i] else found for i, found in enumerate(counts)]
    assert part.dtype == np.float64
    return part.tobytes("C")  # bit by bit
