"""Small tables: every drop-in beside scikit-learn's, fit, predict of all rows and of one; the two take turns.

On small tables the number of calls is the cost, not the arithmetic. What was tried, in the order of what it gave:

- Plain arrays pass without scikit-learn's checks, and parameters that were found valid are not checked again
  (`boundary/plain_arrays.py`): predictions of one row from 0.8x to 2.4x (LinearRegression).
- Sums of pairs by runs of at most 16 terms, errors beside them, in place of halving (`double_double.run_totals`): a
  quarter of the calls. Scatters, offsets and triangles are read once. Whole numbers are summed plainly (digits).
- The root of a scatter in float64, corrected by one product in slices, in place of a column at a time in pairs.
- Rows of one component stay about their own mean; few rows skip the plain products that only say where the mean is.
- The kernel matrix of up to 1,024 rows at once; dense counts by one product; one thread of BLAS below 131,072 cells, as
  another takes longer to wake than the product does.
- A loop whose twin was waited for as long as loading takes (`Loop.pays`), as LassoCV's after two fits; where numba is
  loaded already, after a tenth of a second. For the perceptron too (569 x 30: 0.16x to 1.1x), since loop and twin add
  in one order: before, a row on the boundary fell to another side by how its product was rounded. The twin asks BLAS
  first, and adds in order only where that does not decide: adding every row in order would take twice as long.
- Predictions: no thread, no count of processors and no silenced sum for few cells, doors and labels made once, the
  support vectors centred once, all classes at once: one row from 1.7x to 2.7x on the geometric mean, all from 1.4x to
  1.8x; fits went from 0.67x to 0.89x. `isinstance` of a protocol was a quarter of a prediction of Perceptron.
- RidgeCV and LassoCV of 60 x 300 on the rows (0.04x to 0.5x, 0.12x to 0.6x): products of all columns were the cost.
- Quotients of pairs in 28 operations in place of 80, and the mean's share of a scatter about it in float64.
- Newton's steps of LogisticRegression with many coefficients (1,797 x 64: 650) by conjugate gradients, guided near the
  optimum by the curvature of the rows that still bend there, and one step more once `tol` is met (0.17x to 1.06x, with
  the digits of Newton's own last step, 2e-13): `linear/logistic/many_coefficients.py`. A curvature held apart along the
  sums over classes, as Newton's steps want it, costs four times the steps: slopes have a share along these sums.
- Predictions that look for missing cells by one more column of their product and centre rows while they are in the
  cache, few cells without a source, one row of scores as a list of Python's: one row from 2.6x to 3.2x on the geometric
  mean, all from 1.75x to 2.0x; fits from 0.91x to 1.01x. Below 32,768 cells two plain passes are faster. Classes are
  multiplied as long rows, (K, n): half of the time.
- Columns of few rows are cut into slices as rows of an array, whose inner loops are long; condition numbers of
  triangles are estimated (`dtrcon`), the levels of a model added by `fsum`, terms of plain tables read off the schema:
  LinearRegression and Ridge (442 x 10) from 0.5x to 0.6x. Classes whose columns depend on one another as far as float64
  can tell keep a triangle without a look at their root in pairs.

- The root of harmless products in float64 (`roots/correlation_root.py`: Cholesky's method, whose condition number is
  estimated at the same time) in place of eigenvalues and a root in pairs; coefficients are corrected in pairs as
  before, their gaps added up by `fsum`. Of classes, only their sum need be harmless; few rows of several classes are
  cut into slices about one centre. LinearRegression (442 x 10) from 0.62x to 0.85x in 850 calls, Ridge from 0.63x to
  0.87x, Lasso from 0.55x to 0.78x, RidgeClassifier from 0.8x, 0.6x and 0.4x to 1.5x, 0.95x and 1.05x.
- Of many penalties, coordinate descent goes on for longer before coefficients are solved for at once, as solving takes
  as long as hundreds of compiled sweeps: LassoCV from 0.6x to 0.9x (60 x 300), 2.6x to 3.8x (442 x 10). Of one penalty
  it solves sooner. It must not ask whether sweeps are compiled: answers would depend on when numba was loaded.
- RidgeCV (60 x 300) takes singular values from products of rows where these keep 13 digits: 0.57x to 0.8x.
- SVC of three classes shares one kernel matrix (0.76x to 0.85x). Half of a symmetric kernel matrix, copied to the other
  half, was no faster: columns are copied as slowly as exponentials are taken.

- Columns that are not far from 0 for their extent are cut into slices without pairs, in units of their extent, and the
  nine products of slices are added as large, less and little (`sharp_products._centred`): half of the operations on all
  rows. Near their mean, offsets and scatters take one float64 in place of a quotient of pairs. RidgeCV solves and
  searches from one problem. LinearRegression and Ridge (442 x 10) from 0.86x to 1.0x, Lasso from 0.78x to 0.86x,
  ElasticNet from 0.78x to 0.9x, RidgeCV from 0.75x to 0.89x, QDA (150 x 4) from 0.94x to 1.03x, RidgeClassifier
  (569 x 30) from 0.94x to 1.0x.
- Rows whose functions vary as much as those of their centre are multiplied as they are, not about it: predictions of
  RidgeClassifier (1,797 x 64) from 0.95x to 1.15x, LDA from 0.8x to 0.97x.
- SVC: fewer calls for each pair of classes, kernel values in fewer passes: iris from 0.83x to 0.92x, digits from 0.42x
  to 0.5x (with others at work).

- One penalty for all targets is not looked up among many, levels are added from products and what these round off (18
  terms a coefficient became 4), masks are counted (`every`) rather than reduced, triangles are found when they are
  asked for, which a lasso never does, and a learner is made once: least squares from 0.97x to 1.07x, Ridge to 1.1x,
  Lasso from 0.87x to 0.97x, ElasticNet from 0.88x to 0.97x, RidgeClassifier (1,797 x 64) from 0.92x to 1.05x.
- RidgeCV looks for missing cells once, and asks LAPACK without wrappers: 0.86x to 1.0x, 60 x 300 from 0.85x to 1.0x.
- The slope that ends one penalty begins the next, on one thread: LassoCV (60 x 300) from 0.87x to 1.15x; with two,
  while others are at work, BLAS took three times the processor time. Even for 4 columns it asks for the second.
- Rows that are not contiguous, as those of digits, are added by BLAS (`all_finite`), and classes counted in small
  numbers (`likeliest`): predictions of LDA (1,797 x 64) from 0.95x to 1.15x, MultinomialNB from 1.2x to 1.4x.
- Weights of 1 are not multiplied, the floor of GaussianNB's variances is plain where that keeps the digits: GaussianNB
  (150 x 4) from 0.98x to 1.03x, QDA from 0.95x to 1.04x.
- SVC makes kernel values class by class (`class_blocks.py`): half of the values, in the cache, into pages that are
  there. Its walk looks at 32 rows side by side (0.43 of the time, to the last bit the same steps), and products of few
  rows take one thread: with two, BLAS took four times the processor time. Iris from 0.91x to 1.0x, digits from 0.62x to
  0.9x.

As a ratio of processor time on one thread, with others at work, the geometric mean went from 1.17x to 1.61x, 1.86x,
2.18x, and further since, lines below 1x from 31 to 25, 17, 14, 11, then to some 3 of 108. What is left: Lasso and
ElasticNet (442 x 10, 0.97x), in microseconds of 500: cutting rows into slices and multiplying these 130, of which BLAS
25; scatter and root 45, the problem 25, descent 60 (60 visits of a coefficient in Python), levels 20, what any fit does
once 130, in 775 calls; the rest in pieces of less than 10. SVC on digits (0.9x) solves each pair to 1e-10, where libsvm
stops at 1e-3: of 45 ms 11 are kernel values (products 4, exponentials 1), 7 copies into the matrix of a pair, 5 the
walk, 7 equations of the free rows, the rest some 50 calls for each of 45 pairs.
Idle, on the clock, two runs: 2.31x and 2.38x; below 1x in both RidgeCV (442 x 10) 0.99x and Lasso 0.93x and 0.94x, in
one of them RidgeCV (60 x 300) 0.97x, GaussianNB and QDA (150 x 4) 0.99x, LDA and QDA predict (1,797 x 64) 0.97x and
0.96x, SVC on digits 0.96x (1.22x in the other), Perceptron (150 x 4) 0.24x (above 1x in the other).
LogisticRegression on digits stops where its slope is 2e-12; scikit-learn's stops after 100 steps at 2.3, and with
max_iter=10000 and tol=1e-9 takes 4.7 s to 2e-4.
"""

