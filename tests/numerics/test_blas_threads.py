"""How many threads there are for BLAS, and for our own work in its place."""

from __future__ import annotations

from threading import Thread

import numpy as np
import pytest

from suffice import Ridge
from suffice.linear.wide.row_problem import RowProblem
from suffice.numerics import blas_threads
from suffice.numerics.arrays import Array
from suffice.numerics.blas_threads import one_thread_each, one_thread_if_small, threads_of_ours


class Library:
    """What threadpoolctl tells of one."""

    def __init__(self) -> None:
        self.threads = 4

    def get_num_threads(self) -> int:
        return self.threads

    def set_num_threads(self, threads: int) -> None:
        self.threads = threads


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Library:
    """The only library that is loaded."""
    found = Library()
    monkeypatch.setattr(blas_threads, "_libraries", lambda kind, brought: (found,))
    return found


def test_threads_of_ours_may_take_the_place_of_those_of_blas(library: Library) -> None:
    assert threads_of_ours() == 4
    with one_thread_if_small(10):
        assert (library.threads, threads_of_ours()) == (1, 4)
        with one_thread_each():
            assert (library.threads, threads_of_ours()) == (1, 1)
        with one_thread_if_small(10):
            assert threads_of_ours() == 4
        assert (library.threads, threads_of_ours()) == (1, 4)
    assert (library.threads, threads_of_ours()) == (4, 4)


def test_where_several_work_at_once_each_is_one(library: Library) -> None:
    found = []
    with one_thread_each():
        other = Thread(target=lambda: found.append(threads_of_ours()))
        other.start()
        other.join()
        with one_thread_if_small(10):
            found.append(threads_of_ours())
    assert found == [1, 1]


def test_equations_of_few_rows_are_solved_by_one_thread(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many columns they have."""
    met = []

    def solved(self: RowProblem, *arguments: object, **options: object) -> Array:
        met.append(library.threads)
        return np.zeros((300, 1))

    monkeypatch.setattr(RowProblem, "solve", solved)
    X = np.random.default_rng(0).normal(size=(20, 300))
    Ridge().fit(X, X[:, 0])
    assert met == [1]
