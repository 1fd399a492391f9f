"""A model that was found in passes, as a value: what was asked, what the table was, and the model. No scikit-learn.

The summary of a pass is relative to the model of that pass, and goes with it: such a model neither merges nor forgets.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from suffice.core.registry import saved
from suffice.estimators.fitted import FittedModel


@saved
@dataclass(frozen=True)
class FittedPasses(FittedModel):
    """A plan, a schema and the model of the last pass."""

    summary: None = None
    found: Any = None
    passes: int = 0
    settled: bool = True

    @property
    def model(self) -> Any:
        """The model."""
        return self.found
