"""ScoreDisplay: pictures of how well scores tell one class from all others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np

from suffice.evaluation.scores.scored_rows import ScoredRows
from suffice.plots.canvas import need_matplotlib
from suffice.plots.display import Display


class ScoreDisplay(Display, ABC):
    """What curves over thresholds share: they are made from scores, asked of an estimator or given."""

    pos_label: Any

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        sample_weight: Any = None,
        response_method: str = "auto",
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Ask a fitted classifier, and draw.

        Parameters
        ----------
        estimator : a fitted classifier, ours or scikit-learn's
        X, y : rows and their labels
        sample_weight : one weight a row, at least 0
        response_method : "predict_proba", "decision_function", or "auto" for the first of these that there is
        pos_label : the positive class, against all others; None: the second of two
        name : for the legend; None: the name of the estimator
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        rows = ScoredRows.asked(cls.__name__, estimator, X, y, response_method, pos_label)
        return cls._from(rows, sample_weight, type(estimator).__name__ if name is None else name, ax, options)

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_score: Any,
        *,
        sample_weight: Any = None,
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw from scores that are there already.

        Parameters
        ----------
        y_true : one label a row
        y_score : one score a row, the higher the more positive
        sample_weight : one weight a row, at least 0
        pos_label : the positive class, against all others; None: 1, where labels are 0 and 1, or -1 and 1
        name : for the legend
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        rows = ScoredRows.told(cls.__name__, y_true, y_score, pos_label)
        return cls._from(rows, sample_weight, name, ax, options)

    @classmethod
    def _from(cls, rows: ScoredRows, w: Any, name: str | None, ax: Any, options: dict[str, Any]) -> Self:
        weights = None if w is None else np.asarray(w)
        made: Any = cls
        display = made(curve=cls._curve(rows, weights), name=name, pos_label=rows.pos_label)
        return display.plot(ax=ax, **options)  # type: ignore[no-any-return]

    @classmethod
    @abstractmethod
    def _curve(cls, rows: ScoredRows, weights: Any) -> Any:
        """The curve of some rows."""

    @property
    def _positive_text(self) -> str:
        return "" if self.pos_label is None else f" (positive: {self.pos_label})"
