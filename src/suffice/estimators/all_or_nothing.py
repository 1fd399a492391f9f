"""All or nothing: an estimator that fails, or is interrupted, is as it was before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def all_or_nothing(estimator: Any) -> Iterator[None]:
    """Put every attribute back if the block does not end well. Values are replaced, never written: that is enough."""
    before = dict(vars(estimator))
    try:
        yield
    except BaseException:  # an interruption too
        vars(estimator).clear()
        vars(estimator).update(before)
        raise
