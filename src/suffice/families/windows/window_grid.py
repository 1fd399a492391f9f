"""Gaussian windows on a line through a grid: a sum over n points at m places in a number of steps like n + m.

    exp(-(x - v)^2 / 2 h^2) ~ sum over g of exp(-(x - g)^2 / h^2) exp(-(g - v)^2 / h^2)       g on a grid of step s

A Gaussian window is the smoothing of one by another, and the trapezoid rule of that smoothing is wrong by the factor
1 + 2 exp(-pi^2 h^2 / 2 s^2) at most, whatever x and v are: 2.8 grid points a bandwidth give all digits of float64, 1.8
give six. Points are binned once, each over the grid points near it, and read once at each place. All terms are
positive: nothing cancels. (Linear binning and a Fourier transform, which is usual, is wrong by (s / h)^2 / 4 and needs
500 grid points a bandwidth for six digits.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import ceil, erfc, frexp, log, pi, sqrt
from typing import NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.families.windows.weighted_points import Points
from suffice.numerics.loop import loop, pays

ROUNDING = 2.0**-52
MOST = 2.0**46  # a place beyond so many steps from 0 has no digits left for where it lies in its step
AT_ONCE = 4096  # places whose grid points are held at a time


class WindowGrid(NamedTuple):
    """Which grid gives a relative error."""

    step: float  # so few digits that its multiples are exact
    per: float  # grid points a bandwidth
    reach: int  # grid points on each side of a place that count
    least: float  # a sum below this share of the weight may miss more than the error: add it up pair by pair

    @classmethod
    def of(cls, h: float, n: int, error: float) -> WindowGrid:
        """The coarsest grid whose relative error is at most `error` for n points."""
        error = max(error, ROUNDING)
        mantissa, power = frexp(h / sqrt(2.0 / pi**2 * log(6.0 / error)))
        step = np.floor(mantissa * 32.0) / 32.0 * 2.0**power
        far = sqrt(2.0 * (log(3.0 / error) + log(n + 1.0) + 1.0))  # bandwidths between points that need not count
        reach = 0.5 * far + 0.5 * _tail(error / 3.0)
        per = float(h / step)
        return cls(float(step), per, ceil(reach * per) + 1, 3.0 / error * float(np.exp(-0.5 * far * far)))


def _tail(share: float) -> float:
    """How many standard deviations leave this share of a normal distribution outside, on both sides."""
    z = 1.0
    while erfc(z / sqrt(2.0)) > share:
        z += 0.125
    return z


def grid_sums(points: Points, x: Array, h: float, error: float) -> tuple[Array, Array]:
    """Sums of w exp(-(x - v)^2 / 2 h^2) at the places x (m,), and where they are that exact (m,)."""
    values = points.values
    grid = WindowGrid.of(h, len(values), error)
    if max(np.abs(values).max(initial=0.0), h) > MOST * grid.step:
        return np.zeros(len(x)), np.zeros(len(x), dtype=bool)
    board, cells, places = _binned(points, grid, _profile)
    sums = _read(board, cells, places, x, grid) * (2.0 / sqrt(2.0 * pi) / grid.per)
    return sums, sums >= grid.least * points.total


def squared_derivative(points: Points, h: float, order: int, error: float = 0.0) -> float:
    """The integral of the square of the second or third derivative of sum_i w_i N(t; x_i, h / sqrt 2).

    It is the sum over all pairs of w_i w_j times the derivative of twice that order, up to its sign, of N(x_i - x_j; 0,
    h): the smoothing of one derivative by the other. On a grid all its terms are positive.
    """
    grid = WindowGrid.of(h, len(points.values), error)
    board, _, _ = _binned(points, grid, _DERIVATIVES[order])
    narrow = h / sqrt(2.0)
    return float((board * board).sum()) * grid.step / (2.0 * pi * narrow ** (2 * order + 2))


def _binned(points: Points, grid: WindowGrid, curve: Callable[[Array], Array]) -> tuple[Array, Array, Array]:
    """Sums of w curve(distance / h) on the grid, and which grid numbers have points, and where these are."""
    cells, (at, inside) = _numbered(points.values, grid)
    places = _packed(cells, grid)
    board = np.zeros(int(places[-1]) + 2 * grid.reach + 1)
    if curve is _profile and pays(len(at) * (2 * grid.reach + 1)):
        _spread(places[at], inside, points.weight, _falling(grid), 1.0 / grid.per, board)
        return board, cells, places
    for part in _parts(len(at)):
        near = curve(_offsets(inside[part], grid)) * points.weight[part, None]
        index = (places[at[part]][:, None] + np.arange(2 * grid.reach + 1)).ravel()
        board += np.bincount(index, near.ravel(), len(board))
    return board, cells, places


def _read(board: Array, cells: Array, places: Array, x: Array, grid: WindowGrid) -> Array:
    """What the grid says at the places x; 0 where no point is near."""
    sums = np.zeros(len(x))
    close = np.flatnonzero(np.abs(x) <= MOST * grid.step)
    number = np.rint(x[close] / grid.step)
    below = np.clip(np.searchsorted(cells, number, side="right") - 1, 0, len(cells) - 1)
    above = np.minimum(below + 1, len(cells) - 1)
    nearest = np.where(np.abs(cells[above] - number) < np.abs(number - cells[below]), above, below)
    away = number - cells[nearest]
    close, number, nearest, away = (side[np.abs(away) <= grid.reach] for side in (close, number, nearest, away))
    start = places[nearest] + away.astype(np.int64)
    inside = (x[close] - number * grid.step) / grid.step
    padded = np.concatenate([np.zeros(grid.reach), board, np.zeros(grid.reach)])
    if pays(len(close) * (2 * grid.reach + 1)):
        _gather(start + grid.reach, inside, padded, _falling(grid), 1.0 / grid.per, close, sums)
        return sums
    for part in _parts(len(close)):
        index = start[part][:, None] + np.arange(grid.reach, 3 * grid.reach + 1)
        sums[close[part]] = np.einsum("ij,ij->i", padded[index], _profile(_offsets(inside[part], grid)))
    return sums


def _numbered(values: Array, grid: WindowGrid) -> tuple[Array, tuple[Array, Array]]:
    """The distinct grid numbers of rising values; for each value which of them, and where in its step it lies."""
    number = np.rint(values / grid.step)
    cells, at = np.unique(number, return_inverse=True)
    return cells, (at, (values - number * grid.step) / grid.step)


def _packed(cells: Array, grid: WindowGrid) -> Array:
    """Where on a board each grid number begins; stretches without any point are cut down to what keeps sides apart."""
    steps = np.minimum(np.diff(cells), 4 * grid.reach + 2).astype(np.int64)
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(steps)])


def _offsets(inside: Array, grid: WindowGrid) -> Array:
    """Distances in bandwidths from each place to the grid points near it (n, 2 reach + 1)."""
    return np.asarray((np.arange(-grid.reach, grid.reach + 1) - inside[:, None]) / grid.per)


def _profile(u: Array) -> Array:
    """The half of a Gaussian window: exp(-u^2)."""
    return np.asarray(np.exp(-u * u))


def _falling(grid: WindowGrid) -> Array:
    """exp(-(k / per)^2) for the grid points k = 0 .. reach away."""
    return _profile(np.arange(grid.reach + 1) / grid.per)


_DERIVATIVES: Mapping[int, Callable[[Array], Array]] = {  # Hermite polynomials of z = sqrt(2) u
    2: lambda u: (2.0 * u * u - 1.0) * np.exp(-u * u),
    3: lambda u: sqrt(2.0) * u * (2.0 * u * u - 3.0) * np.exp(-u * u),
}


def _parts(n: int) -> list[slice]:
    return [slice(start, start + AT_ONCE) for start in range(0, n, AT_ONCE)]


@loop
def _spread(start, inside, weight, falling, step, board):  # type: ignore[no-untyped-def]
    """Add w exp(-((k - inside) step)^2) to the grid points k = -reach .. reach of each place, outwards by products."""
    reach = falling.shape[0] - 1
    for i in range(start.shape[0]):
        t = inside[i] * step
        up = down = weight[i] * np.exp(-t * t)
        more, less = np.exp(2.0 * t * step), np.exp(-2.0 * t * step)
        middle = start[i] + reach
        board[middle] += up
        for k in range(1, reach + 1):
            up *= more
            down *= less
            board[middle + k] += up * falling[k]
            board[middle - k] += down * falling[k]


@loop
def _gather(start, inside, board, falling, step, place, out):  # type: ignore[no-untyped-def]
    """out[place[i]] = sum of exp(-((k - inside) step)^2) times the board at the grid points k near each place."""
    reach = falling.shape[0] - 1
    for i in range(start.shape[0]):
        t = inside[i] * step
        up = down = np.exp(-t * t)
        more, less = np.exp(2.0 * t * step), np.exp(-2.0 * t * step)
        middle = start[i] + reach
        total = up * board[middle]
        for k in range(1, reach + 1):
            up *= more
            down *= less
            total += falling[k] * (up * board[middle + k] + down * board[middle - k])
        out[place[i]] = total
