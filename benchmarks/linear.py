"""LinearRegression, Ridge and Lasso: fits of a large table against scikit-learn at its best solver, and intelex.

Columns that tell nothing of one another take one matrix product; nearly dependent ones are multiplied sharp, which is
the dearer way. scikit-learn's best for Ridge is "cholesky", for Lasso `precompute=True`; for LinearRegression there is
one. The product of the columns with themselves alone takes 26 ms, with one thread or two.
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
AGAINST_INTELEX = {"LinearRegression": 0.5, "Lasso": 2.0}


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
