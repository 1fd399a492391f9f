"""The first fit of a process: imports and compilation included, with and without a cache of compiled loops.

A fresh process makes 1,000,000 x 30 numbers and fits once. Only the fit is timed,
with scikit-learn imported before for both.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from statistics import median

from benchmarks.measure import Line

CHILD = """
import sys, time
import numpy as np
import sklearn.naive_bayes, suffice
model = (sklearn.naive_bayes if sys.argv[1] == "peer" else suffice).GaussianNB()
rng = np.random.default_rng(0)
X, y = rng.normal(size=(1_000_000, 30)), rng.integers(0, 5, 1_000_000)
start = time.perf_counter()
model.fit(X, y)
print(time.perf_counter() - start)
"""


def _first(who: str, cache: str) -> float:
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(
        [sys.executable, "-c", CHILD, who], capture_output=True, text=True, check=True, env=environment
    )
    return float(done.stdout)


def lines() -> Iterator[Line]:
    """Without and with a cache."""
    cold, warm, peer = [], [], []
    for _ in range(3):
        with tempfile.TemporaryDirectory() as cache:
            peer.append(_first("peer", cache))
            cold.append(_first("ours", cache))
            warm.append(_first("ours", cache))
    theirs = median(peer)
    yield Line(
        "first GaussianNB fit, no cache", median(cold), theirs, "at most 1.6 times", median(cold) <= 1.6 * theirs
    )
    yield Line("first GaussianNB fit, cached loops", median(warm), theirs, "faster", median(warm) < theirs)
