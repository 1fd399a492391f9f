"""scikit-learn-intelex, patched in, in a process of its own: `python -m benchmarks.intelex` prints its times as JSON.

`times()` runs it with this interpreter, or with the one that INTELEX_PYTHON names; it gives nothing where that has no
scikit-learn-intelex.

By processor time on a busy machine, all at their defaults: LogisticRegression of two classes 162 to 189 ms (intelex 320
to 327), of ten 134 to 146 (456 to 464). LinearRegression and Ridge (200,000 x 50) take 20 to 23 ms in one thread (27 to
29 before tiles had vectors of eight doubles) and 23 to 29 in two (29 to 33), intelex 31 to 35 in one and 32 to 37 in
two: 1.4x to 1.6x, and 1.2x to 1.5x. Idle, on the clock, twice: LinearRegression 2.6x and 2.7x, Ridge 1.5x, Lasso 3.7x
and 4.0x, logistic regression 2.0x and 2.1x, of ten classes 3.9x and 4.1x; on another machine 1.32x, Ridge 1.17x, 1.08x
and 1.43x. Of 19 ms of a pass 10 are products, and the rest is the way of 80 MB through the buffer; one sum over the
table takes 9. Target, means, weights and the look for cells that are not finite are in that pass.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.datasets import load_digits

from benchmarks.shapes import classes, clouds, regression

CASES: dict[str, tuple[dict[str, Any], Any]] = {
    "LinearRegression": ({}, regression),
    "Ridge": ({}, regression),
    "Lasso": ({"alpha": 0.1}, regression),
    "LogisticRegression": ({}, lambda: classes(200_000, 50, 2)),
    "softmax": ({}, lambda: classes(50_000, 20, 10)),
}


def components() -> dict[str, float]:
    """PCA of the table of `benchmarks.projections`."""
    from sklearn.decomposition import PCA

    from benchmarks.measure import race

    X = np.random.default_rng(0).normal(size=(200_000, 50)) @ np.random.default_rng(1).normal(size=(50, 50))
    return {"PCA": race(lambda: PCA(10).fit(X), runs=5)[0]}


def neighbour_map(name: str, data: Any) -> dict[str, float]:
    """t-SNE: seconds, and the divergence it reached."""
    from sklearn.manifold import TSNE

    X = data()
    start, model = time.perf_counter(), TSNE(random_state=0).fit(X)
    return {name: time.perf_counter() - start, f"{name}: divergence": float(model.kl_divergence_)}


def neighbours() -> dict[str, float]:
    """Brute force over the rows of `benchmarks.neighbours`."""
    from sklearn.neighbors import NearestNeighbors

    from benchmarks.measure import race
    from benchmarks.neighbours import brute_rows

    X, Q = brute_rows()
    model = NearestNeighbors(n_neighbors=5, algorithm="brute", n_jobs=2).fit(X)
    return {"neighbours": race(lambda: model.kneighbors(Q), runs=5)[0]}


MAPS: dict[str, Callable[[], dict[str, float]]] = {
    "PCA": components,
    "neighbours": neighbours,
    "TSNE digits": lambda: neighbour_map("TSNE digits", lambda: load_digits().data),
    "TSNE 10000 x 50": lambda: neighbour_map("TSNE 10000 x 50", clouds),
}


def times(*names: str) -> dict[str, float]:
    """Seconds of these cases; empty where it is not installed."""
    python = os.environ.get("INTELEX_PYTHON", sys.executable)
    run = subprocess.run([python, "-m", "benchmarks.intelex", *names], capture_output=True, text=True, check=False)
    return dict(json.loads(run.stdout.splitlines()[-1])) if run.returncode == 0 else {}


def main() -> int:
    """Patch, fit, print."""
    from sklearnex import patch_sklearn  # type: ignore[import-not-found]

    patch_sklearn(verbose=False)
    import sklearn.linear_model as patched

    from benchmarks.measure import race
    from benchmarks.near_enough import near

    found = {}
    for name in sys.argv[1:] or [*CASES, *MAPS]:
        if name in MAPS:
            found |= MAPS[name]()
            continue
        if name.startswith("KMeans"):
            found[name] = _k_means(name.split()[1])
            continue
        options, data = CASES[name]
        X, y = data()
        logistic = name in ("LogisticRegression", "softmax")
        model = near(patched.LogisticRegression, X, y) if logistic else getattr(patched, name)(**options)
        found[name] = race(lambda m=model, X=X, y=y: m.fit(X, y), runs=5)[0]
    print(json.dumps(found))
    return 0


def _k_means(table: str) -> float:
    from sklearn.cluster import KMeans

    from benchmarks.clusters import centre_options, centre_tables
    from benchmarks.measure import race

    X = centre_tables()[table]
    return race(lambda: KMeans(**centre_options(X)).fit(X), runs=3)[0]


if __name__ == "__main__":
    sys.exit(main())
