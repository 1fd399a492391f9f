"""Where a picture is drawn: axes that are given, or a new figure. The one place that imports matplotlib.

As in scikit-learn, a new figure is one of pyplot's, so that `plt.show()` and notebooks show it; it is closed again if
drawing fails. Where axes are given, pyplot is not even imported. Settings of matplotlib are never changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, SufficeError, bad, refusal

FLAT, SOLID = "rectilinear", "3d"
WIDE = (8.4, 4.6)  # inches: room for a long legend beside the axes
KINDS = {FLAT: "axes of a plane", SOLID: "axes in 3-D, made with projection='3d'"}


class NoMatplotlib(SufficeError, ImportError):
    """Pictures need a package that is not installed."""


def need_matplotlib(owner: str) -> None:
    """Say how to get matplotlib where it is missing."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        rule, remedy = "installed to draw pictures", "Run: pip install 'suffice[plot]'"
        raise refusal(NoMatplotlib, owner, "matplotlib", rule, Said("it is not"), remedy, joint="but") from None


@contextmanager
def canvas(owner: str, ax: Any, kind: str = FLAT, size: tuple[float, float] | None = None) -> Iterator[Any]:
    """The axes to draw on.

    Parameters
    ----------
    owner : who draws, for the messages
    ax : axes that are given, or None for those of a new figure
    kind : which axes the picture needs
    size : of a new figure, in inches
    """
    need_matplotlib(owner)
    if ax is not None:
        yield checked_axes(owner, ax, kind)
        return
    with _new_figure(size) as figure:
        yield figure.add_subplot(projection=kind)


@contextmanager
def panels(owner: str, ax: Any, shape: tuple[int, int], size: tuple[float, float] | None = None) -> Iterator[Array]:
    """An array of axes to draw on, of the given shape.

    Parameters
    ----------
    owner : who draws, for the messages
    ax : as many axes as there are panels, in any arrangement, or None for those of a new figure
    shape : rows and columns
    size : of a new figure, in inches
    """
    need_matplotlib(owner)
    if ax is not None:
        given: Sequence[Any] = np.ravel(np.asarray(ax, dtype=object)).tolist()
        if len(given) != shape[0] * shape[1]:
            raise bad(owner, "ax", f"{shape[0] * shape[1]} axes, one for each panel", Said(str(len(given))))
        out = np.empty(len(given), dtype=object)
        out[:] = [checked_axes(owner, one) for one in given]
        yield out.reshape(shape)
        return
    with _new_figure(size or (3.4 * shape[1], 3.0 * shape[0])) as figure:
        yield figure.subplots(*shape, squeeze=False)


@contextmanager
def _new_figure(size: tuple[float, float] | None) -> Iterator[Any]:
    import matplotlib.pyplot as plt

    figure = plt.figure(figsize=size, layout="constrained")
    try:
        yield figure
    except BaseException:
        plt.close(figure)
        raise


def checked_axes(owner: str, ax: Any, kind: str = FLAT) -> Any:
    """Axes of matplotlib, of the kind that a picture needs."""
    from matplotlib.axes import Axes

    if not isinstance(ax, Axes) or ax.name != kind:
        got = Said(f"{ax.name} axes" if isinstance(ax, Axes) else type(ax).__name__)
        raise bad(owner, "ax", f"None or {KINDS[kind]}", got, "Leave it out for a new figure.")
    return ax


def legend(ax: Any, place: str = "best", handles: Any = None) -> None:
    """A legend inside, where something has a label."""
    handles = ax.get_legend_handles_labels()[0] if handles is None else handles
    if handles:
        ax.legend(handles=handles, loc=place, frameon=True, framealpha=0.85, fontsize="small")


def legend_beside(ax: Any, given: Any, handles: Any = None) -> None:
    """A legend to the right of the axes, for pictures that fill them; inside where the user gave axes, with neighbours.

    Parameters
    ----------
    ax : the axes
    given : what the user gave as axes; None where the figure is new
    handles : what to show; None: all that has a label
    """
    if given is not None:
        legend(ax, "best", handles)
        return
    handles = ax.get_legend_handles_labels()[0] if handles is None else handles
    if handles:
        ax.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.02, 1.0), borderaxespad=0.0, frameon=False)


def hide_spines(ax: Any) -> None:
    """Without the lines on top and on the right."""
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
