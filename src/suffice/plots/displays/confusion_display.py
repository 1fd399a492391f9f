"""ConfusionDisplay: what was answered where what was true, and what was refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.evaluation.scores.classification_scores import Scores
from suffice.evaluation.scores.confusion import Confusion, label_text, number_text
from suffice.plots.canvas import canvas, need_matplotlib
from suffice.plots.display import Display
from suffice.plots.palette import RISING

TINY = float(np.finfo(np.float64).tiny)  # where there are no rows, 0 / TINY is 0
NORMALIZE: dict[str | None, Callable[[Array], Array]] = {
    None: lambda table: table,
    "true": lambda table: table / np.maximum(table.sum(axis=1, keepdims=True), TINY),
    "pred": lambda table: table / np.maximum(table.sum(axis=0, keepdims=True), TINY),
    "all": lambda table: table / np.maximum(table.sum(), TINY),
}


@dataclass(kw_only=True, eq=False, repr=False)
class ConfusionDisplay(Display):
    """A table of true classes (down) and answers (across), with a column for refused rows where there are any.

    Parameters
    ----------
    confusion : the table, such as `Scores.confusion`, which adds

    Attributes
    ----------
    im_, text_ : the coloured cells, and an array of their texts
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.plots import ConfusionDisplay
    >>> answers = ["cold", "flu", "flu", None]
    >>> display = ConfusionDisplay.from_predictions(["cold", "cold", "flu", "flu"], answers, ax=Figure().subplots())
    >>> [[text.get_text() for text in row] for row in display.text_]
    [['1', '1', '0'], ['0', '1', '1']]
    """

    confusion: Confusion

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, sample_weight: Any = None, ax: Any = None, **options: Any
    ) -> Self:
        """Ask a fitted classifier, and draw.

        Parameters
        ----------
        estimator : a fitted classifier
        X, y : rows and their labels
        sample_weight : one weight a row
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        if not hasattr(estimator, "predict"):
            raise bad(cls.__name__, "estimator", "a fitted classifier", estimator)
        refusal = getattr(estimator, "refusal", None)
        return cls.from_predictions(
            y, estimator.predict(X), refusal=refusal, sample_weight=sample_weight, ax=ax, **options
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        refusal: Any = None,
        sample_weight: Any = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw from answers that are there already.

        Parameters
        ----------
        y_true : one label a row
        y_pred : one answer a row, missing (None, NaN) where refused
        refusal : another label that says an answer was refused
        sample_weight : one weight a row
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        scores = Scores.of(y_true, None, predicted=y_pred, sample_weight=sample_weight, refusal=refusal)
        return cls(confusion=scores.confusion).plot(ax=ax, **options)

    def plot(
        self,
        ax: Any = None,
        *,
        normalize: str | None = None,
        include_values: bool = True,
        cmap: Any = RISING,
        colorbar: bool = False,
    ) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        normalize : None shows weights; "true", "pred" or "all" shows shares of the rows of the true class, of the
            answer, or of all rows
        include_values : whether to write the number into each cell
        cmap : map of colours
        colorbar : whether to add a scale of the colours
        """
        if normalize not in NORMALIZE:
            raise bad(self._owner, "normalize", "None, 'true', 'pred' or 'all'", normalize)
        table, columns = self._cells()
        shown = NORMALIZE[normalize](table)
        with canvas(self._owner, ax) as axes:
            self.im_ = axes.imshow(shown, cmap=cmap, vmin=0.0, interpolation="nearest")
            self.text_ = self._write(axes, shown, normalize is None) if include_values else None
            axes.set(
                xticks=range(len(columns)),
                yticks=range(len(table)),
                xticklabels=columns,
                yticklabels=[label_text(label) for label in self.confusion.labels],
                xlabel="Answered",
                ylabel="True class",
            )
            if max(map(len, columns)) > 6 or len(columns) > 10:
                axes.tick_params(axis="x", rotation=45)
            self._drawn(axes)
            if colorbar:
                self.figure_.colorbar(self.im_, ax=axes)
        return self

    def _cells(self) -> tuple[Any, list[str]]:
        """Weights of true class and answer, the last column refused rows where there are any."""
        columns = [label_text(label) for label in self.confusion.labels]
        if not self.confusion.refused.any():
            return self.confusion.table, columns
        return np.column_stack([self.confusion.table, self.confusion.refused]), [*columns, "refused"]

    def _write(self, axes: Any, shown: Any, counts: bool) -> Any:
        """The numbers, dark on light cells and light on dark ones."""
        texts = np.empty(shown.shape, dtype=object)
        red, green, blue, _ = np.moveaxis(self.im_.cmap(self.im_.norm(shown)), -1, 0)
        light = 0.299 * red + 0.587 * green + 0.114 * blue > 0.5
        for i, j in np.ndindex(shown.shape):
            told = number_text(float(shown[i, j])) if counts else f"{shown[i, j]:.2f}"
            ink = "black" if light[i, j] else "white"
            texts[i, j] = axes.text(j, i, told, ha="center", va="center", color=ink)
        return texts
