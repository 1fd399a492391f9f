"""CoefficientPathDisplay: how the coefficients of a linear model shrink as its penalty grows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.evaluation.selection.penalty_path import CoefficientPath, coefficient_path, read_path
from suffice.plots.canvas import canvas, legend_beside, need_matplotlib
from suffice.plots.display import Display, styled
from suffice.plots.palette import FAINT, INK, colour, line

NAMED = 12  # more columns are not named


@dataclass(kw_only=True, eq=False, repr=False)
class CoefficientPathDisplay(Display):
    """A line for each coefficient, over the penalty on a logarithmic scale.

    Parameters
    ----------
    path : the numbers: a `CoefficientPath`, or penalties and coefficients as scikit-learn's `lasso_path` gives them

    Attributes
    ----------
    lines_ : one for each coefficient
    chosen_ : the line at the chosen penalty; None where there is none
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice import Ridge
    >>> from suffice.plots import CoefficientPathDisplay
    >>> X = np.arange(12.0).reshape(6, 2)
    >>> ax = Figure().subplots()
    >>> display = CoefficientPathDisplay.from_estimator(Ridge(), X, X[:, 0], penalties=[1e-9, 35.0, 1e9], ax=ax)
    >>> display.lines_[0].get_ydata().round(3).tolist()
    [0.5, 0.4, 0.0]
    """

    path: CoefficientPath

    def __post_init__(self) -> None:
        """Read the path."""
        self.path = read_path(self.path, self)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        penalties: Any = None,
        parameter: str = "alpha",
        target: int = 0,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Learn under each penalty, and draw; models of ours that add read the rows once.

        Parameters
        ----------
        estimator : Ridge, Lasso, ElasticNet, LogisticRegression, ..., ours or scikit-learn's; it is not changed
        X, y : rows
        penalties : values of the parameter; None: 50 from 1e-3 to 1e3
        parameter : its name
        target : the target, or the class, whose coefficients are drawn, where there are several
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        values = np.geomspace(1e-3, 1e3, 50) if penalties is None else penalties
        path = coefficient_path(estimator, X, y, values, parameter=parameter, target=target)
        return cls(path=path).plot(ax=ax, **options)

    def plot(
        self, ax: Any = None, *, chosen: float | None = None, curve_kwargs: Mapping[str, Any] | None = None
    ) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        chosen : a penalty to mark, such as that which cross-validation chose
        curve_kwargs : keywords of matplotlib for the lines
        """
        order = np.argsort(self.path.penalties, kind="stable")
        penalties, coef = self.path.penalties[order], self.path.coef[order]
        with canvas(self._owner, ax) as axes:
            self.lines_ = []
            for j, name in enumerate(self.path.names):
                told = name if len(self.path.names) <= NAMED else None
                style = {"color": colour(j), "linestyle": line(j // 8), "label": told}
                self.lines_.extend(axes.plot(penalties, coef[:, j], **styled(style, curve_kwargs)))
            axes.axhline(0.0, color=FAINT, lw=0.6, zorder=0)
            self.chosen_ = None
            if chosen is not None:
                label = f"{self.path.parameter} = {chosen:.3g}"
                self.chosen_ = axes.axvline(chosen, color=INK, ls=":", label=label)
            if penalties[0] > 0.0:
                axes.set_xscale("log")
            axes.set(xlabel=self.path.parameter, ylabel="Coefficient")
            legend_beside(axes, ax)
            self._drawn(axes)
        return self
