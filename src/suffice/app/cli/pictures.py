"""Pictures that commands write: drawn by matplotlib, into a file that takes its name when it is whole."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from typing import Any

from suffice.app.report.output import write
from suffice.core.errors import Said, bad

FORMATS = ("png", "pdf", "svg")


def check_picture(plot: str | None) -> None:
    """Refuse, before any work, a picture that cannot be drawn."""
    if plot is None:
        return
    ending = os.path.splitext(plot)[1].lstrip(".").lower()
    if ending not in FORMATS:
        raise bad(
            "", "--plot", f"a file that ends in .{', .'.join(FORMATS)}", Said(f"{plot!r}"), "Choose one of these."
        )
    try:
        import matplotlib.figure  # noqa: F401
    except ModuleNotFoundError:
        raise bad("", "--plot", "left out where matplotlib is not installed", Said(f"{plot!r}"),
                  "Install it: pip install 'suffice[plot]'.") from None  # fmt: skip


def save_picture(draw: Callable[[Any], Any], plot: str) -> None:
    """Draw on axes of a new figure, and save it."""
    from matplotlib.figure import Figure

    figure = Figure(layout="constrained")
    draw(figure.subplots())
    save_figure(figure, plot)


def save_figure(figure: Any, plot: str) -> None:
    """Save a figure that was drawn."""
    pieces = io.BytesIO()
    figure.savefig(pieces, format=os.path.splitext(plot)[1].lstrip(".").lower())
    write([pieces.getvalue()], plot)
