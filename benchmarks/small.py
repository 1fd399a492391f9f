"""Small tables: every drop-in beside scikit-learn's, fit, predict of all rows and of one; the two take turns.

On small tables the number of calls is the cost, not the arithmetic. What was done, in the order of what it gave (ratios
of processor time on one thread, unless it is said otherwise):

- Fewer steps. RidgeCV and LassoCV of 60 x 300 solve on the rows, with singular values from products of rows (0.04x to
  1.0x, 0.12x to 1.15x). LogisticRegression with many coefficients takes Newton's steps by conjugate gradients, and one
  step more once `tol` is met (1,797 x 64: 0.17x to 1.06x, with the digits of Newton's own last step). Where penalties
  are many, coordinate descent sweeps for longer before it solves; where there is one, sooner.
- Loops. A loop is loaded once its twin was waited for as long as loading takes: half a second, a tenth where numba is
  loaded, a fiftieth where the loop lies in the cache too (`Loop.pays`). Perceptron (569 x 30) from 0.16x to 1.1x;
  150 x 4 loads after two fits in place of seven, which a run often did not reach (0.24x, then 1.0x). The twin can't
  get there: 4,500 rows and 900 mistakes are 9 ms in Python, 2 in C. It asks BLAS first, and adds in the order of the
  loop only where that does not decide.
- Predictions. Plain arrays pass without scikit-learn's checks (`boundary/plain_arrays.py`), few cells without threads,
  sources and silenced sums; missing cells show in one more column of the product, rows are centred in the cache,
  classes multiplied as long rows: one row from 0.8x to 3.2x, all from 1.4x to 2.0x on the geometric mean. Densities of
  normals whiten rows by half of a triangle, some rows at a time in one buffer: QDA (1,797 x 64) from 0.85x to 1.3x.
- SVC. The classes share kernel values, made class by class in the cache (`class_blocks.py`), and the walk looks at 32
  rows side by side: iris from 0.76x to 1.0x, digits from 0.42x to 0.9x. Half of a symmetric matrix, copied to the
  other half, is no faster: columns are copied as slowly as exponentials are taken.
- Sharp products. Columns not far from 0 are cut into slices without pairs, in units of their extent. Of the nine
  products of slices four are made, as what the first slices leave is multiplied as it is, and A A' of few rows takes
  BLAS longer as a symmetric product (`syrk`) than as a plain one: 55 to 27 microseconds for 442 x 11, with the same 92
  bits. Sums of pairs run over 16 terms with their errors beside them; whole numbers are summed plainly (digits).
- Roots in float64 where their condition number, estimated at the same time, is harmless (`roots/correlation_root.py`);
  coefficients are corrected in pairs, gaps and levels added by `fsum`. LinearRegression (442 x 10) from 0.5x to 0.85x,
  RidgeClassifier from 0.4x to 1.05x.
- Threads of BLAS: one for tables below 131,072 cells, as another takes longer to wake than the product does; said once
  a fit. Each change of the number is 4 microseconds of 400.
- What any fit does once: parameters found valid are not checked again, learners, triangles and problems are made when
  they are asked for, masks are counted (`every`), `np.diff`, `split` and `repeat` left for methods of arrays:
  the last of these rounds took 6 % from Lasso and LinearRegression, 8 % from RidgeCV and 9 % from GaussianNB.

What gave nothing: slopes of coordinate descent as lists (38 microseconds in place of 45, and slower from 20 columns);
passing over coefficients that stay 0; a table of valid parameters by name (2 microseconds).

Each is warmed up by a second of fits, after which loops have taken the place of twins where that pays. Idle, on the
clock, on a machine with vectors of eight doubles: 2.53x on the geometric mean; below 1x of 108 lines Lasso 442 x 10
0.92x (1.06x where numba is loaded already: 45 of its 332 microseconds are the sweeps in Python, which never wait long
enough to load it), RidgeCV 60 x 300 and RidgeClassifier 569 x 30 0.99x. Without that second 2.44x: Perceptron 150 x 4
0.22x, its twin not yet exchanged, 1,797 x 64 0.82x, QDA 150 x 4 0.97x. On another machine before: 2.29x; 150 x 4
Perceptron 0.24x, QDA and LDA predict 1,797 x 64 0.85x and 0.98x, and between 0.90x and 0.97x Lasso and RidgeCV 442 x
10, RidgeCV 60 x 300, RidgeClassifier 1,797 x 64, GaussianNB and QDA 150 x 4. What resists, in microseconds of some 450
while others are at work: Lasso (442 x 10) slices 33, their products 27, the rest of the moments 35, scatter and root
31, the sweeps of ten coefficients in Python 45, levels 20, the rest of the solution 40, what any fit does 70, the
remainder in calls of less than 5. RidgeCV sets alphas, a source and a problem up twice as often, and takes a singular
value decomposition of 40. SVC on digits solves each pair to 1e-10, where libsvm stops at 1e-3: of 45 ms 11 are kernel
values, 7 copies into the matrix of a pair, 5 the walk, 7 equations of the free rows, the rest some 50 calls for each of
45 pairs. LogisticRegression on digits stops where its slope is 2e-12; scikit-learn's stops after 100 steps at 2.3, and
with max_iter=10000 and tol=1e-9 takes 4.7 s to 2e-4.
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
from benchmarks.measure import Line, warm

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
    for model in (ours, theirs):
        warm(lambda model=model: model.fit(X, y))  # type: ignore[misc]
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
