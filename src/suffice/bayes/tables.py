"""A fitted naive Bayes as text: class shares, then one table of conditional probabilities or parameters per column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from suffice.core.schema import Schema
from suffice.estimators.fitted import Fitted
from suffice.families.bag import Bags
from suffice.families.categorical import Categories
from suffice.families.normal import Normals

Row = tuple[str, list[float]]
SHOWN = 12  # labels or words of a column


def show_tables(fitted: Fitted) -> str:
    """The whole model, columns in table order."""
    model, schema = fitted.model, fitted.schema
    blocks = [(-1, _table("class", model.classes, [("p(class)", np.exp(model.log_prior).tolist())]))]
    for group, distribution in zip(model.factors.groups, model.factors.distributions, strict=True):
        _, places = schema.parts[group.part]
        mine = places if group.columns is None else [places[at] for at in group.columns]
        for at, place in enumerate(mine):
            blocks.append((place, _column(schema, place, model.classes, distribution, at)))
    return "\n\n".join(text for _, text in sorted(blocks, key=lambda block: block[0]))


def _column(schema: Schema, place: int, classes: Sequence[Any], distribution: Any, at: int) -> str:
    column = schema.columns[place]
    rows = _ROWS.get(type(distribution), _other)(distribution, at)
    return _table(f"{column.name} ({column.kind.value})", classes, rows)


def _normal(d: Normals, at: int) -> list[Row]:
    sd = np.sqrt(d.variance[:, at])
    return [("mean", d.mean.value[:, at].tolist()), ("sd", sd.tolist())]


def _categorical(d: Categories, at: int) -> list[Row]:
    theta = np.exp(d.column(at))
    labels = [*map(str, d.labels[at]), "any other"]
    rows = [(label, theta[:, i].tolist()) for i, label in enumerate(labels)]
    known = sorted(rows[:-1])[:SHOWN]
    return known + ([rows[-1]] if theta[:, -1].any() else [])


def _words(d: Bags, at: int) -> list[Row]:
    """The words that tell the classes apart best."""
    told = np.argsort(-np.ptp(d.evidence[:, :-1], axis=0), kind="stable")[:SHOWN]
    labels = d.encoding.labels(d.labels)
    return [(str(labels[c]), np.exp(d.gain[:, c]).tolist()) for c in told]


def _other(d: Any, at: int) -> list[Row]:
    arrays = [(name, value) for name, value in vars(d).items() if getattr(value, "ndim", 0) == 2]
    return [(name, value[:, at].tolist()) for name, value in arrays if value.shape[1] > at]


_ROWS: dict[type, Callable[[Any, int], list[Row]]] = {Normals: _normal, Categories: _categorical, Bags: _words}


def _table(title: str, classes: Sequence[Any], rows: Sequence[Row]) -> str:
    head = [title, *map(str, classes)]
    lines = [head, *([name, *(f"{value:.4g}" for value in values)] for name, values in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    return "\n".join(
        "  ".join(
            cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    )
