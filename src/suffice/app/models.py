"""Model files on the command line: read with care, checked for what a command needs."""

from __future__ import annotations

from collections.abc import Sequence

from suffice.core.errors import BadFile, BadInput
from suffice.estimators.loaded import SavedModel
from suffice.persistence import load


def read_model(path: str) -> SavedModel:
    """The model of a file; a file of anything else is refused."""
    value = load(path)
    if not isinstance(value, SavedModel):
        raise BadFile(
            f"{path!r} must be a model file, but it holds a {type(value).__name__}. Name a file that train wrote."
        )
    return value


def merged(paths: Sequence[str]) -> SavedModel:
    """The model of all rows that these models have learned from."""
    first, *others = models = [read_model(path) for path in paths]
    for path, other in zip(paths[1:], others, strict=True):
        for what, mine, theirs in (("kind", first.name, other.name), ("target", first.target, other.target)):
            if mine != theirs:
                raise BadInput(
                    f"merge: all models must be of one {what}, got {mine!r} in {paths[0]!r} and {theirs!r} in {path!r}. "
                    "Merge only models that were trained alike."
                )
    return first.holding(first.fitted.merge([model.fitted for model in models[1:]]))
