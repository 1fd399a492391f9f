"""Pictures that commands write: into a file that takes its name when it is whole."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from suffice.app.report.output import write
from suffice.core.errors import Said, bad

FORMATS = ("png", "pdf", "svg")


def check_picture(plot: str | None) -> None:
    """Refuse, before any work, a picture that cannot be drawn."""
    if plot is None:
        return
    if _ending(plot) not in FORMATS:
        rule = f"a file that ends in .{', .'.join(FORMATS)}"
        raise bad("", "--plot", rule, Said(f"{plot!r}"), "Choose one of these.")
    if find_spec("matplotlib") is None:
        remedy = "Install it: pip install 'suffice[plot]'."
        raise bad("", "--plot", "left out where matplotlib is not installed", Said(f"{plot!r}"), remedy)


def save_picture(draw: Callable[[Any], Any], plot: str) -> None:
    """Draw on axes of a new figure, and save it."""
    from suffice.plots.picture_file import drawn_bytes

    write([drawn_bytes(draw, _ending(plot))], plot)


def save_figure(draw: Callable[[Any], Any], plot: str) -> None:
    """Draw on a new figure, with as many axes as it takes, and save it."""
    from suffice.plots.picture_file import figure_bytes

    write([figure_bytes(draw, _ending(plot))], plot)


def _ending(plot: str) -> str:
    return os.path.splitext(plot)[1].lstrip(".").lower()
