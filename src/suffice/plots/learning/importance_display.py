"""ImportanceDisplay: what each column is worth to a model, with intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.core.errors import bad
from suffice.evaluation import Importances, permutation_importance
from suffice.plots.canvas import canvas, need_matplotlib
from suffice.plots.display import Display
from suffice.plots.palette import FAINT, colour


@dataclass(kw_only=True, eq=False, repr=False)
class ImportanceDisplay(Display):
    """One bar a column: how much the score falls when its cells change places, with the 95 % interval.

    Parameters
    ----------
    importances : as `suffice.evaluation.permutation_importance` gives them
    most : how many columns are drawn, best first; None: all

    Attributes
    ----------
    bars_ : what was drawn
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice import Ridge
    >>> from suffice.plots import ImportanceDisplay
    >>> X = np.random.default_rng(0).normal(size=(30, 2))
    >>> model = Ridge().fit(X, X[:, 1])
    >>> display = ImportanceDisplay.from_estimator(model, X, X[:, 1], random_state=0, ax=Figure().subplots())
    >>> [label.get_text() for label in display.ax_.get_yticklabels()]
    ['x0', 'x1']
    """

    importances: Importances
    most: int | None = None

    def __post_init__(self) -> None:
        """Refuse what are no importances."""
        if not isinstance(self.importances, Importances):
            raise bad(self, "importances", "what permutation_importance gives", self.importances)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, most: int | None = None, ax: Any = None, **options: Any
    ) -> Self:
        """Measure, and draw.

        Parameters
        ----------
        estimator, X, y : a fitted model, and rows it did not learn from
        most : how many columns are drawn, best first; None: all
        ax : axes to draw on; None: those of a new figure
        options : as for `permutation_importance`
        """
        need_matplotlib(cls.__name__)
        return cls(importances=permutation_importance(estimator, X, y, **options), most=most).plot(ax=ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        """
        found = self.importances
        order = np.argsort(-found.mean, kind="stable")[: self.most][::-1]
        spread = np.array([found.mean - found.low, found.high - found.mean])[:, order]
        with canvas(self._owner, ax) as axes:
            names = [str(found.names[j]) for j in order]
            self.bars_ = axes.barh(names, found.mean[order], xerr=np.maximum(spread, 0.0), color=colour(0))
            axes.axvline(0.0, color=FAINT, ls="--")
            axes.set(xlabel=f"Loss of {found.score}")
            self._drawn(axes)
        return self
