"""What the rooms offer, and what asking for it imports."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

ROOMS = ["core", "summaries", "families"]
HEAVY = {"numba", "scipy", "sklearn", "pandas", "polars", "pyarrow", "narwhals", "numpy"}


def loaded_after(program: str) -> list[str]:
    report = f"import sys; print(*sorted({HEAVY} & {{name.split('.')[0] for name in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", f"{program}\n{report}"], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_costs_nothing(room: str) -> None:
    assert loaded_after(f"import suffice.{room}") == []


def test_errors_need_no_numpy() -> None:
    assert loaded_after("from suffice.core import BadInput") == []


@pytest.mark.parametrize("names", [
    "core import Block, ByClass, Shares, learn", "summaries import Counts, FullMoments, Moments",
    "families import Bernoulli, Categorical, DiagonalNormal, Dirichlet, Multinomial, Product, TruncatedCounts",
])  # fmt: skip
def test_what_learning_needs_is_numpy(names: str) -> None:
    assert loaded_after(f"from suffice.{names}") == ["numpy"]


@pytest.mark.parametrize("room", ROOMS)
def test_every_name_is_there(room: str) -> None:
    module = importlib.import_module(f"suffice.{room}")
    for name in module.__all__:
        assert getattr(module, name).__name__ == name
    with pytest.raises(AttributeError, match=f"module 'suffice.{room}' has no attribute 'Nothing'"):
        module.Nothing
