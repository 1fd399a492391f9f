"""How a net was trained: its errors by epoch, and what to go on from. No scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import BadFile
from suffice.core.registry import saved
from suffice.neural.optimizers import OptimizerState


@saved
@dataclass(frozen=True)
class NetRecord:
    """Errors by epoch; the best so far; the state of the optimizer."""

    epochs: int = 0  # of the last call
    rows: int = 0  # visited in all calls
    losses: Array = field(default_factory=lambda: np.empty(0))  # mean error of each epoch
    scores: Array | None = None  # of the rows held out, after each epoch
    loss: float = float("nan")  # of the last epoch
    best_loss: float | None = None
    best_score: float | None = None
    in_vain: int = 0  # last epochs without enough gain
    optimizer: OptimizerState | None = None

    def __post_init__(self) -> None:
        """Refuse a file whose pieces are not what they should be."""
        if np.ndim(self.losses) != 1 or not isinstance(self.optimizer, (OptimizerState, type(None))):
            raise BadFile("its record of training is none")
