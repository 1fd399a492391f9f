"""Pooled answers of tables drawn by `NormalImputer`, beside those of statsmodels' chained equations (MICE).

`python -m tests.peers.test_statsmodels_mice` asks statsmodels anew, where it is installed, and prints both.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.datasets import load_diabetes

from suffice import NormalImputer
from suffice.features import pool

NAMES = ("intercept", "slope of a", "slope of b")
MICE = np.array([-0.03046956, 0.32906966, 0.23818632])  # statsmodels 0.15.0, 60 tables, the 5 nearest predictions
ERRORS = np.array([0.05335014, 0.06312739, 0.06736594])
MEAN = 0.01376427  # of b, over 60 tables


def rows() -> Any:
    """300 patients: b is missing the more often, the larger a is; a fifth of c is missing whatever it is."""
    table = load_diabetes().data
    X = table[:300, [2, 3, 8]] / table.std()
    rng = np.random.default_rng(7)
    X[rng.random(300) < 0.8 / (1.0 + np.exp(-2.0 * X[:, 0])), 1] = np.nan
    X[rng.random(300) < 0.2, 2] = np.nan
    return X.round(6)


def fitted(table: Any) -> tuple[Any, Any]:
    """Least squares of c on a and b, and the variances of its coefficients."""
    A = np.column_stack([np.ones(len(table)), table[:, :2]])
    inverse = np.linalg.inv(A.T @ A)
    coef = inverse @ A.T @ table[:, 2]
    return coef, np.diagonal(inverse) * np.sum((table[:, 2] - A @ coef) ** 2) / (len(table) - 3)


def pooled(m: int = 60) -> tuple[Any, Any, float]:
    """Coefficients, their standard errors, and the mean of b."""
    X = rows()
    tables = list(NormalImputer().fit(X).draw(X, m, 0))
    estimates, variances = (np.array(side) for side in zip(*map(fitted, tables), strict=True))
    found = [pool(estimates[:, j], variances[:, j], 297.0) for j in range(3)]
    errors = [np.sqrt(one.total) for one in found]
    return np.array([one.estimate for one in found]), np.array(errors), float(np.mean([t[:, 1].mean() for t in tables]))


def test_drawn_tables_say_what_chained_equations_say() -> None:
    """Estimates differ by 0.52 standard errors at most, errors by 7 %: chained equations take cells of near rows, ours
    are drawn from a normal distribution of all columns.
    """
    estimates, errors, mean = pooled()
    assert np.abs((estimates - MICE) / ERRORS).max() < 0.6
    assert np.abs(errors / ERRORS - 1.0).max() < 0.1
    assert abs(mean - MEAN) < 0.03


def main() -> None:
    """Ask statsmodels, and print both."""
    import pandas as pd
    import statsmodels.api as sm  # type: ignore[import-not-found,unused-ignore]
    from statsmodels.imputation.mice import MICE as Chained  # type: ignore[import-not-found,unused-ignore]
    from statsmodels.imputation.mice import MICEData

    np.random.seed(5)
    data = MICEData(pd.DataFrame(rows(), columns=list("abc")), k_pmm=5)
    theirs = Chained("c ~ a + b", sm.OLS, data, n_skip=5).fit(10, 60)
    ours, errors, _ = pooled()
    for name, *numbers in zip(NAMES, ours, errors, theirs.params, theirs.bse, strict=True):
        print(f"{name:12}", *(f"{number:9.4f}" for number in numbers))


if __name__ == "__main__":
    main()
