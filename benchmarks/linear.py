"""LinearRegression, Ridge and Lasso: fits of a large table against scikit-learn at its best solver, and intelex.

scikit-learn's best for Ridge is "cholesky", for Lasso `precompute=True`; for LinearRegression there is one.

What was tried, and its result (200,000 x 50, one thread unless said):
- the product of the columns with themselves by BLAS: 25 ms, with one thread or two; by tiles of our own 18 ms, 9 to 10
  in two threads, what centres the columns included;
- tiles of 4 x 8, 4 x 12, 8 x 8, 8 x 16 and 8 x 24 columns, in vectors of four or eight: 18 to 31 ms; larger ones make
  more of the square than its half. Buffers of 48 to 512 rows: no difference. On a later machine, with two units for
  vectors of eight, 8 x 8 of these take 18 to 19 ms where 4 x 8 take 23, and are what is used there;
- a fit: BLAS and sums as pairs 39 ms; tiles 29; no copy of the targets beside the columns and no look at the cells
  before the products, which notice bad ones, 24; fewer corrections of the coefficients 21;
- sharp products: slices of 21 bits by BLAS 370 ms a fit; sums that begin high, in tiles, 90.
"""

from __future__ import annotations

from collections.abc import Iterator

import sklearn.linear_model

import suffice
from benchmarks.intelex import times
from benchmarks.measure import Line, peak_growth, race
from benchmarks.shapes import regression

CASES = (
    ("LinearRegression", {}, {}, 0.0, 2.0),
    ("LinearRegression", {}, {}, 1e-4, 2.0),
    ("Ridge", {}, {"solver": "cholesky"}, 0.0, 2.5),
    ("Lasso", {"alpha": 0.1}, {"alpha": 0.1, "precompute": True}, 0.0, 2.0),
)
AGAINST_INTELEX = {"LinearRegression": 1.2, "Ridge": 1.2, "Lasso": 2.0}


def lines(n: int = 200_000, d: int = 50) -> Iterator[Line]:
    """One line a case, and one more where intelex is there."""
    patched = times("LinearRegression", "Ridge", "Lasso")
    for name, mine, theirs, near, bar in CASES:
        X, y = regression(n, d, near)
        ours, peer = getattr(suffice, name)(**mine), getattr(sklearn.linear_model, name)(**theirs)
        fit, other = race(lambda m=ours, X=X, y=y: m.fit(X, y), lambda m=peer, X=X, y=y: m.fit(X, y), runs=5)
        growth = peak_growth(lambda m=ours, X=X, y=y: m.fit(X, y))
        how = f", near {near:g}" if near else ""
        met = other >= bar * fit
        yield Line(f"{name} fit {n} x {d}{how}", fit, other, f">= {bar:g}x", met, growth, X.nbytes / 2**20)
        if name in patched and not near:
            bar = AGAINST_INTELEX.get(name, 0.0)
            yield Line("  against intelex", fit, patched[name], f">= {bar:g}x", patched[name] >= bar * fit)
