"""ContourDisplay: normal components in two features, as ellipses one standard deviation around their means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.core.errors import Said, bad
from suffice.decision.decide.read_wishes import as_numbers, label_tuple
from suffice.families.normals.gaussian import Gaussian
from suffice.plots.canvas import canvas, legend_beside, need_matplotlib
from suffice.plots.display import Display, styled
from suffice.plots.numbers.classed_columns import ClassedColumns, read_classed
from suffice.plots.numbers.inner_normals import normal_components
from suffice.plots.palette import FAINT, colour, line


@dataclass(kw_only=True, eq=False, repr=False)
class ContourDisplay(Display):
    """Points at given Mahalanobis distances from the mean of each component: ellipses.

    Parameters
    ----------
    components : normal distributions of two columns
    labels : names of the components
    radii : distances, in standard deviations
    rows : rows to draw, of two features; None: none
    names : of the two features

    Attributes
    ----------
    ellipses_ : lines, component by component and radius by radius
    centres_ : marks of the means
    rows_ : points of the rows; None where there are none
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.families.normals.gaussian import Gaussian
    >>> from suffice.plots import ContourDisplay
    >>> one = Gaussian([1.0, 2.0], [[4.0, 0.0], [0.0, 1.0]])
    >>> display = ContourDisplay(components=[one]).plot(Figure().subplots())
    >>> float(display.ellipses_[0].get_xdata().max()), float(display.ellipses_[0].get_ydata().max())
    (3.0, 3.0)
    """

    components: Sequence[Gaussian]
    labels: Sequence[Any] | None = None
    radii: Any = (1.0,)
    rows: ClassedColumns | None = None
    names: tuple[str, str] = ("x0", "x1")

    def __post_init__(self) -> None:
        """Refuse what has no ellipse."""
        if not len(self.components) or any(one.d != 2 for one in self.components):
            got = Said(f"{[one.d for one in self.components]}")
            raise bad(self, "components", "normal distributions of two columns", got, "Say which columns to draw.")
        radii = as_numbers(self, "radii", "numbers", np.atleast_1d(self.radii))
        if not (np.isfinite(radii) & (radii > 0.0)).all():
            raise bad(self, "radii", "finite and above 0", self.radii)
        self.radii = radii.tolist()

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any = None,
        y: Any = None,
        *,
        columns: tuple[int, int] = (0, 1),
        radii: Any = (1.0,),
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Read the components of a fitted model, and draw.

        Parameters
        ----------
        estimator : a fitted Gaussian mixture, GaussianNB or discriminant analysis, ours or scikit-learn's
        X, y : rows to draw, and their labels; None: none
        columns : numbers of the two columns to draw; all others are left out, as marginals allow
        radii : distances, in standard deviations
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        owner = cls.__name__
        need_matplotlib(owner)
        found = normal_components(estimator)
        pair = _pair(owner, columns, found[0].d)
        marginals = [one.marginal(pair) for one in found]
        classes = label_tuple(estimator.classes_) if hasattr(estimator, "classes_") else None
        rows = None if X is None else _some(read_classed(owner, X, y, width=found[0].d), pair)
        own = getattr(estimator, "feature_names_in_", None)
        names = [f"x{j}" for j in pair] if own is None else [str(own[j]) for j in pair]
        display = cls(components=marginals, labels=classes, radii=radii, rows=rows, names=(names[0], names[1]))
        return display.plot(ax=ax, **options)

    def plot(self, ax: Any = None, *, curve_kwargs: Mapping[str, Any] | None = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        curve_kwargs : keywords of matplotlib for the ellipses
        """
        with canvas(self._owner, ax) as axes:
            self.rows_ = None
            if self.rows is not None:
                self.rows_ = axes.scatter(*self.rows.columns.values.T, s=8.0, color=FAINT, alpha=0.6, zorder=0)
            self.ellipses_: list[Any] = []
            self.centres_: list[Any] = []
            for k, one in enumerate(self.components):
                self._component(axes, k, one, curve_kwargs)
            axes.set(xlabel=self.names[0], ylabel=self.names[1])
            legend_beside(axes, ax)
            self._drawn(axes)
        return self

    def _component(self, axes: Any, k: int, one: Gaussian, given: Mapping[str, Any] | None) -> None:
        name = f"component {k}" if self.labels is None else str(self.labels[k])
        for i, radius in enumerate(self.radii):
            around = one.contour(radius, 200)
            closed = np.concatenate([around, around[:1]])
            style = {"color": colour(k), "linestyle": line(k), "label": name if i == 0 else None}
            self.ellipses_.extend(axes.plot(*closed.T, **styled(style, given)))
        self.centres_.extend(axes.plot(*one.mean, marker="+", color=colour(k), ms=9, mew=2))


def _pair(owner: str, columns: Any, d: int) -> list[int]:
    """Two different columns of d."""
    pair = [int(j) for j in columns] if np.ndim(columns) == 1 else []
    if len(set(pair)) != 2 or len(pair) != 2 or not all(0 <= j < d for j in pair):
        raise bad(owner, "columns", f"two different numbers from 0 to {d - 1}", columns)
    return pair


def _some(rows: ClassedColumns, pair: list[int]) -> ClassedColumns:
    columns = rows.columns._replace(
        values=rows.columns.values[:, pair], names=tuple(rows.columns.names[j] for j in pair)
    )
    return rows._replace(columns=columns)
