"""Loops are compiled when they pay, and everything works without numba, without its cache, and in many threads."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import suffice
from suffice.core.shares import Shares
from suffice.numerics import loop as loops
from suffice.numerics.loop import Loop, fma, loop, pays, whole
from suffice.summaries.moments import Moments

PROGRAM = """
import numpy as np
from suffice.numerics import loop
from suffice.core.shares import Shares
from suffice.summaries import power_sums
from suffice.summaries.moments import Moments
loop.WORTH = 0
X = np.array([[1e8], [1e8 + 2.0], [7.0]])
moments = Moments.of(X, Shares.hard(np.array([0, 0, 1]), 2))
assert moments.variance.tolist() == [[1.0], [0.0]], moments.variance
compiled = power_sums._add_rows._compiled
print(type(getattr(compiled, "_cache", None)).__name__)
"""


def run(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}
    return subprocess.run(
        [sys.executable, "-c", program], env=inherited | environment, capture_output=True, text=True, check=False
    )


def test_a_loop_works_where_no_cache_folder_can_be_written(tmp_path: Path) -> None:
    # Files in the place of folders: not even the superuser can write into those.
    copy = tmp_path / "suffice"
    shutil.copytree(Path(suffice.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "summaries" / "__pycache__").write_text("")
    (tmp_path / "home").write_text("")
    nowhere = {name: str(tmp_path / "home") for name in ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA", "USERPROFILE")}
    done = run(PROGRAM, PYTHONPATH=str(tmp_path), PYTHONDONTWRITEBYTECODE="1", **nowhere)
    assert (done.stdout, done.stderr) == ("NullCache\n", "")


def test_a_loop_is_cached_where_it_can_be(tmp_path: Path) -> None:
    done = run(PROGRAM, NUMBA_CACHE_DIR=str(tmp_path))
    assert (done.stdout, done.stderr) == ("FunctionCache\n", "")
    assert list(tmp_path.rglob("*_add_rows*.nbi"))


def test_without_numba_the_twins_do_the_work_and_say_so_once() -> None:
    absent = 'import sys\nsys.modules["numba"] = None\n'
    done = run(absent + PROGRAM + "Moments.of(X, Shares.hard(np.array([0, 0, 1]), 2))")
    assert done.stdout == "NoneType\n"
    assert done.stderr.count("RuntimeWarning") == 1
    assert "numba cannot be imported" in done.stderr
    assert "Answers stay the same" in done.stderr


def test_where_compiling_is_switched_off_the_twins_do_the_work() -> None:
    done = run(PROGRAM, NUMBA_DISABLE_JIT="1")
    assert (done.stdout, done.stderr) == ("NoneType\n", "")


def test_where_the_processor_is_too_old_the_twins_do_the_work() -> None:
    old = "import llvmlite.binding\nllvmlite.binding.get_host_cpu_features = lambda: {'fma': False}\n"
    done = run(old + PROGRAM)
    assert (done.stdout, done.stderr) == ("NoneType\n", "")


def test_a_small_table_does_not_load_numba() -> None:
    done = run(PROGRAM.replace("loop.WORTH = 0", "") + 'import sys; print("numba" in sys.modules)')
    assert (done.stdout, done.stderr) == ("NoneType\nFalse\n", "")


def test_no_locator_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    import numba

    asked = []

    def njit(**options: object) -> object:
        asked.append(options)
        if options.get("cache"):
            raise RuntimeError("cannot cache function 'f': no locator available for file 'f.py'")
        return lambda function: function

    monkeypatch.setattr(numba, "njit", njit)
    assert loop(lambda x: x + 1)(1) == 2
    assert asked == [{"cache": True, "nogil": True}, {"nogil": True}]


def test_a_cache_that_fills_up_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def compiled(function: object, cached: bool = True) -> object:
        made.append(cached)
        return _full if cached else function

    def _full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(loops, "_compile", compiled)
    add = loop(lambda x: x + 1)
    assert [add(1), add(2)] == [2, 3]
    assert made == [True, False]


def test_many_threads_compile_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    start = threading.Barrier(8)

    def compiled(function: object, cached: bool = True) -> object:
        made.append(cached)
        return function

    monkeypatch.setattr(loops, "_compile", compiled)
    add = loop(lambda x: x + 1)

    def call(x: int) -> int:
        start.wait()
        return add(x)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(call, range(8))) == list(range(1, 9))
    assert len(made) == 1


def test_a_block_of_a_large_table_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops, "WORTH", 100)
    assert pays(100)
    assert not pays(99)
    with whole(1000):
        assert pays(1)
        with ThreadPoolExecutor(1) as pool:
            assert not pool.submit(pays, 1).result()  # each thread says for itself
        with whole(5):
            assert not pays(1)
        assert pays(1)
    assert not pays(1)
    with pytest.raises(ZeroDivisionError), whole(1000):
        raise ZeroDivisionError
    assert not pays(1)


def test_nothing_is_said_where_numba_is_there() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert loops.available()


def test_fma_rounds_once() -> None:
    a, b = 1.0 + 2.0**-30, 1.0 - 2.0**-30
    assert a * b - 1.0 == 0.0
    assert fma(a, b, -1.0) == -(2.0**-60)
    rng = np.random.default_rng(0)
    for a, b, c in rng.normal(size=(100, 3)).tolist():
        assert fma(a, b, c) == float(Fraction(a) * Fraction(b) + Fraction(c))


def test_the_compiled_loop_is_its_own_text_to_the_last_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    X = np.where(rng.random((70, 3)) < 0.1, np.nan, rng.normal(1e8, 1.0, (70, 3)))
    R = Shares.hard(rng.integers(-1, 2, 70).astype(np.int32), 2, rng.random(70))
    monkeypatch.setattr(loops, "WORTH", 0)
    fast = Moments.of(X, R)
    monkeypatch.setattr(Loop, "__call__", lambda self, *arguments: self.plain(*arguments))
    slow = Moments.of(X, R)
    for name in ("weight", "first", "second"):
        for a, b in zip(getattr(fast, name), getattr(slow, name), strict=True):
            np.testing.assert_array_equal(a, b)


def test_a_loop_serves_small_inputs_once_its_twin_was_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops, "LEARNS", True)

    def twice(x):  # type: ignore[no-untyped-def]
        return 2 * x

    mine = Loop(twice)
    assert not mine.pays(10)
    assert mine.instead(twice, 3) == 6
    assert 0.0 < mine.waited < loops.LOADING
    assert not mine.pays(10)
    mine.waited = loops.LOADING
    assert mine.pays(10)
    other = Loop(twice)
    other._compiled = twice  # as after a large table
    assert other.pays(10)
    monkeypatch.setattr(loops, "LEARNS", False)
    assert not other.pays(10)
    assert other.pays(loops.WORTH)


def test_a_loop_that_lies_in_the_cache_is_loaded_sooner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import numba  # noqa: F401

    monkeypatch.setattr(loops, "LEARNS", True)
    file = tmp_path / "some.py"
    file.write_text("def twice(x):\n    return 2 * x\n")
    names: dict[str, Any] = {}
    exec(compile(file.read_text(), str(file), "exec"), names)
    new, kept = Loop(names["twice"]), Loop(names["twice"])
    new.waited = kept.waited = loops.ONCE_MORE
    assert not new.pays(10)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "some.twice-1.py311.nbi").write_bytes(b"")
    assert kept.pays(10)
    kept.waited = loops.ONCE_MORE / 2.0
    assert not kept.pays(10)
    assert not new.pays(10)  # it has looked
    new.waited = loops.ONE_MORE
    assert new.pays(10)


def test_a_twin_that_fails_was_waited_for_too() -> None:
    mine = Loop(len)
    with pytest.raises(TypeError):
        mine.instead(len, 3)
    assert mine.waited > 0.0


def test_threads_of_blas_are_as_many_after_as_before() -> None:
    import scipy.linalg  # noqa: F401
    from threadpoolctl import threadpool_info, threadpool_limits

    from suffice.numerics.blas_threads import one_thread_each

    def threads() -> list[int]:
        return [each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"]

    with threadpool_limits(2, "blas"):  # whatever the environment of the tests says
        before = threads()
        assert 2 in before
        with one_thread_each():
            assert threads() == [1] * len(before)
            with one_thread_each():
                assert threads() == [1] * len(before)
            assert threads() == [1] * len(before)
        assert threads() == before
        with pytest.raises(ValueError, match="odd"), one_thread_each():
            raise ValueError("odd")
        assert threads() == before
