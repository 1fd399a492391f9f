"""RidgeCV(cv="gcv"): one pass, and what leaving out rows gives where all have the same leverage."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

from suffice import RidgeCV
from suffice.core.errors import BadInput

ALPHAS = [0.01, 0.3, 10.0, 300.0]
RNG = np.random.default_rng(3)
X = RNG.normal(size=(40, 3)) * [1.0, 30.0, 0.1] + [0.0, 1e4, 1e8]
Y = X @ [1.0, 0.05, 2.0] + RNG.normal(size=40)


def by_hand(X: Any, y: Any, alpha: float) -> float:
    """n |y - H y|^2 / (n - trace H)^2 from the rows."""
    Z = X - X.mean(axis=0)
    H = Z @ np.linalg.solve(Z.T @ Z + alpha * np.eye(Z.shape[1]), Z.T) + 1.0 / len(y)
    left = y - H @ y
    return float(len(y) * (left @ left) / (len(y) - np.trace(H)) ** 2)


def test_the_score_is_that_of_the_rows() -> None:
    model = RidgeCV(ALPHAS, cv="gcv").fit(X, Y)
    scores = [by_hand(X, Y - Y.mean(), alpha) for alpha in ALPHAS]
    assert model.alpha_ == ALPHAS[int(np.argmin(scores))]
    assert -model.best_score_ == pytest.approx(min(scores), rel=1e-7)  # a column at 1e8 of width 0.1 has nine digits


def test_where_all_rows_have_one_leverage_it_is_leave_one_out() -> None:
    design = np.array(list(product([-1.0, 1.0], repeat=4)))
    for columns in (1, 2):
        y = RNG.normal(size=(16, columns))
        one, all_ = (RidgeCV(ALPHAS, cv=cv, alpha_per_target=columns > 1).fit(design, y) for cv in (None, "gcv"))
        np.testing.assert_allclose(all_.best_score_, one.best_score_, rtol=1e-12)
        np.testing.assert_array_equal(all_.alpha_, one.alpha_)


def test_weights_are_copies() -> None:
    w = np.arange(40) % 3
    weighed, copied = RidgeCV(ALPHAS, cv="gcv"), RidgeCV(ALPHAS, cv="gcv")
    weighed.fit(X, Y, w)
    copied.fit(np.repeat(X, w, axis=0), np.repeat(Y, w))
    assert weighed.alpha_ == copied.alpha_
    assert weighed.best_score_ == pytest.approx(copied.best_score_, rel=1e-9)


def stream() -> Iterator[pd.DataFrame]:
    table = pd.DataFrame(X, columns=["a", "b", "c"]).assign(t=Y)
    return iter([table[:7], table[7:]])


def test_a_stream_is_enough() -> None:
    there, here = RidgeCV(ALPHAS, cv="gcv").fit(stream(), target="t"), RidgeCV(ALPHAS, cv="gcv").fit(X, Y)
    assert there.alpha_ == here.alpha_
    np.testing.assert_allclose(there.coef_, here.coef_, rtol=1e-12)
    assert there.best_score_ == pytest.approx(here.best_score_, rel=1e-9)


BAD = {
    "one by one from a stream": (
        {},
        "RidgeCV: the source must be one that can be read again .*unless cv='gcv'.*stream",
    ),
    "a scorer of folds from a stream": ({"cv": 4, "scoring": "neg_max_error"}, "one that can be read again"),
    "a scorer": ({"cv": "gcv", "scoring": "r2"}, "scoring must be as it comes for generalized cross-validation"),
    "one standard error": ({"cv": "gcv", "rule": "one_standard_error"}, "rule must be as it comes"),
    "errors of rows": ({"cv": "gcv", "store_cv_results": True}, "store_cv_results must be False"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_it_cannot_say_is_refused(name: str) -> None:
    parameters, message = BAD[name]
    with pytest.raises(BadInput, match=message):
        RidgeCV(ALPHAS, **parameters).fit(stream(), target="t")


def test_as_many_terms_as_rows_leave_nothing_to_judge_by() -> None:
    model = RidgeCV([0.0, 1.0], cv="gcv").fit(X[:4], Y[:4])
    assert model.alpha_ == 1.0
