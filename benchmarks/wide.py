"""Wide and sparse tables: more columns than rows, and words as columns, beside scikit-learn's best solver.

The bar is the time of the quickest of scikit-learn's solvers, each at its own defaults, and three times the memory of
the table. Ours answers to more digits than the iterative ones are asked for: a second line, without a bar, gives each
of them the largest `tol` by which its coefficients err no more than ours. Short fits are repeated for a second before
they are measured, so that loops have taken the place of NumPy twins.

Idle, on the clock, with vectors of eight doubles: all lines above 1x (1.07x to 151x; memory at most 3x) but Ridge of
200 x 5,000, 0.67x (1.5x at equal digits), and of 60 x 50,000, 0.98x (1.3x): of 3.5 ms 2.1 are the products of the rows
in two threads, as long as all of scikit-learn's `lsqr`, which stops at a `tol` of 1e-4. Conjugate gradients of our own
to 1e-10 would take some 14 steps of two passes, which is as long.

Seen on a busy machine (processor time, one thread each): 60 x 500, 200 x 5,000 and 60 x 50,000: LinearRegression 2.1x,
7.9x, 14x; Lasso 0.74x, 1.03x to 1.2x, 22x; LogisticRegression 1.3x, 0.97x to 1.1x, 3.0x; LDA 2.6x, 7.1x; SVC 1.2x,
5.5x; GaussianNB 0.7x to 1.1x, 1.0x to 1.2x, 1.06x. Sparse 3,000 x 5,000: Ridge 1.05x to 1.2x, RidgeClassifier 1.4x to
1.6x, LinearRegression 1.3x, LogisticRegression 1.4x (2.5x at equal digits), Lasso 4.5x, SVC 5x, MultinomialNB 2.2x,
BernoulliNB 2.6x, Perceptron 1.07x. Sparse 20,000 x 100,000: Ridge 2.5x, RidgeClassifier 2.3x, LogisticRegression 2.5x,
MultinomialNB 1.3x, BernoulliNB 2.6x, Perceptron 0.9x. Memory is 0.5x to 3.0x of the table.
What decides, and what was tried:
- Ridge, RidgeClassifier and LogisticRegression of 200 x 5,000 waited for 16 ms and more where BLAS takes a second
  thread: NumPy and SciPy have one each, which go on waiting for work on one processor. Such fits take one thread of
  BLAS, and products of the rows, 5 of the 8 ms of Ridge, two of our own, which end with the call. By one thread alone
  Ridge is 0.6x (60 x 50,000: 0.95x), LogisticRegression 0.7x; by two, whoever calls waits for 4.8 ms of 8.
- Ridge of sparse rows takes 37 steps to 1e-8 of the gradient, which is 3e-8 of the coefficients, where scikit-learn's
  16 to 20 stop at 1e-4 to 4e-4; 47 steps while columns that are much alike were brought to one length. In the dual it
  would be 36. A step is one pass over 60,000 cells to the rows and one back, 33 and 40 microseconds, 11 for vectors.
  Not faster: both passes in one (84), single precision, rows sorted by their length (69).
- Lasso of 60 x 500 is 0.74x by its loop, and half of that by the NumPy twin, which runs until it was waited for; four
  working sets are solved, each exactly. Not faster: 24 to 96 columns that join at a time, 2 to 10 sweeps before the
  coefficients are solved for at once.
- GaussianNB, 60 x 50,000: sums 10 -> 6.5 ms since strips of columns are not copied, but read where they lie.
- MultinomialNB and BernoulliNB of words (0.8x, 0.96x) ran the NumPy twin however often they were fitted.
- SVC kept 62 MB of kernel values of 3,000 sparse rows (3.3x); by sums of the rows it keeps none.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse
import sklearn.discriminant_analysis
import sklearn.linear_model
import sklearn.naive_bayes
import sklearn.svm
from sklearn.base import clone

import suffice
from benchmarks.measure import Line, peak_growth, race, warm

ROOMS: tuple[Any, ...] = (sklearn.linear_model, sklearn.naive_bayes, sklearn.svm, sklearn.discriminant_analysis)
NUMBERS: dict[str, tuple[str, ...]] = {
    "LinearRegression": (),
    "Ridge": ("cholesky", "lsqr", "sparse_cg"),
    "Lasso": (),
}
CLASSES: dict[str, tuple[str, ...]] = {
    "LogisticRegression": ("lbfgs", "newton-cg", "liblinear"),
    "RidgeClassifier": ("cholesky", "lsqr", "sparse_cg"),
    "LinearDiscriminantAnalysis": (),  # "svd"; the others make a covariance of all columns
    "SVC": (),
    "Perceptron": (),
}
OPTIONS: dict[str, dict[str, Any]] = {"Lasso": {"alpha": 0.1}, "SVC": {"kernel": "linear"}}
DENSE_ONLY = ("LinearDiscriminantAnalysis", "GaussianNB", "cholesky")
SHARPER: dict[str, Any] = {  # what says the coefficients to ten digits and more
    "Ridge": sklearn.linear_model.Ridge(solver="sparse_cg", tol=1e-15, max_iter=100_000),
    "RidgeClassifier": sklearn.linear_model.RidgeClassifier(solver="sparse_cg", tol=1e-15, max_iter=100_000),
    "Lasso": suffice.Lasso(alpha=0.1, tol=1e-14, max_iter=100_000),
    "LogisticRegression": suffice.LogisticRegression(tol=1e-12, max_iter=1_000),
}
MARGIN = 8.0  # megabytes that a process may take for itself, whatever the table


def dense(n: int, d: int) -> tuple[Any, Any]:
    """Normal columns, and a target that five of them make."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    return X, X[:, :5].sum(axis=1) + rng.normal(size=n)