from __future__ import annotations

import statistics
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import sklearn.discriminant_analysis
import sklearn.linear_model
import sklearn.naive_bayes
import sklearn.svm
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris

import suffice
from benchmarks.measure import Line

NUMBERS = ("LinearRegression", "Ridge", "RidgeCV", "Lasso", "LassoCV", "ElasticNet")
CLASSES = (
    *("LogisticRegression", "RidgeClassifier", "Perceptron", "GaussianNB", "SVC", "LinearDiscriminantAnalysis"),
    "QuadraticDiscriminantAnalysis",
)
OPTIONS: dict[str, dict[str, Any]] = {"QuadraticDiscriminantAnalysis": {"reg_param": 0.01}}  # else it refuses digits
SECONDS = 0.2  # that each of the two is measured for
ROOMS: tuple[Any, ...] = (sklearn.linear_model, sklearn.naive_bayes, sklearn.svm, sklearn.discriminant_analysis)


def tables() -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    """Names of estimators, rows, targets."""
    rng = np.random.default_rng(0)
    yield NUMBERS, *load_diabetes(return_X_y=True)
    wide = rng.normal(size=(60, 300))
    yield NUMBERS, wide, wide[:, :5].sum(axis=1) + rng.normal(size=60)
    for load in (load_iris, load_breast_cancer, load_digits):
        yield CLASSES, *load(return_X_y=True)
    yield ("MultinomialNB", "BernoulliNB", "ComplementNB"), *load_digits(return_X_y=True)


