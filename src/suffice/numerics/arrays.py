"""The type of NumPy arrays, as all rooms name it."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

Array = NDArray[Any]
