"""Pictures as the bytes of a file, without a window: for those who write files themselves."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any


def drawn_bytes(draw: Callable[[Any], Any], ending: str) -> bytes:
    """What is drawn on the axes of a new figure, as a file of this ending.

    Parameters
    ----------
    draw : draws on axes
    ending : png, pdf, svg

    >>> drawn_bytes(lambda axes: axes.plot([0, 1], [0, 1]), "svg")[:5]
    b'<?xml'
    """
    return figure_bytes(lambda figure: draw(figure.subplots()), ending)


def figure_bytes(draw: Callable[[Any], Any], ending: str) -> bytes:
    """What is drawn on a new figure, as a file of this ending.

    Parameters
    ----------
    draw : draws on a figure
    ending : png, pdf, svg
    """
    from matplotlib.figure import Figure

    figure, pieces = Figure(layout="constrained"), io.BytesIO()
    draw(figure)
    figure.savefig(pieces, format=ending)
    return pieces.getvalue()