def lines(runs: int = 7) -> Iterator[Line]:
    """All cases."""
    ratios = []
    for names, X, y in tables():
        for name in names:
            peer = next(getattr(room, name) for room in ROOMS if hasattr(room, name))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                options = OPTIONS.get(name, {})
                for line in _of(name, getattr(suffice, name)(**options), peer(**options), X, y, runs):
                    ratios.append(line.peer / line.ours)
                    yield line
    mean = float(np.exp(np.mean(np.log(ratios))))
    yield Line("geometric mean", 1.0, mean, ">= 2x", mean >= 2.0)


def _of(name: str, ours: Any, theirs: Any, X: Any, y: Any, runs: int) -> Iterator[Line]:
    size = f"{X.shape[0]} x {X.shape[1]}"
    pairs = (
        (f"{name} fit {size}", lambda m: m.fit(X, y)),
        ("  predict", lambda m: m.predict(X)),
        ("  predict one row", lambda m: m.predict(X[:1])),
    )
    for case, run in pairs:
        mine, other = _in_turns(run, ours, theirs, runs)
        yield Line(case, mine, other, ">= 1x", other >= mine)


def _in_turns(run: Callable[[Any], Any], ours: Any, theirs: Any, runs: int) -> tuple[float, float]:
    """Median seconds of both, after two runs each; short ones are run more often."""
    times: tuple[list[float], list[float]] = ([], [])
    for model in (ours, ours, theirs, theirs):
        run(model)
    while len(times[0]) < runs or (sum(map(sum, times)) < 2 * SECONDS and len(times[0]) < 200):
        for model, taken in zip((ours, theirs), times, strict=True):
            start = time.perf_counter()
            run(model)
            taken.append(time.perf_counter() - start)
    return statistics.median(times[0]), statistics.median(times[1])
