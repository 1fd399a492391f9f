"""Every estimator on a table as it is: it fits, or one sentence names the column and what to do about it."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pandas as pd
import pytest

import suffice
from suffice.core.errors import BadInput
from suffice.testing import discovery

RNG = np.random.default_rng(0)
N = 60
WHOLE = pd.DataFrame(
    {
        "age": RNG.integers(20, 80, N).astype(float),
        "site": pd.Series(np.array(["n", "s", "w"])[np.arange(N) % 3], dtype=object),
        "ill": RNG.random(N) < 0.5,
        "dose": RNG.normal(size=N),
    }
)
GAPS = WHOLE.copy()
GAPS.loc[3, "age"] = np.nan
GAPS.loc[5, "site"] = None
ONE_GAP = WHOLE[["age", "dose"]].copy()
ONE_GAP.loc[3, "dose"] = np.nan
TABLES = {"mixed": WHOLE, "mixed with gaps": GAPS, "numbers with a gap": ONE_GAP}
ANY = {  # what fits any table as it is
    *("BasicLinearClassifier", "ElasticNet", "ElasticNetCV", "Featureless", "Lasso", "LassoCV", "LinearRegression"),
    *("LeastSquaresClassifier", "LogisticRegression", "LogisticRegressionCV", "MixedMixture", "NaiveBayes"),
    *("Ridge", "RidgeCV", "RidgeClassifier", "SVC", "Perceptron", "PerceptronRegressor", "KernelPerceptron"),
    *("MLPClassifier", "MLPRegressor", "LogisticNeuron", "LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"),
}
FITS = {
    "mixed": {*ANY, "OneHotEncoder", "PolynomialRegression", "TotalLeastSquares"},
    "mixed with gaps": {*ANY, "OneHotEncoder"},
    "numbers with a gap": {*ANY, "GaussianMixture"},
}


def made(cls: type[Any]) -> Any:
    """An estimator with its defaults, or around one that takes numbers."""
    if cls.__name__ == "Chain":
        return cls(suffice.StandardScaler(), suffice.GaussianNB())
    if cls.__name__.startswith(("Stacking", "Voting")):
        member = suffice.GaussianNB() if cls.__name__.endswith("Classifier") else suffice.KNeighborsRegressor()
        return cls([("one", member)])
    needy = any(p.default is p.empty for p in inspect.signature(cls).parameters.values())
    return cls(suffice.GaussianNB()) if needy else cls()


def target(model: Any) -> Any:
    kind = model.__sklearn_tags__().estimator_type
    return WHOLE["dose"].to_numpy() * 2.0 if kind == "regressor" else np.array(["a", "b"])[np.arange(N) // 2 % 2]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("cls", discovery.public_estimators(), ids=lambda cls: cls.__name__)
def test_it_fits_or_names_the_column(cls: type[Any], table: str) -> None:
    model, X, told = made(cls), TABLES[table], None
    try:
        model.fit(X, target(model))
    except BadInput as error:
        told = str(error)
    if told is None:
        assert cls.__name__ not in FITS[table] or not hasattr(model, "predict") or len(model.predict(X)) == N
        return
    assert cls.__name__ not in FITS[table]
    blamed = {"mixed": ["site"], "mixed with gaps": ["site", "age"], "numbers with a gap": ["dose"]}[table]
    assert any(f"column {name!r}" in told for name in blamed), told
    assert any(word in told.lower() for word in ("fill it in", "leave it out")), told
    assert "could not convert" not in told
    assert told.count("\n") == 0


def test_an_infinite_cell_is_not_advised_to_be_missing() -> None:
    """GaussianNB refuses missing cells, so that it must not advise to make one."""
    with pytest.raises(
        BadInput, match=r"GaussianNB: column 'x0' must be finite .* got inf in row 1\. Correct the cell"
    ):
        suffice.GaussianNB().fit([[1.0], [np.inf], [2.0]], [0, 1, 1])
