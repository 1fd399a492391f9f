"""Trees and ensembles beside scikit-learn's: the same table, two threads, seconds and ratio printed.

What was tried. Growing: cells as `code << 32 | row` in one number, so that a column is sorted by one sort of whole
numbers and partitioned by one stream; partitions that leave out children that are leaves; products in place of the two
divisions of the Gini index; sums left of a boundary in registers instead of sums by bin. A call inside a loop for each
row costs more than the row, as numba counts who holds which array: 200 ns against 2. Forests that look at few columns
sort the cells of a node by their digits (over 96 rows), by quicksort, or by insertion (up to 24).
Predicting, 10,000 rows and 100 trees in processor time: one row after the other 0.18 s; four rows at a time with the
next node chosen by comparison 0.11 to 0.13 s, as the compiler makes a branch of it; the same by number 0.05 s; eight
rows at a time 0.03 s. Level by level over 512 rows, without those that have arrived: 0.15 s.
Forests with bins: sorting nodes of 25 to 96 rows by one digit took 1.18 s of processor time (1.56 by comparing). Of two
classes and whole weights, rows are numbers that add (rows, weight and weight of one class in one of 64 bits) and codes
are bytes: a row is one addition to its bin, the bins that small nodes meet are bits, and nothing is sorted: 0.58 s.
Rows are parted without a branch. Codes go into loops as (d, n): of one column or one row, (n, d) lies in memory both
ways, and numba compiled the loop once for each.
AdaBoost: a loop over all rounds, with weights updated in it and estimators made afterwards: 0.17 s became 0.06.

Processor time beside scikit-learn's 1.9, taking turns in one process on a shared machine of two cores, ours first:
tree 0.64 and 3.89 s (6.1 x), forest exact 1.44 and 3.50 s (2.4 x), its answers 0.053 and 0.151 s (2.8 x), AdaBoost
0.062 and 1.40 s (22 x), forest of three outputs, 10 trees, 0.27 and 0.50 s (1.9 x). Beside scikit-learn-intelex
2026.2 a forest with 255 bins takes 0.58 and 0.90 s (1.6 x). Trees by absolute error: 2,000 x 10 0.072 and 0.097 s
(1.3 x), 10,000 x 10 to depth 6 0.141 and 0.198 s (1.4 x); with losses in heaps of Python the first took 5 s.

Idle, on the clock: tree 10.8x, forest exact 2.3x, its answers 3.3x, AdaBoost 23x, forest with bins 1.4x intelex.
"""

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


def seconds(work: Any) -> float:
    """Of one run."""
    start = perf_counter()
    work()
    return perf_counter() - start


def compare(name: str, ours: Any, theirs: Any, bar: float, times: int = 3) -> None:
    """One line: the least of some runs of each, in turns, after one that compiles."""
    a = b = float("inf")
    for k in range(times + 1):
        mine, other = seconds(ours), seconds(theirs)
        a, b = (min(a, mine), min(b, other)) if k else (a, b)
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
