"""Merging model files."""

from __future__ import annotations

from collections.abc import Sequence

from suffice.app.cli.model_files import model_report, read_summary
from suffice.app.report.output import check_outputs
from suffice.app.report.report import CommandReport
from suffice.core.errors import Said, bad
from suffice.estimators.state.loaded import SavedModel
from suffice.persistence import save


def merge(paths: Sequence[str], out: str) -> CommandReport:
    """The model of all rows that these models have learned from, saved."""
    check_outputs(out, (), own=paths)
    models = [read_summary(path) for path in paths]
    for path, other in zip(paths[1:], models[1:], strict=True):
        _check_alike(paths[0], models[0], path, other)
    first, *others = models
    whole = first.holding(first.fitted.merge([other.fitted for other in others]))
    whole.fitted.model  # noqa: B018  (what cannot be estimated is refused before anything is written)
    save(whole, out)
    return model_report(whole, out)


def _check_alike(path: str, mine: SavedModel, other_path: str, other: SavedModel) -> None:
    for what, a, b in (("kind", mine.name, other.name), ("target", mine.target, other.target)):
        if a != b:
            raise bad(
                "merge",
                "all models",
                f"of one {what}",
                Said(f"{a!r} in {path!r} and {b!r} in {other_path!r}"),
                "Merge only models that were trained alike.",
            )
    mine.origin.check("merge", other.origin)
