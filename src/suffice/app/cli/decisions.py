"""What was wished for a decision, by the classes of the model: labels are known by how they are written."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from typing import Any

from suffice.core.errors import Said, bad, shown
from suffice.decision.decide.decision import Decision
from suffice.sources.files.header import allow_cells


def read_decision(
    classes: Sequence[Any], prior: Any, costs: str | None, reject: float | None, at_least: float | None
) -> Decision:
    """The decision that the options ask for."""
    by_name = named(classes)
    shares = _relabelled("--prior", by_name, prior) if isinstance(prior, Mapping) else prior
    table = None if costs is None else read_costs(costs, by_name)
    return Decision.read("predict", classes, prior=shares, costs=table, reject=reject, at_least=at_least)


def named(classes: Sequence[Any]) -> dict[str, Any]:
    """Classes by how they are written; truth values in any case."""
    lower = {str(label).lower(): label for label in classes if isinstance(label, bool)}
    return {**lower, **{str(label): label for label in classes}}


def read_costs(path: str, by_name: Mapping[str, Any]) -> Any:
    """Costs of a file: JSON, or CSV with the true classes down and the answers across."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            text = file.read()
    except OSError as error:
        raise bad("", "--costs", "a file that can be read", Said(f"{path!r} ({error.strerror})")) from None
    except UnicodeDecodeError:
        raise bad("", "--costs", "a file in UTF-8", Said(f"{path!r}, which is not"), "Save it again.") from None
    if not text.strip():
        raise bad("", "--costs", "a table of costs", Said(f"{path!r}, which is empty"), "Give each answer a cost.")
    found = _from_json(path, text) if text.lstrip()[0] in "[{" else _from_csv(path, text)
    if not isinstance(found, Mapping):
        return found
    rows = _relabelled("--costs", by_name, found)
    return {true: _relabelled("--costs", by_name, row) for true, row in rows.items()}


def _from_json(path: str, text: str) -> Any:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise bad("", "--costs", "JSON or CSV", Said(f"{path!r}, which is neither ({error})")) from None
    if isinstance(found, dict) and not all(isinstance(row, dict) for row in found.values()):
        raise bad(
            "",
            "--costs",
            "of the form {true: {answer: cost}}",
            Said(f"{shown(found)} in {path!r}"),
            "Nest it by class.",
        )
    return found


def _from_csv(path: str, text: str) -> dict[str, dict[str, float]]:
    delimiter = max(",;\t", key=text.split("\n", 1)[0].count)
    allow_cells(len(text))
    head, *lines = [row for row in csv.reader(text.splitlines(), delimiter=delimiter) if any(row)] or [[]]
    answers = [name.strip() for name in head[1:]]
    if not lines or not answers:
        raise bad(
            "", "--costs", "a row for each true class and a column for each answer", Said(f"{path!r}"), "", "must have"
        )
    table: dict[str, dict[str, float]] = {}
    for true, *cells in lines:
        if len(cells) != len(answers):
            raise bad(
                "",
                "--costs",
                f"{len(answers)} costs in a row",
                Said(f"{len(cells)} for {true!r} in {path!r}"),
                "Fill it.",
                "must have",
            )
        if true.strip() in table:
            raise bad(
                "", "--costs", "each true class once", Said(f"{true!r} twice in {path!r}"), "Remove one.", "must name"
            )
        table[true.strip()] = {a: _cost(path, true, a, cell) for a, cell in zip(answers, cells, strict=True)}
    return table


def _cost(path: str, true: str, answer: str, cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        raise bad(
            "",
            "--costs",
            "numbers",
            Said(f"{shown(cell)} for answering {answer!r} where {true!r} is true, in {path!r}"),
            "Write 0 for nothing.",
        ) from None


def _relabelled(option: str, by_name: Mapping[str, Any], given: Mapping[str, Any]) -> dict[Any, Any]:
    for name in given:
        if name not in by_name:
            raise bad(
                "",
                option,
                f"classes of the model ({', '.join(by_name)})",
                Said(f"{name!r}"),
                "Correct it.",
                "must name",
            )
    return {by_name[name]: value for name, value in given.items()}
