"""All or nothing: an estimator that fails, or is interrupted, is as it was before; and one change at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from suffice.estimators.boundary.alone import alone


@contextmanager
def all_or_nothing(estimator: Any) -> Iterator[None]:
    """Put every attribute back if the block does not end well. Values are replaced, never written: that is enough.

    Another thread that wants to change the estimator waits; one that only predicts does not.
    """
    with alone(estimator):
        before = dict(vars(estimator))
        try:
            yield
        except BaseException:  # an interruption too
            estimator.__dict__ = before  # in one step, so that a thread that predicts finds all or nothing of it too
            raise
