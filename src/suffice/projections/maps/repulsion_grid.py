"""What places of a map push each other away by, through a grid: time goes with rows and with the area of the map.

A place is spread over the 4 x 4 nodes about it by cubic splines, the nodes push each other by a convolution (FFT), and
what reaches the nodes is read at the places by the same splines. With K the kernel at the differences of nodes and
b the transform of a spline at nodes, K^ / b^2 is used, so that places on nodes get what all pairs give.
The kernels q'^2 dx and q'^2 dy take one transform there and two back, and Z none; they stay until the grid changes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import fft

from suffice.core.block import Array
from suffice.numerics.loop import inner, loop
from suffice.projections.maps.repulsion_pairs import Pushing, Repulsion

SPACING = 0.4  # of nodes at most, in units of the map, where q' falls to a half within 1
LEAST = 32  # spaces along the longer side, while a map is small
BEYOND = 8  # nodes between what is a difference of places and what comes round from the other side
STEP = 8  # numbers of nodes are multiples, so that kernels stay while a map grows


class MapNodes(NamedTuple):
    """Nodes about a map."""

    spacing: float
    nodes: tuple[int, int]

    @property
    def around(self) -> tuple[int, int]:
        """Sizes of transforms that nothing comes round in."""
        first, second = (int(fft.next_fast_len(2 * m + BEYOND, real=True)) for m in self.nodes)
        return first, second


def grid_about(sides: Array) -> MapNodes:
    """The grid of a map with sides (2,)."""
    longest = max(float(sides.max()), 1e-300)
    spacing = min(SPACING, 2.0 ** np.floor(np.log2(longest / LEAST)))
    first, second = (-(-(int(side / spacing) + 4) // STEP) * STEP for side in sides)
    return MapNodes(spacing, (first, second))


def kernels_on(grid: MapNodes) -> list[Array]:
    """Transforms of q' (with what makes a sum of it), q'^2 dx, q'^2 dy at differences of nodes; splines taken out."""
    m, k = grid.around
    dx, dy = fft.fftfreq(m, 1.0 / m)[:, None] * grid.spacing, fft.fftfreq(k, 1.0 / k)[None, :] * grid.spacing
    q = 1.0 / (1.0 + dx**2 + dy**2)
    first, second = np.arange(m)[:, None] / m, np.arange(k // 2 + 1)[None, :] / k
    splines = ((2.0 + np.cos(2 * np.pi * first)) * (2.0 + np.cos(2 * np.pi * second)) / 9.0) ** 2
    whole, *odd = (fft.rfft2(kernel) / splines for kernel in (q, q**2 * dx, q**2 * dy))
    twice = np.where((np.arange(k // 2 + 1) == 0) | (2 * np.arange(k // 2 + 1) == k), 1.0, 2.0)  # the other half
    sums = (whole.real * twice / (m * k)).astype(np.float32)
    return [sums, *(kernel.astype(np.complex64) for kernel in odd)]


def grid_repulsion() -> Repulsion:
    """Through a grid, in one piece, while other threads see to what pulls; of maps with one or two axes."""
    kept: dict[MapNodes, list[Array]] = {}

    def repulsion(Y: Array) -> Pushing:
        n, k = Y.shape
        push = np.empty((n, 2))

        def work() -> float:
            places = np.zeros((n, 2))
            places[:, :k] = Y - Y.min(axis=0)
            grid = grid_about(places.max(axis=0))
            if grid not in kept:
                kept.clear()
                kept[grid] = kernels_on(grid)
            places /= grid.spacing
            mass = np.zeros(grid.nodes, dtype=np.float32)
            spread_places(places, mass)
            Z, first, second = _pushed(grid, mass, kept[grid])
            read_places(places, first, second, push)
            return float(Z - n)  # each met itself

        return Pushing([work], push[:, :k])

    return repulsion


def _pushed(grid: MapNodes, mass: Array, kernels: list[Array]) -> tuple[float, Array, Array]:
    """The sum of q' over all pairs, and the convolutions of both other kernels with the mass of the nodes.

    As places are read by the splines they are spread by, the sum is that of |transform of mass|^2 times the kernel's.
    Rows of zeros are not transformed.
    """
    (m, k), (rows, columns) = grid.around, grid.nodes
    there = fft.fft(fft.rfft(mass, n=k, axis=1), n=m, axis=0, overwrite_x=True)
    Z = float(np.vdot(kernels[0], there.real**2 + there.imag**2))
    back = (fft.ifft(there * kernel, axis=0, overwrite_x=True)[:rows] for kernel in kernels[1:])
    first, second = (fft.irfft(some, n=k, axis=1, overwrite_x=True)[:, :columns] for some in back)
    return Z, first, second


@inner
def cubic_splines(t: float, w: Array) -> None:
    """Weights of the four nodes about a place that is t (0 to 1) beyond the second."""
    s = 1.0 - t
    w[0] = s * s * s / 6.0
    w[1] = (4.0 - 6.0 * t * t + 3.0 * t * t * t) / 6.0
    w[2] = (4.0 - 6.0 * s * s + 3.0 * s * s * s) / 6.0
    w[3] = t * t * t / 6.0


@loop
def spread_places(places, mass):  # type: ignore[no-untyped-def]
    """Add the weights of places, in spaces from the first node, to the nodes about them."""
    u, v = np.empty(4), np.empty(4)
    for i in range(places.shape[0]):
        a, b = int(places[i, 0]), int(places[i, 1])
        cubic_splines(places[i, 0] - a, u)
        cubic_splines(places[i, 1] - b, v)
        for p in range(4):
            for q in range(4):
                mass[a + p, b + q] += u[p] * v[q]


@loop
def read_places(places, first, second, read):  # type: ignore[no-untyped-def]
    """What two fields on the nodes are at the places."""
    u, v = np.empty(4), np.empty(4)
    for i in range(places.shape[0]):
        a, b = int(places[i, 0]), int(places[i, 1])
        cubic_splines(places[i, 0] - a, u)
        cubic_splines(places[i, 1] - b, v)
        x, y = 0.0, 0.0
        for p in range(4):
            for q in range(4):
                x += u[p] * v[q] * first[a + p, b + q]
                y += u[p] * v[q] * second[a + p, b + q]
        read[i, 0], read[i, 1] = x, y
