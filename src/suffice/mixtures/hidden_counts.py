"""Hidden counts: multinomial cells that are known functions of a parameter, some of them seen only in sum.

    log p(s | theta) = sum_g s_g log P_g(theta) + constant,     P_g = sum over the cells c of group g of p_c(theta)

The sums are split among their cells as the parameter says, and the parameter is estimated as if the split were seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
from scipy.special import xlogy

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.registry import registered, saved
from suffice.core.saving import save_value
from suffice.mixtures.expectation import Ascent, em

WHOLE = 1e-9  # how far the probabilities of all cells may sum from 1
EDGE = 1e-12  # of the width of a range: parameters are looked for inside of it


@saved
@dataclass(frozen=True)
class HiddenCounts:
    """Cells with known probabilities given a parameter, and the groups in which they are counted.

    Parameters
    ----------
    cells : parameter -> probabilities of all cells, which sum to 1; `LinearCells` can be saved, a function cannot
    seen : the cells of each group that is counted; every cell is in one of them
    low, high : the range of the parameter; numbers, or one of each for every parameter
    maximise : counts of all cells -> the likeliest parameter; None looks for it in the range

    Examples
    --------
    A has probability 1/2 and C twice that of B, which is not known. A and B were only counted together:

    >>> from suffice import HiddenCounts
    >>> model = HiddenCounts(lambda b: (0.5, b, 2 * b, 0.5 - 3 * b), seen=[(0, 1), (2,), (3,)], low=0.0, high=1 / 6)
    >>> answer = model.learn([20, 10, 10], starts=[0.1])
    >>> round(float(answer.model), 6), answer.hidden.round(4)
    (0.094788, array([16.8127,  3.1873, 10.    , 10.    ]))
    """

    cells: Callable[[Any], Any]
    seen: Sequence[Sequence[int]]
    low: Any = 0.0
    high: Any = 1.0
    maximise: Callable[[Array], Any] | None = None

    def __post_init__(self) -> None:
        """Refuse groups that do not divide the cells, and ranges that hold nothing."""
        groups = [tuple(group) for group in self.seen]
        places = sorted(place for group in groups for place in group)
        if not groups or not all(groups) or places != list(range(len(places))):
            raise bad(self, "seen", "groups with every cell in one of them", self.seen, "Number the cells from 0.")
        low, high = np.asarray(self.low, dtype=np.float64), np.asarray(self.high, dtype=np.float64)
        if low.shape != high.shape or not (low < high).all() or not np.isfinite(high - low).all():
            raise bad(self, "low and high", "finite, low below high", (self.low, self.high), "Give each its range.")

    def probabilities(self, theta: Any) -> Array:
        """Probabilities of all cells (C,)."""
        p = np.asarray(self.cells(theta), dtype=np.float64)
        if p.shape != (sum(map(len, self.seen)),):
            rule = f"one for each of the {sum(map(len, self.seen))} cells in `seen`"
            raise bad(self, "the probabilities of the cells", rule, Said(f"shape {p.shape}"), "Correct one of them.")
        if not (p >= -WHOLE).all() or not abs(p.sum() - 1.0) <= WHOLE:
            raise bad(self, "the probabilities of the cells", "at least 0 with sum 1", p.tolist(), "Check the range.")
        return np.maximum(p, 0.0)

    def expect(self, theta: Any, counts: Any) -> tuple[Array, float]:
        """Expected counts of all cells (C,), and the log-likelihood of the parameter but for its constant."""
        p, hidden, total = self.probabilities(theta), np.empty(sum(map(len, self.seen))), 0.0
        for group, count in zip(self.seen, self._read(counts), strict=True):
            mine = p[list(group)]
            whole = mine.sum()
            hidden[list(group)] = count * (mine / whole if whole > 0 else 1.0 / len(mine))
            total += float(xlogy(count, whole))
        return hidden, total

    def estimate(self, hidden: Any) -> Any:
        """The likeliest parameter if the counts of all cells were seen."""
        hidden = np.asarray(hidden, dtype=np.float64)
        return self._search(hidden) if self.maximise is None else self.maximise(hidden)

    def learn(
        self,
        counts: Any,
        starts: Iterable[Any] | None = None,
        *,
        hidden: bool = False,
        tol: float = 1e-12,
        max_iter: int = 1000,
    ) -> Ascent[Any, Array]:
        """Expectation-maximisation from every start; `hidden` of the answer holds the expected counts of all cells.

        Parameters
        ----------
        counts : how often each group was seen
        starts : parameters to begin with, the middle of the range if None
        hidden : whether the starts are counts of all cells instead
        tol, max_iter : as for `em`
        """
        self._read(counts)
        middle = [(np.asarray(self.low, dtype=np.float64) + np.asarray(self.high, dtype=np.float64)) / 2.0]
        return em(
            lambda theta: self.expect(theta, counts),
            self.estimate,
            middle if starts is None else starts,
            hidden=hidden,
            tol=tol,
            max_iter=max_iter,
        )

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to a file: numbers and a description, never code. `suffice.load` reads it."""
        for name in ("cells", "maximise"):
            given = getattr(self, name)
            if given is not None and registered().get(type(given).__name__) is not type(given):
                rule = "a value such as LinearCells to be saved, as files hold no code"
                raise bad(self, name, rule, given, "Say it by numbers, or keep the function with your program.")
        save_value(self, path)

    def _read(self, counts: Any) -> Array:
        values = np.asarray(counts, dtype=np.float64)
        if values.shape != (len(self.seen),) or not (np.isfinite(values) & (values >= 0)).all() or not values.any():
            rule = f"{len(self.seen)} numbers of at least 0, one for each group, not all 0"
            raise bad(self, "counts", rule, counts, "Count each group of `seen`.")
        return values

    def _search(self, hidden: Array) -> Any:
        """Maximise sum_c n_c log p_c(theta) in the range."""
        low, high = np.asarray(self.low, dtype=np.float64), np.asarray(self.high, dtype=np.float64)

        def loss(theta: Any) -> float:
            return -float(xlogy(hidden, self.probabilities(theta)).sum())

        return _lowest_of_many(loss, low, high) if low.ndim else _lowest(loss, float(low), float(high))


def _lowest_of_many(loss: Callable[[Any], float], low: Array, high: Array) -> Array:
    """The minimum in a box, to about 1e-8."""
    from scipy.optimize import minimize

    inside = EDGE * (high - low)
    box = list(zip(low + inside, high - inside, strict=True))
    tight = {"ftol": 1e-15, "gtol": 1e-10, "maxiter": 1000}
    return np.asarray(minimize(loss, (low + high) / 2.0, method="L-BFGS-B", bounds=box, options=tight).x)


def _lowest(loss: Callable[[float], float], low: float, high: float) -> float:
    """The minimum in an interval, to about 1e-12: heights tell it to 1e-8 only, the root of the slope to more."""
    from scipy.optimize import brentq, minimize_scalar

    near = float(minimize_scalar(loss, bounds=(low, high), method="bounded").x)
    step = 1e-3 * min(near - low, high - near)

    def slope(theta: float) -> float:  # central difference of fourth order
        ends = [loss(theta + i * step) for i in (-2, -1, 1, 2)]
        return (ends[0] - 8.0 * ends[1] + 8.0 * ends[2] - ends[3]) / (12.0 * step)

    a, b = near - 10.0 * step, near + 10.0 * step
    return float(brentq(slope, a, b, xtol=EDGE * (high - low))) if slope(a) < 0.0 < slope(b) else near
