"""A process may fork after a fit: nothing that a fit leaves behind makes a fit of the child wait for ever."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

LONGEST = 60  # seconds; the fit itself takes less than one
FIT_FORK_FIT = f"""
import os, signal, numpy as np
from suffice import GaussianMixture, MixedMixture
rng = np.random.default_rng(0)
X = np.concatenate([rng.normal(size=(3000, 3)), rng.normal(size=(3000, 3)) + 5.0])
first = MODEL.fit(X)
child = os.fork()
if not child:
    signal.alarm({LONGEST})
    again = MODEL.fit(X)
    os._exit(0 if np.array_equal(again.predict(X), first.predict(X)) else 1)
raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.parametrize(
    "model",
    [
        "GaussianMixture(2, random_state=0)",
        "GaussianMixture(2, random_state=0, init_params='k-means++')",
        "MixedMixture(2, random_state=0)",
    ],
)
def test_a_child_fits_too(model: str) -> None:
    threads = {**os.environ, "OMP_NUM_THREADS": "4"}  # as where there are more processors
    script = FIT_FORK_FIT.replace("MODEL", model)
    ended = subprocess.run([sys.executable, "-c", script], env=threads, capture_output=True, timeout=3 * LONGEST)
    assert ended.returncode == 0, ended.stderr.decode()
