"""Trees and ensembles beside scikit-learn's: the same table, two threads, seconds and ratio printed."""

from __future__ import annotations

import sys
from time import perf_counter
from typing import Any

import numpy as np
from sklearn import ensemble, tree

import suffice


def table(n: int, d: int) -> tuple[Any, Any]:
    """Numbers exact in float32, and two classes that overlap."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)).astype(np.float32).astype(np.float64)
    return X, (X[:, :5].sum(axis=1) + rng.normal(size=n) > 0).astype(int)


def seconds(work: Any, times: int = 3) -> float:
    """The least of some runs, after one that compiles."""
    work()
    found = []
    for _ in range(times):
        start = perf_counter()
        work()
        found.append(perf_counter() - start)
    return min(found)


def compare(name: str, ours: Any, theirs: Any, bar: float) -> None:
    """One line."""
    a, b = seconds(ours), seconds(theirs)
    print(f"{name:44} ours {a:8.3f} s  scikit-learn {b:8.3f} s  {b / a:6.2f} x (bar {bar})")


def main(scale: float = 1.0) -> None:
    """All of them; `scale` makes tables smaller."""
    X, y = table(int(100_000 * scale), 20)
    compare(
        "tree, 100,000 x 20",
        lambda: suffice.DecisionTreeClassifier().fit(X, y),
        lambda: tree.DecisionTreeClassifier(random_state=0).fit(X, y),
        3,
    )
    X, y = table(int(10_000 * scale), 20)
    many = {"n_estimators": 100, "random_state": 0, "n_jobs": 2}
    theirs = ensemble.RandomForestClassifier(**many).fit(X, y)
    ours = suffice.RandomForestClassifier(**many).fit(X, y)
    for name, more, bar in (("exact", {}, 2), ("255 bins", {"bins": 255}, 1)):
        compare(
            f"forest of 100 trees, 10,000 x 20, {name}",
            lambda more=more: suffice.RandomForestClassifier(**many, **more).fit(X, y),
            lambda: ensemble.RandomForestClassifier(**many).fit(X, y),
            bar,
        )
    compare("forest, predict", lambda: ours.predict(X), lambda: theirs.predict(X), 2)
    compare(
        "AdaBoost, 50 stumps, 10,000 x 20",
        lambda: suffice.AdaBoostClassifier().fit(X, y),
        lambda: ensemble.AdaBoostClassifier(random_state=0).fit(X, y),
        15,
    )


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)
