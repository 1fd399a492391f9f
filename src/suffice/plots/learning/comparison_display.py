"""ComparisonDisplay: the scores of several models with their intervals, the best on top."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from suffice.evaluation.comparing.model_comparison import ModelComparison
from suffice.plots.canvas import canvas, legend, need_matplotlib
from suffice.plots.display import Display
from suffice.plots.palette import FAINT, colour


@dataclass(kw_only=True, eq=False, repr=False)
class ComparisonDisplay(Display):
    """A point a model with its 95 % interval; those that no test tells from the best are in its colour.

    Parameters
    ----------
    comparison : the numbers

    Attributes
    ----------
    tied_, worse_ : what was drawn for the best and its ties, and for the others; None where there are none
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> import numpy as np
    >>> from matplotlib.figure import Figure
    >>> from suffice import GaussianNB, NaiveBayes, compare
    >>> from suffice.plots import ComparisonDisplay
    >>> X, y = np.arange(20.0).reshape(-1, 1), np.repeat(["low", "high"], 10)
    >>> found = compare(X, y, [GaussianNB(), NaiveBayes()], cv=5)
    >>> display = ComparisonDisplay(comparison=found).plot(Figure().subplots())
    >>> [label.get_text() for label in display.ax_.get_yticklabels()]
    ['GaussianNB', 'NaiveBayes']
    """

    comparison: ModelComparison

    @classmethod
    def from_comparison(cls, comparison: ModelComparison, *, ax: Any = None) -> Self:
        """Draw what `suffice.compare` found.

        Parameters
        ----------
        comparison : what `suffice.compare` gave
        ax : axes to draw on; None: those of a new figure
        """
        need_matplotlib(cls.__name__)
        return cls(comparison=comparison).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        """
        found = self.comparison
        names = [model.name for model in found.models]
        with canvas(self._owner, ax) as axes:
            tied = [i for i, name in enumerate(names) if name in found.ties]
            worse = [i for i, name in enumerate(names) if name not in found.ties]
            self.tied_ = self._bars(axes, tied, colour(0), "best" if len(tied) == 1 else "best, and tied with it")
            self.worse_ = self._bars(axes, worse, FAINT, "worse") if worse else None
            axes.set_yticks(range(len(names)), names)
            axes.set_ylim(len(names) - 0.5, -0.5)
            axes.set_xlabel(f"{found.scoring.replace('_', ' ')}, 95 % interval".capitalize())
            legend(axes)
            self._drawn(axes)
        return self

    def _bars(self, axes: Any, places: list[int], tint: Any, label: str) -> Any:
        told = [self.comparison.estimate(self.comparison.models[i].name) for i in places]
        sides = [[e.value - e.low for e in told], [e.high - e.value for e in told]]
        return axes.errorbar([e.value for e in told], places, xerr=sides, fmt="o", color=tint, capsize=3, label=label)
