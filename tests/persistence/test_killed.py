"""kill -9 at any time during a save leaves the old file or the new one, and no heap of leftovers."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from suffice.persistence import load, save
from tests.persistence.values import identical

KILLS = 200

# One process imports everything once and gives birth to savers, each of which saves until it is killed.
NURSERY = """
import itertools, os, sys
import numpy as np
from suffice.persistence import save, to_bytes
to_bytes(0)  # a saver need not import anything itself
values = [np.full(150_000 + 50_000 * i, float(i)) for i in range(2)]
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        os.write(1, b"ready\\n")
        for i in itertools.count(int(line)):
            save({"turn": i % 2, "rows": values[i % 2]}, sys.argv[1])
    os.write(1, b"%d\\n" % child)
    os.waitpid(child, 0)
    os.write(1, b"dead\\n")
"""


def value(i: int) -> dict[str, Any]:
    return {"turn": i, "rows": np.full(150_000 + 50_000 * i, float(i))}


@pytest.mark.timeout(120)
def test_a_killed_save_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    path = tmp_path / "model.suffice"
    save(value(0), path)
    rng = random.Random(0)
    turns, leftovers = set(), 0
    with subprocess.Popen(
        [sys.executable, "-c", NURSERY, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as nursery:
        assert nursery.stdin is not None
        assert nursery.stdout is not None
        for kill in range(KILLS):
            nursery.stdin.write(f"{kill % 2}\n")
            nursery.stdin.flush()
            said = {nursery.stdout.readline().strip() for _ in range(2)}
            (child,) = said - {"ready"}
            time.sleep(rng.uniform(0.005, 0.06))
            os.kill(int(child), signal.SIGKILL)
            assert nursery.stdout.readline() == "dead\n"
            found = load(path)
            assert identical(found, value(found["turn"]))
            turns.add(found["turn"])
            left = sorted(os.listdir(tmp_path))
            assert len(left) <= 2, left
            leftovers += len(left) - 1
        nursery.stdin.close()
    assert turns == {0, 1}
    assert leftovers > KILLS // 20  # the kills did come in the middle of saves
    save(value(1), path)
    assert os.listdir(tmp_path) == [path.name]
