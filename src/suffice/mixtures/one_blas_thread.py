"""Threads come from the source: matrix products inside of them take one each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from suffice.sources.memory import ALONE


@contextmanager
def one_blas_thread(n: int) -> Iterator[None]:
    """No threads inside threads: two of ours that both call a library which starts two would wait for one another."""
    if n < ALONE:  # the source has one thread too, and finding the libraries takes milliseconds
        yield
        return
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    with threadpool_limits(limits=1, user_api="blas"):
        yield
