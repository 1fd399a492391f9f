"""Discriminant analysis against scikit-learn, both warmed, two threads each (BLAS for scikit-learn, blocks for ours).

What was tried, and its result (two cores, 200,000 x 50, five classes):
- Rows of a class taken out of each chunk of 16,384 and multiplied by BLAS about their own mean: 52 ms. One product of
  all rows, with the class sums taken off, would be faster, and wrong by as many digits as the classes lie apart. Rows
  gathered in a buffer for each class and multiplied in tiles: 30 ms; missing cells noticed by the products, and not
  looked for, and rows counted on the way: 20 ms, of which the products take 10. Half of the rest was waiting: rows are
  asked for 64 ahead of their turn, as nothing comes from memory while a buffer is multiplied (9.5 ms a thread to 8.3);
  a thread that is started beside a waiting caller may share a processor with another for 4 ms, so that the caller works
  itself (16.9 ms to 15.7); and that no covariance is singular is seen by its root, not by its axes (0.5 ms): 14 ms.
  Asking between tiles, or 8 rows ahead, gained less; running one block in the caller had shown nothing before, when
  runs swung by more than it saves.
- Squares beside the rows for `shrinkage="auto"`, multiplied by BLAS: 178 ms; in tiles: 52.
- Densities of classes that share a covariance: whitened once for all classes that lie near each other 42 ms; by linear
  scores, which is all that a posterior needs, 16.
- scikit-learn's solvers that read covariances are measured too: its default takes a singular value decomposition of the
  rows, which costs several times as much.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import sklearn.discriminant_analysis as peer

import suffice
from benchmarks.measure import Line, peak_growth, race

BAR = 5.0


def lines(n: int = 200_000, d: int = 50, K: int = 5, runs: int = 7) -> Iterator[Line]:
    """All cases."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, K, n)
    X = (rng.normal(size=(n, d)) + 0.3 * rng.normal(size=(K, d))[y]) @ rng.normal(size=(d, d))  # classes overlap
    size = X.nbytes / 2**20
    for name in ("LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"):
        ours, theirs = getattr(suffice, name)(), getattr(peer, name)()
        fit, fit_peer = race(lambda o=ours: o.fit(X, y), lambda t=theirs: t.fit(X, y), runs=runs)
        growth = peak_growth(lambda o=ours: o.fit(X, y))
        met = fit_peer >= BAR * fit
        yield Line(f"{name[:9]}... fit {n} x {d}", fit, fit_peer, f">= {BAR:g}x", met, growth, size)
        proba, proba_peer = race(lambda o=ours: o.predict_proba(X), lambda t=theirs: t.predict_proba(X), runs=runs)
        yield Line("  predict_proba", proba, proba_peer, "", True)
        both = fit + proba, fit_peer + proba_peer
        yield Line("  fit and predict_proba", *both, f">= {BAR:g}x", both[1] >= BAR * both[0])
        other, other_peer = getattr(suffice, name)(solver="eigen"), getattr(peer, name)(solver="eigen")
        fit, fit_peer = race(lambda o=other: o.fit(X, y), lambda t=other_peer: t.fit(X, y), runs=runs)
        yield Line("  fit, solver='eigen'", fit, fit_peer, f">= {BAR:g}x", fit_peer >= BAR * fit)
        shrunk = getattr(suffice, name)(solver="eigen", shrinkage="auto")
        shrunk_peer = getattr(peer, name)(solver="eigen", shrinkage="auto")
        fit, fit_peer = race(lambda o=shrunk: o.fit(X, y), lambda t=shrunk_peer: t.fit(X, y), runs=runs)
        yield Line("  fit, shrinkage='auto'", fit, fit_peer, "", True)
