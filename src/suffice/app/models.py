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


