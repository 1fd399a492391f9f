"""Naive Bayes against scikit-learn, both warmed, two threads for ours (scikit-learn's naive Bayes uses one by design).

What was tried, and its result (two cores):
- Moments: plain sums folded every 256 rows 1.0, double-double with Dekker's split 1.4, with fused multiply-add 1.1
  times the time of X.sum; a scalar rest of 6 of 30 columns doubled it, which padding to whole registers took away;
  putting missing cells at the shift instead of masking every operation saved another 15 %.
- Counting words: unsigned places (no test for negative ones) 26 -> 18 ms; words that weigh exactly 1 in a table of
  their own 18 -> 11 ms; interleaving rows and weights, 16-bit tables: no gain. Two loops, one
  for rows (places alone) and one for the counts other than 1 (noted without a branch): 10 ms one after the other, 5 ms
  side by side, because each keeps its own table in its own cache; the same two threads on half of the classes each: 11.
- Rows sorted by class, so that each thread keeps few tables in its cache, with places asked for eight rows ahead: 11 to
  7.5 ms where the second-level cache has 2 MB, but 6.2 ms in place of 2.9 where a large third-level cache feeds rows as
  they come. Left out: threads take halves of the rows, each with a table that it makes itself (one made by another
  thread is fetched line by line, 1 ms of 3). Shares and logarithms by components in two threads: 10.5 to 8.3 ms.
- Looking up words that are in as many documents instead of taking their logarithms: 12.8 -> 10.5 ms, left out.
- Estimating words component by component, in the cache: BernoulliNB 8 -> 4 ms, and no temporary tables.
- Sparse products: two entries at a time 23 -> 20 ms; SciPy's constructor copies slices: set by hand, 27 -> 20 ms.
- Categorical prediction: eight components at a time 45 -> 28 ms. The same for sparse products: twice as slow, left out.
- Slicing a sparse matrix copies it: rows are cut out by hand.
- Labels: `np.unique` on one million integers costs as much as the pass over X; a table of seen values does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp
import sklearn.naive_bayes as peer

import suffice
from benchmarks.measure import Line, peak_growth, race


def lines() -> Iterator[Line]:
    """All cases."""
    yield from gaussian()
    yield from categorical()
    yield from words()


def gaussian(n: int = 1_000_000, d: int = 30, K: int = 5) -> Iterator[Line]:
    """GaussianNB."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(n, d)), rng.integers(0, K, n)
    ours, theirs = suffice.GaussianNB(), peer.GaussianNB()
    fit, fit_peer, total = race(lambda: ours.fit(X, y), lambda: theirs.fit(X, y), lambda: X.sum(axis=0))
    growth, size = peak_growth(lambda: ours.fit(X, y)), X.nbytes / 2**20
    yield Line(f"GaussianNB fit {n} x {d}", fit, fit_peer, ">= 10x", fit_peer >= 10 * fit, growth, size)
    yield Line("  against X.sum(axis=0)", fit, total, "at most 1.6 times", fit <= 1.6 * total)
    proba, proba_peer = race(lambda: ours.predict_proba(X), lambda: theirs.predict_proba(X), runs=3)
    yield Line("GaussianNB predict_proba", proba, proba_peer, ">= 14x", proba_peer >= 14 * proba)


def categorical(n: int = 500_000, d: int = 22, V: int = 8, K: int = 5) -> Iterator[Line]:
    """CategoricalNB."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, V, size=(n, d)), rng.integers(0, K, n)
    ours, theirs = suffice.CategoricalNB(), peer.CategoricalNB()
    fit, fit_peer = race(lambda: ours.fit(X, y), lambda: theirs.fit(X, y))
    growth, size = peak_growth(lambda: ours.fit(X, y)), X.nbytes / 2**20
    yield Line(f"CategoricalNB fit {n} x {d}", fit, fit_peer, ">= 12x", fit_peer >= 12 * fit, growth, size)
    predict, predict_peer = race(lambda: ours.predict(X), lambda: theirs.predict(X))
    yield Line("CategoricalNB predict", predict, predict_peer, ">= 8x", predict_peer >= 8 * predict)


def documents(n: int = 100_000, V: int = 50_000, draws: int = 80, K: int = 20) -> tuple[Any, Any]:
    """Word counts with Zipf frequencies (exponent 1.3, about 40 distinct words a row)."""
    rng = np.random.default_rng(0)
    columns = (rng.zipf(1.3, size=(n, draws)) - 1) % V
    X = sp.csr_matrix((np.ones(n * draws), (np.repeat(np.arange(n), draws), columns.ravel())), shape=(n, V))
    X.sum_duplicates()
    return X, rng.integers(0, K, n)


def words() -> Iterator[Line]:
    """MultinomialNB and BernoulliNB on sparse counts."""
    X, y = documents()
    size = (X.data.nbytes + X.indices.nbytes + X.indptr.nbytes) / 2**20
    for name, fit_bar, predict_bar in (("MultinomialNB", 3.5, 1.5), ("BernoulliNB", 4.5, None)):
        ours, theirs = getattr(suffice, name)(), getattr(peer, name)()
        fit, fit_peer = race(lambda o=ours: o.fit(X, y), lambda t=theirs: t.fit(X, y))
        growth = peak_growth(lambda o=ours: o.fit(X, y))
        bar = f">= {fit_bar:g}x"
        yield Line(
            f"{name} fit {X.shape[0]} x {X.shape[1]} CSR", fit, fit_peer, bar, fit_peer >= fit_bar * fit, growth, size
        )
        predict, predict_peer = race(lambda o=ours: o.predict(X), lambda t=theirs: t.predict(X))
        met = predict_bar is None or predict_peer >= predict_bar * predict
        yield Line(f"{name} predict", predict, predict_peer, "" if predict_bar is None else f">= {predict_bar:g}x", met)
