"""What all pictures promise: where they are drawn, what they import, and what they leave behind."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure

import suffice.plots
from suffice.decision import RocCurve
from suffice.plots import HistogramDisplay, MarginPanelDisplay, RocDisplay, ScatterMatrixDisplay
from suffice.plots.display import Display
from suffice.plots.palette import COLOURS, LINES, MARKERS, colour, line

NAMES = suffice.plots.__all__
CURVE = RocCurve.of([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1])

NOT_BEFORE_DRAWING = """
import sys
import suffice, suffice.plots
for name in suffice.plots.__all__:
    getattr(suffice.plots, name)
from suffice.decision import RocCurve
display = suffice.plots.RocDisplay(curve=RocCurve.of([0.1, 0.9], [0, 1]))
assert not [name for name in sys.modules if name.startswith("matplotlib")]
"""
NO_PYPLOT = """
import sys
from matplotlib.figure import Figure
from suffice.plots import RocDisplay, HistogramDisplay
RocDisplay.from_predictions([0, 1, 1], [0.1, 0.9, 0.4], ax=Figure().subplots())
HistogramDisplay.from_rows([[1.0, 2.0], [2.0, 3.0]], each=True, ax=Figure().subplots(1, 2))
assert "matplotlib.pyplot" not in sys.modules
"""
MISSING = """
import sys
sys.modules["matplotlib"] = None
from suffice.plots import RocDisplay, PercentileDisplay
from suffice.decision import RocCurve
display = RocDisplay(curve=RocCurve.of([0.1, 0.9], [0, 1]))
for draw in (display.plot, lambda: PercentileDisplay.from_rows([1.0])):
    try:
        draw()
    except ImportError as error:
        print(error)
"""


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_matplotlib_is_imported_by_drawing_only() -> None:
    run(NOT_BEFORE_DRAWING)


def test_given_axes_need_no_pyplot() -> None:
    run(NO_PYPLOT)


def test_without_matplotlib_one_sentence_says_how_to_get_it() -> None:
    told = run(MISSING).splitlines()
    assert [one.split(":")[0] for one in told] == ["RocDisplay", "PercentileDisplay"]
    for one in told:
        assert "matplotlib must be installed" in one
        assert one.endswith("pip install 'suffice[plot]'")


@pytest.mark.parametrize("name", NAMES)
def test_every_display_looks_like_those_of_scikit_learn(name: str) -> None:
    display: Any = getattr(suffice.plots, name)
    assert issubclass(display, Display)
    assert name.endswith("Display")
    assert display.__doc__
    assert ">>> " in display.__doc__
    assert callable(display.plot)
    assert any(
        hasattr(display, f"from_{what}") for what in ("estimator", "predictions", "rows", "search", "comparison")
    )
    with pytest.raises(TypeError):  # the numbers are given by name
        display(1.0)


def test_a_new_figure_is_one_of_pyplot() -> None:
    display = RocDisplay(curve=CURVE).plot()
    assert plt.get_fignums() == [display.figure_.number]
    assert display.ax_.figure is display.figure_
    assert plt.gcf() is display.figure_


def test_given_axes_leave_pyplot_as_it_was() -> None:
    mine = plt.figure()
    here = plt.gca()
    display = RocDisplay(curve=CURVE).plot(Figure().subplots())
    assert plt.get_fignums() == [mine.number]
    assert plt.gca() is here
    assert display.ax_ is not here
    again = display.plot(here)
    assert again is display
    assert display.ax_ is here
    assert display.figure_ is mine


def test_settings_stay_and_nothing_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plt, "show", lambda *a, **k: pytest.fail("show was called"))
    before = dict(matplotlib.rcParams)
    RocDisplay.from_predictions([0, 1, 1], [0.1, 0.9, 0.4], plot_hull=True)
    HistogramDisplay.from_rows(np.arange(6.0))
    assert dict(matplotlib.rcParams) == before


def test_a_picture_that_fails_leaves_no_figure() -> None:
    display = RocDisplay(curve=CURVE)
    with pytest.raises(AttributeError, match="nonsense"):
        display.plot(curve_kwargs={"nonsense": 1})
    assert plt.get_fignums() == []
    assert not hasattr(display, "ax_")
    with pytest.raises(ValueError, match="measure"):
        display.plot(measure="accuracy")
    with pytest.raises(ValueError, match="diagonal"):
        ScatterMatrixDisplay.from_rows(np.eye(3), diagonal="box")
    assert plt.get_fignums() == []


def test_panels_take_axes_in_any_arrangement() -> None:
    X, y = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [1.0, 2.0]]), [0, 0, 1, 1]
    from sklearn.svm import SVC

    axes = Figure().subplots(4, 1)
    display = MarginPanelDisplay.from_estimator(SVC(), X, y, grid_resolution=5, ax=axes)
    assert display.axes_.shape == (2, 2)
    assert display.axes_.ravel().tolist() == axes.tolist()


def test_the_palette_is_told_apart_by_more_than_colour() -> None:
    assert len(set(COLOURS)) == len(set(MARKERS)) == len(set(LINES)) == 8
    assert (colour(3), line(3)) != (colour(11), line(11))
    light = [
        sum(w * (int(c[i : i + 2], 16) / 255) ** 2.2 for w, i in zip((0.2126, 0.7152, 0.0722), (1, 3, 5), strict=True))
        for c in COLOURS
    ]
    contrast = [1.05 / (one + 0.05) for one in light]
    assert min(contrast[:3]) >= 3.0  # the first three against white, as the web's accessibility rules ask of graphics


def test_keywords_for_artists_and_their_short_names() -> None:
    display = RocDisplay(curve=CURVE).plot(curve_kwargs={"c": "red", "lw": 3})
    assert display.line_.get_color() == "red"
    assert display.line_.get_linewidth() == 3


def test_a_legend_stands_beside_a_new_picture_and_inside_given_axes() -> None:
    X = np.array([[0.0, 0.0, 1.0], [1.0, 2.0, 0.0]])
    alone = suffice.plots.RadvizDisplay.from_rows(X, ["a", "b"])
    alone.figure_.canvas.draw()
    assert alone.ax_.get_legend().get_window_extent().x0 >= alone.ax_.get_window_extent().x1
    figure = Figure()
    given = suffice.plots.RadvizDisplay.from_rows(X, ["a", "b"], ax=figure.subplots())
    figure.canvas.draw()
    assert given.ax_.get_legend().get_window_extent().x1 <= given.ax_.get_window_extent().x1


def test_the_gallery_names_every_display() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "plots.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+Display)` \|", page, re.MULTILINE) == NAMES
