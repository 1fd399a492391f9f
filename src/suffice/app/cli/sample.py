"""Drawing new rows from a model that knows how its rows are distributed."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from suffice.app.cli.model_files import read_model
from suffice.app.report.output import check_outputs
from suffice.app.report.row_output import write_rows
from suffice.app.report.row_styles import Rows
from suffice.core.errors import BadFile, Said, refusal
from suffice.estimators.state.loaded import model_of
from suffice.sources.files.header import unique_names

AT_ONCE = 10_000  # rows that are written together


def sample(path: str, *, rows: int, seed: int, out: str | None, style: str) -> None:
    """Draw rows, and write them."""
    check_outputs(out, [path], rows=True)
    value = read_model(path)
    model = model_of(value)
    if not hasattr(model, "sample"):
        rule, what = "a model that knows how its rows are distributed", f"it holds a {value.name}"
        remedy = "Train a NaiveBayes, a mixture or a KernelDensity."
        raise refusal(BadFile, "", f"{path!r}", rule, Said(what), remedy, joint="but")
    if "random_state" in inspect.signature(model.sample).parameters:
        drawn = model.sample(rows, random_state=seed)
    else:
        model.parameters["random_state"] = seed
        drawn = model.sample(rows)
    X, y = drawn if isinstance(drawn, tuple) else (drawn, None)
    columns = _columns(X, value.origin.names)
    if y is not None:
        known = value.target if value.target is not None else "class" if hasattr(model, "classes_") else "component"
        columns = {**columns, str(known): np.asarray(y)}
    names, _ = unique_names([str(name) for name in columns])
    write_rows(names, _rows(list(columns.values()), rows), out, style)


def _columns(X: Any, names: Sequence[Any] | None) -> dict[str, Any]:
    """The columns of a table of any form, by name."""
    if isinstance(X, Mapping):
        return {str(name): column for name, column in X.items()}
    if hasattr(X, "columns"):
        return {str(name): X[name] for name in X.columns}
    cells = X.toarray() if hasattr(X, "toarray") else np.asarray(X)
    known = (
        list(names) if names is not None and len(names) == cells.shape[1] else [f"x{j}" for j in range(cells.shape[1])]
    )
    return {str(name): cells[:, j] for j, name in enumerate(known)}


def _rows(columns: Sequence[Any], n: int) -> Iterator[Rows]:
    cells = [[_plain(cell) for cell in (c.tolist() if hasattr(c, "tolist") else list(c))] for c in columns]
    for begin in range(0, n, AT_ONCE):
        yield list(zip(*(column[begin : begin + AT_ONCE] for column in cells), strict=True))


def _plain(cell: Any) -> Any:
    return None if isinstance(cell, float) and cell != cell else cell
