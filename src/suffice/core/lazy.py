"""Lazy rooms: names of a package are imported when first asked for, so that importing the package costs nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazily(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package whose public names live in the modules `homes`; its `dir()` lists them."""

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    vars(sys.modules[package])["__dir__"] = lambda: sorted(homes)  # for completion: names that are not imported yet
    return find
