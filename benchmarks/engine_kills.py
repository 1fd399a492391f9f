"""Workers of Dask that are killed in the middle of fits: the model is the same, and nothing is left."""

from __future__ import annotations

import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import suffice as S
from benchmarks.engine_rows import rows, write

PATIENCE = 120.0  # seconds for a worker to come back, and for a fit


class Killed(NamedTuple):
    """A worker that was killed."""

    during: bool  # the fit, not after its end
    found: Any  # the coefficients; None where the fit took too long
    left: int  # tasks


def kill(times: int) -> int:
    """Kill -9 a worker at random moments of fits in passes; how often the model differed, or something was left.

    Only workers killed before their fit had ended count, of three times as many tries at most.
    """
    bad = done = 0
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), 160_000)
        fit = lambda: S.LogisticRegression(penalty=None).fit(rows(folder, "dask", "y")).coef_  # noqa: E731
        with _cluster():
            expected = fit()
        for one in islice(_kills(fit), 3 * times):
            same = np.array_equal(one.found, expected)
            done, bad = done + one.during, bad + (not same or one.left > 0)
            when, told = ("after a fit", f"in a fit, {done}")[one.during], "the same" if same else "ANOTHER"
            print(f"killed {when}: the model is {told}, {one.left} tasks left", flush=True)
            if done == times:
                break
    print(f"{done} of {times} killed in a fit, {bad} bad", flush=True)
    return bad + (done < times)


def _kills(fit: Callable[[], Any]) -> Iterator[Killed]:
    """One after the other; a cluster is replaced if a worker does not come back, or a fit does not end."""
    rng = np.random.default_rng(0)
    while True:
        with _cluster() as client:
            fit()
            start = time.perf_counter()
            fit()
            took, one = time.perf_counter() - start, None
            while (one is None or one.found is not None) and (pids := _workers(client)):
                one = _killed(client, int(rng.choice(pids)), fit, float(rng.random()) * took)
                yield one


@contextmanager
def _cluster() -> Iterator[Any]:
    """Two workers, and a client."""
    from dask.config import set as configured
    from distributed import Client, LocalCluster

    with (
        configured({"distributed.scheduler.allowed-failures": 10}),
        LocalCluster(2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client


def _workers(client: Any) -> list[int]:
    """The processes of both workers; none if one does not come back, as it may not if it is killed while it begins."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with suppress(OSError):  # one has just gone, which nobody has noticed yet
            told = client.run(os.getpid, on_error="ignore").values()
            if len(told) == 2 and all(isinstance(one, int) for one in told):
                return list(told)
        time.sleep(0.2)
    return []


def _killed(client: Any, victim: int, fit: Callable[[], Any], after: float) -> Killed:
    """A worker is killed some seconds after a fit has begun."""
    moments: list[float] = []

    def end() -> None:
        moments.append(time.perf_counter())
        with suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)

    timers = [threading.Timer(after, end), threading.Timer(PATIENCE, signal.raise_signal, (signal.SIGINT,))]
    for timer in timers:
        timer.start()
    found = None
    with suppress(KeyboardInterrupt):
        found = fit()
    ended = time.perf_counter()
    timers[1].cancel()
    timers[0].join()
    return Killed(moments[0] < ended, found, _left(client))


def _left(client: Any) -> int:
    """Tasks that are still with workers when a fit is over; what was cancelled may take a moment to go."""
    end = time.monotonic() + 10
    while (left := sum(map(len, client.processing().values()))) and time.monotonic() < end:
        time.sleep(0.1)
    return left
