"""Transforming the rows of files: by transformers that are fitted to them, or by a model of a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from suffice.app.cli.answers import cells_of
from suffice.app.cli.model_files import read_model, refuse_face
from suffice.app.cli.predict import shown_columns
from suffice.app.cli.reading import FileReading, warn_of_bad, watched_chunks
from suffice.app.learning.fitted_models import fit_to_files
from suffice.app.learning.model_names import build, read_settings
from suffice.app.learning.option_errors import usage
from suffice.app.learning.seeded_draws import draws_from
from suffice.app.report.output import check_outputs
from suffice.app.report.row_output import write_rows
from suffice.app.report.row_styles import Rows
from suffice.estimators.state.loaded import SavedModel, model_of
from suffice.persistence import save
from suffice.sources.engines.file_source import named as by_name
from suffice.sources.files.chunk import Chunk
from suffice.sources.files.header import unique_names

MAPPING = ("transformer", "supervised_transformer", "number_supervised_transformer", "placement")
OTHERS = ("probabilistic", "classifier", "several_labels", "regressor", "density", "clusterer")


def transform(
    files: Sequence[str],
    *,
    kind: str | None,
    settings: Sequence[str],
    use: str | None,
    target: str | None,
    out: str | None,
    save_to: str | None,
    style: str,
    seed: int,
    kinds: Any,
    **given: Any,
) -> None:
    """Fit transformers, or read them from a file; write the rows they give."""
    check_outputs(out, [*files, *([] if use is None else [use])], rows=True)
    check_outputs(save_to, [*files, *([] if out is None else [out])], option="--save")
    if (kind is None) == (use is None):
        raise usage("--model", "name transformers to fit, such as TableEncoder+PCA, or a file of some by --use.")
    reading = FileReading.of(files, target=target, kinds=kinds, **given)
    with draws_from(seed):
        value = _read(use) if use is not None else _fitted(str(kind), settings, kinds, reading)
    if save_to is not None:
        save(value, save_to)
    rows = FileReading.of(files, kinds=kinds, **given).for_model(value.fitted, value.origin.names)
    chunks = watched_chunks(rows.chunks(), "transforming")
    first = [next(chunks)]
    shown = shown_columns(value.fitted, rows.schema, given.get("identifier", ()))
    model = model_of(value)
    names, _ = unique_names(["row", *shown, *map(str, _names_out(model))])
    write_rows(names, _mapped(model, chain(first, chunks), shown), out, style)
    warn_of_bad(rows.report)


def _read(path: str) -> SavedModel:
    value = read_model(path)
    refuse_face(path, value, OTHERS, "a transformer")
    return value


def _fitted(named: str, settings: Sequence[str], kinds: Any, reading: FileReading) -> SavedModel:
    model = build(named, read_settings(settings), kinds=kinds)
    if not hasattr(model, "_plan") or model._plan().face not in MAPPING:
        raise usage("--model", f"{named} maps no rows to rows; take transformers such as TableEncoder+PCA.")
    if model._target.needed and reading.roles.target is None:
        raise usage("--target", f"{named} learns from labels or numbers; say which column holds them.")
    value: SavedModel = fit_to_files(model, reading)._saved()
    return value


def _names_out(model: Any) -> Sequence[Any]:
    if hasattr(model, "get_feature_names_out"):
        return list(model.get_feature_names_out())
    return [f"{model.name.lower()}{j}" for j in range(model.embedding_.shape[1])]


def _mapped(model: Any, chunks: Iterable[Chunk], shown: Sequence[str]) -> Iterator[Rows]:
    done = 0
    for chunk in chunks:
        n = chunk.table.n
        if hasattr(model, "transform"):
            found = model.transform(by_name(chunk.table))
        else:  # a map of these very rows
            found = model.embedding_[done : done + n]
        done += n
        cells = _dense(found).T.tolist()
        told = [range(chunk.start, chunk.start + n), *(cells_of(chunk, name) for name in shown)]
        yield list(zip(*told, *cells, strict=True))


def _dense(found: Any) -> Any:
    """Cells as an array, None where a number is missing."""
    rows = found.toarray() if hasattr(found, "toarray") else np.asarray(found)
    if rows.dtype.kind != "f" or not np.isnan(rows).any():
        return rows
    cells = rows.astype(object)
    cells[np.isnan(rows)] = None
    return cells