def even(n: int = 3_000, d: int = 5_000, filled: float = 0.004) -> tuple[Any, Any]:
    """Sparse rows in which all columns are alike."""
    rng = np.random.default_rng(0)
    X = scipy.sparse.random_array((n, d), density=filled, rng=rng, format="csr")
    return X, X @ rng.normal(size=d) + 0.1 * rng.normal(size=n)


def words(n: int = 20_000, d: int = 100_000, length: int = 60) -> tuple[Any, Any]:
    """Counts of words that are as rare as their rank is high, each row made of length 1, and a target."""
    rng = np.random.default_rng(0)
    column = np.minimum(np.floor((d + 1.0) ** rng.random(n * length)).astype(np.int64), d) - 1
    row = np.repeat(np.arange(n), length)
    X = scipy.sparse.csr_array((np.ones(column.size), (row.astype(np.int32), column.astype(np.int32))), shape=(n, d))
    X = scipy.sparse.csr_array(X.multiply(1.0 / np.sqrt(X.multiply(X).sum(axis=1))[:, None]))
    return X, X @ rng.normal(size=d) + 0.1 * rng.normal(size=n)


def lines(runs: int = 3) -> Iterator[Line]:
    """All cases."""
    tables = (lambda: dense(60, 500), lambda: dense(200, 5_000), lambda: dense(60, 50_000), even, words)
    for make in tables:
        X, y = make()
        sparse = hasattr(X, "tocsr")
        yield from _cases(NUMBERS, X, y, runs)
        labels = (y > np.median(y)).astype(int)
        naive: dict[str, tuple[str, ...]] = {"MultinomialNB": (), "BernoulliNB": ()} if sparse else {"GaussianNB": ()}
        yield from _cases(CLASSES | naive, X, labels, runs)


def _cases(names: dict[str, tuple[str, ...]], X: Any, y: Any, runs: int) -> Iterator[Line]:
    sparse = hasattr(X, "tocsr")
    for name, solvers in names.items():
        if sparse and name in DENSE_ONLY:
            continue
        if name in ("SVC", "LinearRegression") and X.shape[0] > 5_000:
            continue  # minutes for either: words nearly depend on one another
        options = OPTIONS.get(name, {})
        peer = next(getattr(room, name) for room in ROOMS if hasattr(room, name))
        usable = [s for s in solvers if not (sparse and s in DENSE_ONLY)]
        theirs = [peer(**options, solver=s) for s in usable] or [peer(**options)]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield from _compared(name, getattr(suffice, name)(**options), theirs, X, y, runs)


def _compared(name: str, ours: Any, theirs: list[Any], X: Any, y: Any, runs: int) -> Iterator[Line]:
    """The line with a bar, and one more where either could have stopped earlier."""
    warm(lambda: ours.fit(X, y))
    fits = [lambda m=m: m.fit(X, y) for m in (ours, *theirs)]  # type: ignore[misc]
    mine, *others = race(*fits, runs=runs)
    size = _megabytes(X)
    growth = peak_growth(lambda: ours.fit(X, y))
    met = min(others) >= mine and growth <= 3.0 * size + MARGIN
    case = f"{name} {X.shape[0]} x {X.shape[1]}{' sparse' if hasattr(X, 'tocsr') else ''}"
    yield Line(case, mine, min(others), ">= 1x, memory <= 3x", met, growth, size)
    if name in SHARPER:
        found = [_as_sharp(name, ours, m, X, y) for m in theirs]
        times = [race(lambda m=m: m.fit(X, y), runs=1)[0] for m in found if m is not None]  # type: ignore[misc]
        if times:
            yield Line("  at equal digits", mine, min(times), "none", True)


def _as_sharp(name: str, ours: Any, peer: Any, X: Any, y: Any) -> Any:
    """The peer at the largest `tol` by which its coefficients err no more than ours; None where there is none."""
    sharp = SHARPER[name].fit(X, y).coef_
    allowed = max(float(np.abs(ours.coef_ - sharp).max()), 1e-12 * float(np.abs(sharp).max()))
    for tol in 10.0 ** -np.arange(4.0, 15.0):
        other = clone(peer).set_params(tol=tol, max_iter=100_000).fit(X, y)
        if np.abs(other.coef_ - sharp).max() <= allowed:
            return other
    return None


def _megabytes(X: Any) -> float:
    stored = (X.data, X.indices, X.indptr) if hasattr(X, "tocsr") else (X,)
    return float(sum(part.nbytes for part in stored)) / 2**20


if __name__ == "__main__":
    for each in lines(int(sys.argv[1]) if sys.argv[1:] else 3):
        print(each, flush=True)
