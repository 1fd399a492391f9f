"""A fitted naive Bayes as tables: class shares, then one of conditional probabilities or parameters per column."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.schema import Column
from suffice.estimators.state.fitted import FittedModel
from suffice.families.counts.bag import Bags
from suffice.families.counts.categorical import Categories
from suffice.families.normals.normal import Normals
from suffice.families.normals.student import Students
from suffice.families.places import table_places
from suffice.families.windows.histogram import Histograms

Row = tuple[str, list[float]]
SHOWN = 12  # labels or words of a column


class ColumnTable(NamedTuple):
    """What was learned of a column: a row a label or a parameter, a number a class."""

    name: str  # of the column; "(prior)" for the shares of the classes
    title: str  # what people read: also its kind
    rows: list[Row]


class ColumnPlace(NamedTuple):
    """Where the distribution of a column is found, and what the column is called."""

    at: int  # its place in the distribution
    column: Column
    words: Sequence[Any]  # names of the columns of a matrix of words
    most: int  # labels or words that are listed


def show_tables(fitted: FittedModel, words: Sequence[Any]) -> str:
    """The model as text, of columns with many labels or words only some."""
    classes = fitted.model.classes
    return "\n\n".join(_text(table.title, classes, table.rows) for table in column_tables(fitted, words, SHOWN))


def column_tables(fitted: FittedModel, words: Sequence[Any], most: int = sys.maxsize) -> list[ColumnTable]:
    """The model, columns in table order, at most so many labels or words of each.

    Parameters
    ----------
    fitted : the model
    words : names of the columns of a matrix of words
    most : labels or words of a column; where there are more, a row without numbers says how many
    """
    model, schema = fitted.model, fitted.schema
    tables = {-1: ColumnTable("(prior)", "class", [("p(class)", np.exp(model.log_prior).tolist())])}
    for group, distribution in zip(model.factors.groups, model.factors.distributions, strict=True):
        for at, place in enumerate(table_places(schema, group)):
            column = schema.columns[place]
            rows = _ROWS.get(type(distribution), _parameters)(distribution, ColumnPlace(at, column, words, most))
            tables[place] = ColumnTable(str(column.name), f"{column.name} ({column.kind.value})", rows)
    return [tables[place] for place in sorted(tables)]


def _normal(d: Normals, where: ColumnPlace) -> list[Row]:
    mean, sd = d.mean.value[:, where.at], np.sqrt(d.variance[:, where.at])
    return [("mean", mean.tolist()), ("sd", sd.tolist())]


def _student(d: Students, where: ColumnPlace) -> list[Row]:
    location, scale, freedom = d.mean.value[:, where.at], np.sqrt(d.variance[:, where.at]), d.freedom[:, where.at]
    return [("location", location.tolist()), ("scale", scale.tolist()), ("freedom", freedom.tolist())]


def _categorical(d: Categories, where: ColumnPlace) -> list[Row]:
    """The labels in their own order, or in alphabetical order where they have none."""
    theta, labels = np.exp(d.column(where.at)), d.labels[where.at]
    rows = [(str(label), theta[:, i].tolist()) for i, label in enumerate(labels)]
    rows = _first(rows if where.column.values else sorted(rows), len(labels), where.most)
    return rows + ([("any other", theta[:, -1].tolist())] if theta[:, -1].any() else [])


def _histogram(d: Histograms, where: ColumnPlace) -> list[Row]:
    """The shares of the bins, from edge to edge."""
    edges, shares = d.scale.cells(d.edges[where.at]), np.exp(d.log_shares[where.at])
    rows = [(f"{edges[i]:.4g} to {edges[i + 1]:.4g}", shares[:, i].tolist()) for i in range(shares.shape[1])]
    return _first(rows, len(rows), where.most)


def _bag(d: Bags, where: ColumnPlace) -> list[Row]:
    """The words, or levels of words, whose probabilities differ most between classes."""
    logs = d.gain + np.repeat(d.base, d.encoding.per, axis=1)
    labels = d.encoding.labels(tuple(where.words) if isinstance(d.labels, range) else d.labels)
    told = np.argsort(-_range(logs), kind="stable")[: where.most]
    names = ["{}={}".format(*labels[c]) if d.encoding.levels > 1 else str(labels[c]) for c in told]
    return _first(
        [(name, np.exp(logs[:, c]).tolist()) for name, c in zip(names, told, strict=True)], len(labels), where.most
    )


def _range(logs: Array) -> Array:
    """Largest less smallest log of each column, where probabilities may be 0."""
    with np.errstate(invalid="ignore"):
        spread: Array = np.nan_to_num(np.ptp(logs, axis=0), nan=0.0, posinf=np.inf)
    return spread


def _parameters(d: Any, where: ColumnPlace) -> list[Row]:
    """The parameters of any other distribution, by their names."""
    arrays = {name: value for name, value in vars(d).items() if getattr(value, "ndim", 0) == 2}
    return [(name, value[:, where.at].tolist()) for name, value in arrays.items()]


def _first(rows: list[Row], total: int, most: int) -> list[Row]:
    return rows[:most] + ([(f"({total - most} more)", [])] if total > most else [])


_ROWS: dict[type, Callable[[Any, ColumnPlace], list[Row]]] = {
    Bags: _bag,
    Categories: _categorical,
    Histograms: _histogram,
    Normals: _normal,
    Students: _student,
}


def _text(title: str, classes: Sequence[Any], rows: Sequence[Row]) -> str:
    lines = [[title, *map(str, classes)], *([name, *(f"{value:.4g}" for value in values)] for name, values in rows)]
    widths = [max(len(line[i]) for line in lines if i < len(line)) for i in range(len(classes) + 1)]
    return "\n".join(
        "  ".join([line[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(line[1:], widths[1:], strict=False))])
        for line in lines
    )
