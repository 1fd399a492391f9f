"""What holds a fitted value: an estimator, or a model from a file. No scikit-learn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from suffice.estimators.fitted import FittedModel
from suffice.estimators.origin import Origin


class Holder(ABC):
    """A fitted value that is exchanged whole, and where its rows came from."""

    threads: int | None = None
    _origin: Origin

    @property
    def _owner(self) -> str:
        """The name of the estimator, for messages and for finding its like."""
        return type(self).__name__

    @abstractmethod
    def _state(self, X: Any = None) -> tuple[FittedModel, Any]:
        """The fitted value, and X checked against what it was trained on; raises where nothing was learned yet."""
