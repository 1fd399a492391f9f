"""True, False and None in arrays of objects, found by their addresses: many times as fast as by comparing cells."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import numpy as np

from suffice.core.block import Array

OTHER = 2


def singletons(cells: Array) -> Array:
    """For each cell of an array of objects 1 if it is True, 0 if False, -1 if None, 2 if it is any other object.

    >>> singletons(np.array([True, None, "yes", False, 1], dtype=object))
    array([ 1, -1,  2,  0,  2], dtype=int8)
    """
    codes = np.full(cells.shape, OTHER, dtype=np.int8)
    if sys.implementation.name == "cpython":  # where `id` is the address, and an array of objects holds addresses
        addresses = _addresses(cells)
        for value, code in ((True, 1), (False, 0), (None, -1)):
            codes -= np.int8(OTHER - code) * (addresses == id(value)).view(np.int8)  # writing by a mask is slower
    return codes


def _addresses(cells: Array) -> Array:
    """The same memory, read as numbers; valid as long as `cells` is."""
    told = cells.__array_interface__
    number = np.dtype(np.uintp).str
    return np.asarray(SimpleNamespace(__array_interface__={**told, "typestr": number, "descr": [("", number)]}))
