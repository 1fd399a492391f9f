"""CutsDisplay: what a cut of a column at each of its values gains, and where a discretiser cuts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.decision.maps.isotonic_map import half_way
from suffice.features.column_plan import classed
from suffice.features.discretise.class_blocks import sweep_scores
from suffice.features.discretise.class_shares import read_score
from suffice.features.discretise.discretizer import Discretizer
from suffice.plots.canvas import need_matplotlib, panels
from suffice.plots.display import Display
from suffice.plots.palette import colour


@dataclass(kw_only=True, eq=False, repr=False)
class CutsDisplay(Display):
    """The score of a split in two at every place of a ranking, with the cuts of a discretiser.

    Parameters
    ----------
    places : (V - 1,) half-way between neighbouring values
    scores : (V - 1,) of a split there
    cuts : where the discretiser cuts
    objective : name of the score

    Attributes
    ----------
    line_, cuts_ : the scores, and one line a cut
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.plots import CutsDisplay
    >>> x, y = [1.0, 2.0, 3.0, 4.0], [0, 0, 1, 1]
    >>> display = CutsDisplay.from_rows(x, y, strategy="recpart", stop="constant", ax=Figure().subplots())
    >>> display.cuts.tolist(), display.scores.round(2).tolist()
    ([2.5], [0.31, 1.0, 0.31])
    """

    places: Array
    scores: Array
    cuts: Array
    objective: str = "information_gain"

    @classmethod
    def from_rows(
        cls, x: Any, y: Any, *, strategy: str = "mdl", objective: str = "information_gain", ax: Any = None, **given: Any
    ) -> Self:
        """Rank a column, discretise it, and draw.

        Parameters
        ----------
        x : one number a row
        y : one label a row
        strategy, given : of `Discretizer`
        objective : score of a split
        ax : axes; None: those of a new figure
        """
        need_matplotlib(cls.__name__)
        column = np.asarray(x, dtype=np.float64)
        if column.ndim != 1:
            raise bad(cls.__name__, "x", "one number a row", Said(f"shape {column.shape}"))
        score = read_score(cls.__name__, objective)
        model = Discretizer(strategy, objective=objective, **given)
        ranks = Discretizer("recpart").fit(column[:, None], y).summary_.summary.parts[1]
        values, counts = classed(ranks, 0)
        cuts = model.fit(column[:, None], y).cuts_[0]
        places = half_way(values[:-1], values[1:])
        return cls(places=places, scores=sweep_scores(counts, score), cuts=cuts, objective=objective).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes; None: those of a new figure
        """
        with panels(self._owner, ax, (1, 1), (6.4, 4.2)) as axes:
            panel = axes[0][0]
            (self.line_,) = panel.plot(self.places, self.scores, color=colour(0), marker=".", label="score of a cut")
            self.cuts_ = [panel.axvline(cut, color=colour(1), ls="--") for cut in self.cuts.tolist()]
            panel.set(xlabel="Value", ylabel=self.objective.replace("_", " "))
            self._drawn(panel)
        return self
