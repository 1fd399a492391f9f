"""Discriminant analysis of mixed tables: symbols as indicators, an open vocabulary, exact however rows were divided."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn.discriminant_analysis as peer
from sklearn.covariance import EmpiricalCovariance

import suffice
from suffice import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from suffice.core.errors import BadInput, NeverAdded

RNG = np.random.default_rng(0)
N = 240
Y = np.array(list("abc"))[RNG.integers(0, 3, N)]
WHOLE = pd.DataFrame(
    {
        "age": 1e4 + RNG.normal(size=N) + (Y == "a"),
        "site": pd.Series(np.array(["n", "s", "w"])[RNG.integers(0, 3, N)], dtype=object),
        "ill": RNG.random(N) < 0.3 + 0.4 * (Y == "c"),
        "dose": RNG.normal(size=N) + (Y == "b"),
    }
)
LATE = WHOLE.copy()  # no site in the first rows, a new one in the last, gaps between
LATE.loc[:59, "site"] = None
LATE.loc[200:, "site"] = "q"
LATE.loc[[70, 90, 110], "site"] = None
LATE.loc[[3, 71, 90], "age"] = np.nan
MODELS: dict[str, Any] = {
    "linear": LinearDiscriminantAnalysis,
    "linear, lsqr": lambda: LinearDiscriminantAnalysis("lsqr"),
    "linear, eigen": lambda: LinearDiscriminantAnalysis("eigen"),
    "quadratic": lambda: QuadraticDiscriminantAnalysis(prior_strength=1.0),
    "quadratic, eigen": lambda: QuadraticDiscriminantAnalysis(solver="eigen", shrinkage=0.1),
}
EVERY = pytest.mark.parametrize("name", MODELS)
SOME = pytest.mark.parametrize("name", ["linear", "quadratic"])


def dummies(X: pd.DataFrame, levels: str, base: str) -> Any:
    """Indicators by hand, missing where the symbol is."""
    each = [(X["site"] == level).astype(float).mask(X["site"].isna()) for level in levels if level != base]
    return np.column_stack([X["age"], *each, X["ill"].astype(float), X["dose"]])


def near(found: Any, expected: Any, X: Any, atol: float = 1e-12) -> None:
    np.testing.assert_allclose(found.predict_proba(X), expected.predict_proba(X), rtol=0, atol=atol)


@pytest.mark.parametrize("base", "nsw")
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (LinearDiscriminantAnalysis(), peer.LinearDiscriminantAnalysis()),
        (LinearDiscriminantAnalysis("lsqr"), peer.LinearDiscriminantAnalysis("lsqr")),
        (LinearDiscriminantAnalysis("eigen"), peer.LinearDiscriminantAnalysis("eigen")),
        (QuadraticDiscriminantAnalysis(), peer.QuadraticDiscriminantAnalysis()),
    ],
)
def test_as_scikit_learn_on_indicators_whichever_level_is_left_out(ours: Any, theirs: Any, base: str) -> None:
    D = dummies(WHOLE.assign(age=WHOLE["age"] - 1e4), "nsw", base)
    theirs.fit(D, Y)
    found = ours.fit(WHOLE, Y)
    np.testing.assert_allclose(found.predict_proba(WHOLE), theirs.predict_proba(D), rtol=0, atol=1e-9)
    assert found.factor_names_.tolist() == ["age", "site=s", "site=w", "ill", "dose"]
    assert found.means_.shape == (3, 5)
    assert found.n_features_in_ == 4
    if base == "n" and not isinstance(ours, QuadraticDiscriminantAnalysis):
        np.testing.assert_allclose(found.coef_ - found.coef_[0], theirs.coef_ - theirs.coef_[0], rtol=0, atol=1e-9)


def test_axes_are_those_of_scikit_learn() -> None:
    D = dummies(WHOLE.assign(age=WHOLE["age"] - 1e4), "nsw", "n")
    found = LinearDiscriminantAnalysis(store_covariance=True).fit(WHOLE, Y)
    theirs = peer.LinearDiscriminantAnalysis(store_covariance=True).fit(D, Y)
    np.testing.assert_allclose(np.abs(found.transform(WHOLE)), np.abs(theirs.transform(D)), atol=1e-9)
    np.testing.assert_allclose(found.decision_function(WHOLE), theirs.decision_function(D), rtol=0, atol=1e-7)
    np.testing.assert_allclose(found.covariance_, theirs.covariance_, rtol=0, atol=1e-12)
    assert found.transform(LATE).shape == (N, 2)  # where cells are missing, as expected
    assert np.isfinite(found.transform(LATE)).all()


@EVERY
def test_missing_symbols_are_marginalised(name: str) -> None:
    """As numbers are that are missing in the indicators."""
    numbers = MODELS[name]().set_params(missing="marginalise")
    D = dummies(LATE, "nqsw", "n")
    expected, found = numbers.fit(D, Y), MODELS[name]().fit(LATE, Y)
    assert found.factor_names_.tolist() == ["age", "site=q", "site=s", "site=w", "ill", "dose"]
    np.testing.assert_allclose(found.predict_proba(LATE), expected.predict_proba(D), rtol=0, atol=1e-12)
    np.testing.assert_allclose(found.decision_function(LATE), expected.decision_function(D), rtol=0, atol=1e-9)


@SOME
def test_any_split_with_levels_that_come_late(name: str) -> None:
    whole = MODELS[name]().fit(LATE, Y)
    for edges in ([0, 60, 150, N], [0, 7, 210, N]):
        rows = [slice(a, b) for a, b in pairwise(edges)]
        shards = [MODELS[name]().partial_fit(LATE[r], Y[r], classes=list("abc")) for r in rows]
        near(shards[2].merge(shards[0], shards[1]), whole, LATE)
        first, *others = rows
        growing = MODELS[name]().partial_fit(LATE[first], Y[first], classes=list("abc"))
        for r in others:
            growing.partial_fit(LATE[r], Y[r])
        near(growing, whole, LATE)
        last = rows[-1]
        near(growing.forget(LATE[last], Y[last]), MODELS[name]().fit(LATE[: last.start], Y[: last.start]), LATE)
        assert growing.factor_names_.tolist() == ["age", "site=s", "site=w", "ill", "dose"] or last.start > 200


@SOME
def test_files_and_streams(name: str, tmp_path: Path) -> None:
    rows = LATE.assign(kind=Y)
    rows.to_csv(tmp_path / "rows.csv", index=False)
    whole = MODELS[name]().fit(LATE, Y)
    near(MODELS[name]().fit(tmp_path / "rows.csv", target="kind"), whole, LATE)
    near(MODELS[name]().fit(iter([rows[:60], rows[60:61], rows[61:]]), target="kind"), whole, LATE)
    whole.save(tmp_path / "model.sfc")
    loaded = suffice.load(tmp_path / "model.sfc")
    near(loaded, whole, LATE, 0.0)
    near(loaded.merge(whole), MODELS[name]().fit(pd.concat([LATE, LATE]), np.tile(Y, 2)), LATE)


@EVERY
def test_a_level_never_met_is_a_missing_cell(name: str) -> None:
    model = MODELS[name]().fit(WHOLE, Y)
    strange, absent = WHOLE[:20].assign(site="far"), WHOLE[:20].assign(site=None)
    near(model, model, WHOLE)
    np.testing.assert_array_equal(model.predict_proba(strange), model.predict_proba(absent))
    assert np.abs(model.predict_proba(strange) - model.predict_proba(WHOLE[:20])).max() > 1e-3


@SOME
def test_weights_are_copies_and_forgetting_knows_strangers(name: str) -> None:
    w = RNG.integers(0, 3, N)
    w[LATE["site"] == "w"] = 0  # rows of weight 0 bring no level in
    weighted, copied = (
        MODELS[name]().fit(LATE, Y, w),
        MODELS[name]().fit(LATE.loc[np.repeat(np.arange(N), w)], np.repeat(Y, w)),
    )
    near(weighted, copied, LATE)
    assert weighted.factor_names_.tolist() == ["age", "site=q", "site=s", "ill", "dose"]
    with pytest.raises(NeverAdded, match="site=w"):
        weighted.forget(LATE[LATE["site"] == "w"], Y[LATE["site"] == "w"])
    near(weighted, copied, LATE)


def test_a_mapping_is_a_table() -> None:
    numbers = WHOLE[["age", "dose"]]
    found = LinearDiscriminantAnalysis().fit(numbers.to_dict("list"), Y)
    near(found, LinearDiscriminantAnalysis().fit(numbers, Y), numbers, 0.0)
    turned = {"dose": numbers["dose"].tolist(), "age": numbers["age"].tolist()}
    np.testing.assert_array_equal(found.predict_proba(turned), found.predict_proba(numbers))
    mixed = LinearDiscriminantAnalysis().fit(WHOLE.to_dict("list"), Y)
    near(mixed, LinearDiscriminantAnalysis().fit(WHOLE, Y), WHOLE, 0.0)


def test_a_class_without_a_level_has_no_covariance_of_its_own() -> None:
    rows = WHOLE["site"].to_numpy() == "w"
    with pytest.raises(BadInput) as refused:
        QuadraticDiscriminantAnalysis().fit(WHOLE[~rows | (Y != "b")], Y[~rows | (Y != "b")])
    assert str(refused.value) == (
        "QuadraticDiscriminantAnalysis: column 'site' must be met with each of its levels in every class, got no row "
        "of class 'b' with site=w. Leave it out, or set `reg_param`, `shrinkage` with solver='eigen', or "
        "`prior_strength`."
    )
    LinearDiscriminantAnalysis().fit(WHOLE[~rows | (Y != "b")], Y[~rows | (Y != "b")])


@pytest.mark.parametrize(
    ("model", "told"),
    [
        (LinearDiscriminantAnalysis(missing="error"), "column 'age' must be present in every row"),
        (
            LinearDiscriminantAnalysis("lsqr", missing="marginalise", covariance_estimator=EmpiricalCovariance()),
            "must be None where columns are symbols",
        ),
        (LinearDiscriminantAnalysis(n_components=3), "n_components must be at most 2"),
    ],
)
def test_what_is_refused(model: Any, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        model.fit(LATE, Y)
    assert not hasattr(model, "fitted_")


def test_what_a_fitted_model_refuses() -> None:
    model = LinearDiscriminantAnalysis().fit(WHOLE, Y)
    with pytest.raises(BadInput, match=r"column 'site' must be of numbers for rows to be drawn, .*NaiveBayes"):
        model.sample(3)
    with pytest.raises(BadInput, match="column 'age' must be finite"):
        model.predict(WHOLE.assign(age=np.inf))
    with pytest.raises(ValueError, match="site"):
        model.predict(WHOLE.drop(columns="site"))
    told = model.explain(WHOLE[:2])
    assert set(told.features) >= {"age", "site", "ill", "dose"}
    with pytest.raises(
        BadInput, match=r"GaussianMixture: column 'site' must be of numbers, got categorical.*MixedMixture"
    ):
        suffice.GaussianMixture(2).fit(WHOLE)
