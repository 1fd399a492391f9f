"""SelectionDisplay: score against penalty or complexity, with the band of one standard error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.core.errors import bad
from suffice.evaluation.selection.complexity_curve import complexity_curve
from suffice.evaluation.selection.selection_curve import ENDS, SelectionCurve, standard_error
from suffice.evaluation.selection.selection_readings import read_selection
from suffice.plots.canvas import canvas, legend, need_matplotlib
from suffice.plots.display import Display, next_place, own_label, styled
from suffice.plots.palette import FAINT, INK, TINT, colour

WIDE = 30.0  # largest over smallest value from which on a scale is logarithmic


@dataclass(kw_only=True, eq=False, repr=False)
class SelectionDisplay(Display):
    """The mean score of each value over rows left out, the best value, and the simplest that is nearly as good.

    Parameters
    ----------
    curve : the numbers

    Attributes
    ----------
    line_, band_ : mean, and one standard error around it; no band where there is one fold
    train_line_, train_band_ : the same of the rows learned from; None where there are none
    best_, simplest_, limit_ : marks of the values, and the line one standard error from the best score
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.evaluation import SelectionCurve
    >>> from suffice.plots import SelectionDisplay
    >>> curve = SelectionCurve.of("alpha", [0.1, 1.0, 10.0], [[1.0, 3.0], [1.5, 2.0], [1.7, 2.0]], larger=False)
    >>> display = SelectionDisplay(curve=curve).plot(Figure().subplots(), simplest="largest")
    >>> display.best_.get_label(), display.simplest_.get_label()
    ('best: alpha = 1', 'simplest within one standard error: alpha = 10')
    """

    curve: SelectionCurve

    @classmethod
    def from_search(
        cls, search: Any, *, parameter: str | None = None, scoring: str | None = None, ax: Any = None, **options: Any
    ) -> Self:
        """Read a search that has been made, and draw.

        Parameters
        ----------
        search : what `grid_search` or `complexity_curve` gave; or a fitted LassoCV, ElasticNetCV, RidgeCV (with
            store_cv_results), LogisticRegressionCV or GridSearchCV, ours or scikit-learn's
        parameter : its name, where there are several
        scoring : the name of another score, where `grid_search` was used
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        return cls(curve=read_selection(search, parameter, scoring)).plot(ax=ax, **options)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        param_name: str,
        param_range: Any,
        loss: str | None = None,
        cv: Any = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Fit an estimator with each value of a parameter, and draw training and test error: a complexity curve.

        Parameters
        ----------
        estimator : a classifier or a regressor, ours or scikit-learn's; it is not changed
        X, y : rows
        param_name, param_range : what is varied, and how
        loss, cv : as for `complexity_curve`: None is squared error or wrong answers, over ten random splits
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        found = complexity_curve(estimator, param_name, param_range, X, y, loss=loss, cv=cv)
        return cls(curve=read_selection(found)).plot(ax=ax, **options)

    def plot(
        self,
        ax: Any = None,
        *,
        simplest: str | None = None,
        plot_best: bool = True,
        log_scale: bool | None = None,
        curve_kwargs: Mapping[str, Any] | None = None,
    ) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        simplest : mark the simplest value within one standard error of the best: the "first" that was tried, the
            "smallest" or the "largest"; None: not
        plot_best : whether to mark the best value
        log_scale : whether values are on a logarithmic scale; None: where they are above 0 and far apart
        curve_kwargs : keywords of matplotlib for the line of rows left out
        """
        if simplest is not None and simplest not in ENDS:
            raise bad(self._owner, "simplest", f"None, or one of {', '.join(ENDS)}", simplest)
        c, order = self.curve, np.argsort(self.curve.values, kind="stable")
        with canvas(self._owner, ax) as axes:
            label = own_label(axes, "rows left out")
            style = styled({"color": colour(next_place(axes)), "marker": "o", "ms": 4, "label": label}, curve_kwargs)
            self.line_, self.band_ = _line(axes, c, order, c.scores, style)
            self.train_line_, self.train_band_ = None, None
            if c.training is not None:
                label = own_label(axes, "rows learned from")
                style = {"color": colour(next_place(axes)), "marker": "s", "ms": 4, "ls": "--", "label": label}
                self.train_line_, self.train_band_ = _line(axes, c, order, c.training, style)
            self.best_ = self._mark(axes, c.best, "D", "best") if plot_best else None
            self.simplest_, self.limit_ = None, None
            if simplest is not None:
                place = c.simplest(simplest)
                self.simplest_ = self._mark(axes, place, "s", "simplest within one standard error")
                self.limit_ = axes.axhline(c.limit, color=FAINT, ls=":", zorder=0)
            if log_scale or (log_scale is None and c.values.min() > 0 and c.values.max() >= WIDE * c.values.min()):
                axes.set_xscale("log")
            axes.set(xlabel=c.parameter, ylabel=c.scoring[:1].upper() + c.scoring[1:])
            legend(axes)
            self._drawn(axes)
        return self

    def _mark(self, axes: Any, place: int, shape: str, told: str) -> Any:
        value = self.curve.values[place]
        label = f"{told}: {self.curve.parameter} = {value:.4g}"
        style = {"color": colour(2), "markeredgecolor": INK, "zorder": 4, "ms": 9, "ls": ""}
        (mark,) = axes.plot(
            value, self.curve.mean[place], marker=shape, fillstyle="none", mew=1.6, label=label, **style
        )
        return mark


def _line(axes: Any, curve: SelectionCurve, order: Any, scores: Any, style: dict[str, Any]) -> tuple[Any, Any]:
    """The mean over folds, and its standard error as a band."""
    x, mean = curve.values[order], scores.mean(axis=1)[order]
    error = standard_error(scores, curve.test_ratio)[order]
    (line,) = axes.plot(x, mean, **style)
    if np.isnan(error).all():
        return line, None
    band = axes.fill_between(x, mean - error, mean + error, color=line.get_color(), alpha=0.5 * TINT, lw=0)
    return line, band
