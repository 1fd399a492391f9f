"""The colours of all pictures, defined once: eight that colour-blind eyes tell apart, with a marker and a line each.

Okabe and Ito's palette, its yellow last because it is faint on white. Classes are also told apart by marker and line
style, so that no picture depends on colour alone.
"""

from __future__ import annotations

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")
MARKERS = ("o", "^", "s", "D", "v", "P", "X", "*")
LINES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (5, 1, 1, 1, 1, 1)))
INK = "#333333"  # frontiers, rings, text
FAINT = "#888888"  # chance, diagonals, lines of reference
REFUSED = "#BBBBBB"  # what is not answered
RISING = "cividis"  # map of numbers from little to much
TINT = 0.3  # opacity of areas
FAINT_LINES = 0.35  # opacity of many lines


def colour(k: int) -> str:
    """The colour of class, column or curve number k.

    >>> colour(0) == colour(8)
    True
    """
    return COLOURS[k % len(COLOURS)]


def marker(k: int) -> str:
    """The marker of class number k."""
    return MARKERS[k % len(MARKERS)]


def line(k: int) -> str | tuple[int, tuple[int, ...]]:
    """The line style of curve number k; after eight curves colours repeat with the next style."""
    return LINES[(k + k // len(LINES)) % len(LINES)]
