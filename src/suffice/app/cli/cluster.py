"""Clustering the rows of files: a model of groups, and the group of each row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from suffice.app.cli.answers import BY_FACE
from suffice.app.cli.predict import answered, shown_columns
from suffice.app.cli.reading import FileReading, columns_known, warn_of_bad, watched_chunks
from suffice.app.learning.fitted_models import fit_to_files
from suffice.app.learning.model_names import build, read_settings
from suffice.app.learning.option_errors import usage
from suffice.app.learning.seeded_draws import draws_from
from suffice.app.report.output import check_outputs
from suffice.app.report.row_output import write_rows
from suffice.app.report.row_styles import Rows
from suffice.decision.decide.decision import Decision
from suffice.estimators.faces.clusterer import Clusterer
from suffice.persistence import save

USUAL = "TableEncoder+KMeans"  # any table: numbers scaled, symbols encoded, missing cells indicated
NUMBER_OF = ("n_clusters", "n_components", "n_exemplars", "n_medoids")  # what estimators call the number of clusters


def cluster(
    files: Sequence[str],
    *,
    kind: str | None,
    settings: Sequence[str],
    clusters: int | None,
    out: str | None,
    save_to: str | None,
    style: str,
    seed: int,
    kinds: Any,
    **given: Any,
) -> None:
    """Find groups, save the model if there is a path, and write the group of each row."""
    check_outputs(out, files, rows=True)
    check_outputs(save_to, [*files, *([] if out is None else [out])], option="--save")
    model = _model(kind or USUAL, read_settings(settings), clusters, kinds)
    reading = FileReading.of(files, kinds=kinds, **given)
    with draws_from(seed):
        fitted = fit_to_files(model, reading)
    value = fitted._saved()
    rows = reading.for_model(value.fitted, value.origin.names)
    chunks = watched_chunks(rows.chunks(), "answering")
    first = [next(chunks)]
    shown = shown_columns(value.fitted, rows.schema, given.get("identifier", ()))
    order = columns_known(value.fitted, value.origin.names)
    answering = BY_FACE[value.fitted.plan.face](value.fitted, shown, Decision(), None, False, order)
    found = answered(answering, chain(first, chunks))
    labels = getattr(value.fitted.model, "labels", None)
    if labels is not None:  # what the model said of its own rows, noise too
        found = _labelled(found, answering.columns.index("cluster"), labels.tolist())
    if save_to is not None:
        save(value, save_to)
    write_rows(answering.columns, found, out, style)
    warn_of_bad(rows.report)


def _model(named: str, settings: dict[str, str], clusters: int | None, kinds: Any) -> Any:
    if clusters is not None:
        parameter = next((n for n in NUMBER_OF for cls in [build(named, {})] if n in _parameters(cls)), None)
        if parameter is None:
            raise usage("--clusters", f"{named} finds out by itself how many there are.")
        settings = {parameter: str(clusters), **settings}
    model = build(named, settings, kinds=kinds)
    if not (isinstance(model, Clusterer) or hasattr(model, "fit_predict")):
        raise usage(
            "--model", f"{named} finds no groups; take one such as KMeans, KMedoids, DBSCAN or GaussianMixture."
        )
    return model


def _parameters(model: Any) -> set[str]:
    return {name.rpartition("__")[2] for name in model.get_params(deep=True)}


def _labelled(chunks: Iterator[Rows], place: int, labels: list[Any]) -> Iterator[Rows]:
    begun = 0
    for rows in chunks:
        some = labels[begun : begun + len(rows)]
        yield [(*row[:place], label, *row[place + 1 :]) for row, label in zip(rows, some, strict=True)]
        begun += len(rows)
