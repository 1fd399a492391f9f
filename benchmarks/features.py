"""Features: bins, scaling, indicators and descriptions of large tables against scikit-learn, pandas and Orange.

Equal-frequency bins: rankings of two halves of the rows, sorted in two threads and merged, cost twice what one thread
takes; columns are sorted in threads, eight copied at a time, and cells are compared with few edges one by one (a search
jumps). Two thirds of what was left went into arrays of ones and their pages: one number stands for them now (fit of
1,000,000 x 20, processor seconds of one thread: 0.6 to 2.3, then 0.28, of which sorting 0.17). Quantiles by
partitioning take longer than sorting with NumPy 2 (25 against 11 ms a column), and leave no ranking to merge.

Describing: columns are read and described in threads, one at a time; powers of a column about its mean by one product
each, chunks added exactly and moved once (0.58 processor seconds, pandas 0.70; before 1.2). Half of that was Arrow's
dictionary of the texts: 20 ms of processor a million texts of 11 bytes, our hash table 9 (texts of 44 bytes: 20 and 31,
so that Arrow's is taken), and 0.31 in all. Columns of Python objects are coded by the addresses of their objects, and
each different object is looked at once (3 ms a million cells, where `factorize` takes 34): 0.30 beside pandas 2's 1.15,
before 1.10. Where most objects are different ones of equal texts, `factorize` does it after all: `OneHotEncoder` of
two such columns takes 173 processor ms and scikit-learn 53; of five columns of few objects 86 and 97, in two threads.

Cuts by description length: Orange wants older numpy and pandas than the rest of the benchmarks; both it and optbinning
are raced where they can be imported (`pip install Orange3 optbinning numba narwhals click pyarrow` in an environment of
their own, `PYTHONPATH=src`), and left out otherwise. The faster of the two is optbinning's MDLP, which looks at 32
candidates of a segment and finds other cuts; Orange's are equal to ours (`tests/peers/test_orange_cuts.py`).
Processor seconds of 1,000,000 x 20, two classes: Orange 20, MDLP 9, ours 21.6 by NumPy (half of it sums over an axis of
two classes), then 3.5 to 5 (cells of each class sorted, then merged; cuts swept by a loop with logarithms from a list),
then 2.3: rows and weights by class are filled in a column at a time, as their pages cost up to 3 s of the system's.
On another day 2.9, then 1.5: gain is convex in the counts before a cut, which rules out most cuts, 64 at a time
(0.75, then 0.22); runs of one class are joined without branches (0.5, then 0.25), and the counts of a segment are made
only for the rule that asks for them (0.3). Merging from both ends at once is no faster. Sorting takes 0.19.

Idle, on the clock: StandardScaler 5.4x, KBinsDiscretizer 6.7x, OneHotEncoder 5.4x (objects 1.1x, with pandas 2 0.8x),
describe 2.6x (with pandas 2 5.3x), cuts 6.8x optbinning.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np
import pandas as pd
import sklearn.preprocessing

import suffice
from benchmarks.measure import Line, race


def lines(n: int = 1_000_000, d: int = 20) -> Iterator[Line]:
    """One line a case."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    X = rng.normal(size=(n, d)) + 0.3 * y[:, None]
    mine, theirs = suffice.StandardScaler(), sklearn.preprocessing.StandardScaler()
    yield _line(f"StandardScaler fit {n} x {d}", lambda: mine.fit(X), lambda: theirs.fit(X), 5.0)
    options: dict[str, Any] = {"n_bins": 10, "encode": "ordinal", "strategy": "quantile"}
    bins, other = suffice.KBinsDiscretizer(**options), sklearn.preprocessing.KBinsDiscretizer(**options, subsample=None)
    name = f"KBinsDiscretizer fit_transform {n} x {d}"
    yield _line(name, lambda: bins.fit_transform(X), lambda: other.fit_transform(X), 2.0, runs=3)
    texts = np.array([f"category {i}" for i in range(50)], dtype=object)[rng.integers(0, 50, (n, 5))]
    table = pd.DataFrame(texts)
    codes, peers = suffice.OneHotEncoder(), sklearn.preprocessing.OneHotEncoder()
    yield _line(f"OneHotEncoder fit {n} x 5", lambda: codes.fit(table), lambda: peers.fit(table), 3.0, runs=3)
    objects = pd.DataFrame(texts, dtype=object)
    yield _line(f"OneHotEncoder fit {n} x 5 objects", lambda: codes.fit(objects), lambda: peers.fit(objects), 1.0)
    mixed = pd.DataFrame({f"x{j}": X[:, j] if j % 2 else texts[:, j % 5] for j in range(d)})
    told = f"describe {n} x {d} mixed"
    yield _line(told, lambda: suffice.describe(mixed), lambda: mixed.describe(include="all"), 2.0, runs=3)
    yield from _by_description_length(X, y)


def _by_description_length(X: Any, y: Any) -> Iterator[Line]:
    rivals = [way(X, y) for name, way in (("Orange", _orange), ("optbinning", _optbinning)) if find_spec(name)]
    mine, *others = race(lambda: suffice.Discretizer("mdl").fit(X, y), *rivals, runs=3) if rivals else [0.0]
    for name, other in zip(
        ("Orange", "optbinning") if len(others) == 2 else ("the one installed",), others, strict=False
    ):
        case = f"Discretizer mdl {X.shape[0]} x {X.shape[1]}, {name}"
        yield Line(case, mine, other, ">= 5x", other >= 5.0 * mine)


def _orange(X: Any, y: Any) -> Any:
    from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
    from Orange.preprocess.discretize import EntropyMDL

    names = [ContinuousVariable(f"x{j}") for j in range(X.shape[1])]
    table = Table.from_numpy(Domain(names, DiscreteVariable("y", values=("0", "1"))), X, y)
    return lambda: [EntropyMDL()(table, v) for v in names]


def _optbinning(X: Any, y: Any) -> Any:
    from optbinning import MDLP

    return lambda: [MDLP().fit(x, y) for x in X.T]


def _line(case: str, ours: Any, peer: Any, bar: float, runs: int = 5) -> Line:
    mine, theirs = race(ours, peer, runs=runs)
    return Line(case, mine, theirs, f">= {bar:g}x", theirs >= bar * mine)
