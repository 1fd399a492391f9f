"""SilhouetteDisplay: the silhouettes of all rows, sorted within each cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.clusters.validation.silhouettes import Silhouettes, silhouettes
from suffice.plots.canvas import canvas, need_matplotlib
from suffice.plots.display import Display
from suffice.plots.palette import FAINT, colour


@dataclass(kw_only=True, eq=False, repr=False)
class SilhouetteDisplay(Display):
    """One bar a row, the longest of each cluster on top; the mean of all is a line.

    Parameters
    ----------
    silhouettes : values and labels, such as `suffice.clusters.silhouettes(X, labels)`

    Attributes
    ----------
    bars_ : one collection of bars a cluster
    line_ : the mean
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.plots import SilhouetteDisplay
    >>> rows, labels = [[0.0], [1.0], [10.0], [11.0]], [0, 0, 1, 1]
    >>> len(SilhouetteDisplay.from_labels(rows, labels, ax=Figure().subplots()).bars_)
    2
    """

    silhouettes: Silhouettes

    @classmethod
    def from_labels(cls, X: Any, labels: Any, metric: Any = "euclidean", *, ax: Any = None, **options: Any) -> Self:
        """Work silhouettes out, and draw.

        Parameters
        ----------
        X : rows, or distances with metric="precomputed"
        labels : one a row
        metric : any distance, or its name
        ax : axes to draw on; None: those of a new figure
        options : as for `silhouettes`
        """
        need_matplotlib(cls.__name__)
        return cls(silhouettes=silhouettes(X, labels, metric, **options)).plot(ax=ax)

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, metric: Any = "euclidean", *, ax: Any = None) -> Self:
        """Ask a fitted clusterer for the clusters of rows, and draw.

        Parameters
        ----------
        estimator : a fitted clusterer
        X : rows
        metric : any distance, or its name
        ax : axes to draw on; None: those of a new figure
        """
        return cls.from_labels(X, estimator.predict(X), metric, ax=ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        """
        found = self.silhouettes
        with canvas(self._owner, ax) as axes:
            self.bars_, start, ticks = [], 0, []
            for k, cluster in enumerate(found.clusters.tolist()):
                values = found.sorted_values(cluster)
                at = np.arange(start, start + len(values))
                told = f"{cluster} ({found.by_cluster[k]:.2f})"
                self.bars_.append(axes.barh(at, values, height=1.0, color=colour(k), label=told))
                ticks.append(start + 0.5 * (len(values) - 1))
                start += len(values) + 1
            self.line_ = axes.axvline(found.mean, color=FAINT, ls="--", label=f"mean ({found.mean:.2f})")
            axes.set(yticks=ticks, yticklabels=[str(c) for c in found.clusters.tolist()])
            axes.set(xlabel="Silhouette", ylabel="Cluster")
            axes.invert_yaxis()
            axes.legend(loc="best")
            self._drawn(axes)
        return self
