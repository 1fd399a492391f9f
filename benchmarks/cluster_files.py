"""k-means and fuzzy c-means in ten passes, nearest centroids in one, from a CSV: peak memory, and the model of memory.

`python -m benchmarks.cluster_files 1000` makes a file of 1,000 MB (200 unless told). Each model is learned from it and
from its first tenth, 30 MB at least, in a fresh process: the two peaks should not differ. From the tenth, the centres
are compared with those of the same rows in memory, from the same start.

What differs below 30 MB is no growth: numba is loaded for tables of 2,000,000 cells and more (some 100 MB, in the
second pass), and files of a few megabytes do not fill the chunks that are read ahead. Peaks by size of the file, busy
machine: k-means 234 MB of 3 MB, 383 of 30, 394 of 101, 409 of 300, 413 of 1,001, the same in passes 2 to 5; fuzzy
c-means, 12 passes, 407 MB of 101 MB and 408 of 1,001; nearest centroids 366 to 373 MB and 374. From memory: at most
4.4e-16.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import _status

COLUMNS, CLUSTERS, PASSES = 8, 5, 10
STEP = 20_000  # rows made at a time
PARTS = 20  # different parts of a file; then they come again, as writing numbers takes longer than reading them
LEAST = 30.0  # megabytes from which peaks are compared
ALIKE = 1e-10
MODELS = ("KMeans", "FuzzyCMeans", "NearestCentroid")


def rows_of(part: int) -> tuple[Any, Any]:
    """Rows around centres, as they are written, and where each belongs."""
    rng = np.random.default_rng(part)
    groups = rng.integers(0, CLUSTERS, STEP)
    middles = np.random.default_rng(10**6).normal(size=(CLUSTERS, COLUMNS)) * 3.0
    return np.round(middles[groups] + rng.normal(size=(STEP, COLUMNS)), 6), groups


def write(path: Path, megabytes: float) -> int:
    """A file of at least so many megabytes; how many parts of rows it has."""
    part, texts = 0, []
    with path.open("w") as file:
        file.write(",".join([*(f"c{j}" for j in range(COLUMNS)), "group"]) + "\n")
        while part == 0 or file.tell() < megabytes * 1e6:
            if part < PARTS:
                texts.append(_written(*rows_of(part)))
            file.write(texts[part % PARTS])
            part += 1
    return part


def _written(X: Any, groups: Any) -> str:
    cells = np.column_stack([np.char.mod("%.6f", X), np.char.mod("g%d", groups)])
    return "\n".join(",".join(row) for row in cells.tolist()) + "\n"


def learned(name: str, path: Path | None, parts: int = 0) -> Any:
    """Centres of a model, from a file or from the same rows in memory."""
    import suffice
    from suffice.sources import Roles, open_rows

    start = rows_of(0)[0][:CLUSTERS]
    options: dict[str, Any] = {"init": start, "tol": 0.0, "max_iter": PASSES}
    model = getattr(suffice, name)(**({} if name == "NearestCentroid" else {"n_clusters": CLUSTERS, **options}))
    supervised = name == "NearestCentroid"
    if path is None:
        made = [rows_of(part % PARTS) for part in range(parts)]
        X, groups = np.concatenate([X for X, _ in made]), np.concatenate([groups for _, groups in made])
        model.fit(X, [f"g{k}" for k in groups]) if supervised else model.fit(X)
    elif supervised:
        model.fit(open_rows(path, Roles(target="group")))
    else:
        model.fit(open_rows(path, Roles(ignore="group")))
    return model.centroids_ if supervised else model.cluster_centers_


def main(megabytes: float) -> int:
    """Print seconds and peaks; the exit code says whether memory is flat and models are alike."""
    good = True
    with tempfile.TemporaryDirectory() as folder:
        whole, tenth = Path(folder) / "whole.csv", Path(folder) / "tenth.csv"
        write(whole, megabytes)
        parts = write(tenth, max(megabytes / 10, LEAST))
        for name in MODELS:
            told = [_in_a_process(name, path) for path in (tenth, whole)]
            gap = float(np.abs(np.array(told[0]["centres"]) - learned(name, None, parts)).max())
            flat = told[1]["peak"] <= 1.15 * told[0]["peak"]
            good &= flat and gap <= ALIKE
            times = (
                f"{told[1]['seconds']:.1f} s, peak {told[0]['peak']:.0f} MB of a tenth, {told[1]['peak']:.0f} MB of all"
            )
            print(f"{name:16} {whole.stat().st_size / 1e6:.0f} MB: {times}, {gap:.1e} from memory", flush=True)
    return 0 if good else 1


def _in_a_process(name: str, path: Path) -> Any:
    told = subprocess.run(
        [sys.executable, "-m", "benchmarks.cluster_files", "--learn", name, str(path)],
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(told.stdout.splitlines()[-1])


def _child(name: str, path: str) -> int:
    begun = time.perf_counter()
    centres = learned(name, Path(path))
    print(
        json.dumps(
            {"seconds": time.perf_counter() - begun, "peak": _status("VmHWM") / 1024, "centres": centres.tolist()}
        )
    )
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--learn"]:
        sys.exit(_child(*sys.argv[2:4]))
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 200.0))
