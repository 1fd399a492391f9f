"""Naive Bayes with histograms and window densities: beside other families, in any split, by another bandwidth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from suffice import NaiveBayes, load
from suffice.core.errors import BadInput, NeverAdded, NotASummary
from suffice.families.normals.normal import DiagonalNormal
from suffice.families.product import Group, Product
from suffice.families.windows.bandwidths import LeaveOneOut, Silverman
from suffice.families.windows.histogram import EqualFrequency, EqualWidth, Histogram
from suffice.families.windows.ranked import FixedWidth
from suffice.families.windows.window_density import WindowDensity
from suffice.summaries.moments import Moments
from suffice.testing.check import hold
from suffice.testing.summary_laws import LAWS, Law
from suffice.testing.tables import numbers, rows

FAMILIES = {
    "a": WindowDensity(),
    "b": Histogram(FixedWidth(1.0)),
    "c": Histogram(EqualFrequency(5)),
    "d": WindowDensity(0.5, "tophat", 1.0),
}


def table(n: int = 240) -> tuple[dict[str, list[Any]], Any]:
    """Columns of every family, with missing cells; `e` is normal and `s` a symbol."""
    rng = np.random.default_rng(0)
    y = rng.choice(["no", "yes"], n)
    up = y == "yes"
    X = {name: (rng.normal(size=n) + up).tolist() for name in "acde"}
    X["b"] = rng.integers(0, 6, n).tolist()
    X["s"] = rng.choice(["u", "v"], n).tolist()
    for name in X:
        for i in rng.integers(0, n, 20):
            X[name][i] = None
    return X, y


def some(X: dict[str, list[Any]], at: Any) -> dict[str, list[Any]]:
    return {name: [cells[i] for i in at] for name, cells in X.items()}


def test_columns_of_every_family_side_by_side() -> None:
    """Each column's cells are what its family says by itself."""
    X, y = table()
    model = NaiveBayes(families=FAMILIES).fit(X, y)
    logs = model.predict_joint_log_proba(X)
    alone = [
        NaiveBayes(families={k: v for k, v in FAMILIES.items() if k == name}).fit({name: X[name]}, y) for name in X
    ]
    expected = sum(one.predict_joint_log_proba({name: X[name]}) for name, one in zip(X, alone, strict=True))
    prior = np.log([np.mean(y == "no"), np.mean(y == "yes")])
    np.testing.assert_allclose(logs, expected - 5 * prior, atol=1e-10)


def test_any_split_is_the_whole_and_forgetting_goes_back(tmp_path: Path) -> None:
    X, y = table()
    whole = NaiveBayes(families=FAMILIES).fit(X, y)
    order = np.random.default_rng(1).permutation(240)
    shards = [NaiveBayes(families=FAMILIES).fit(some(X, at), y[at]) for at in np.array_split(order, 4)]
    merged = clone(whole).fit(some(X, order[:60]), y[order[:60]])
    merged.merge(*shards[1:])
    np.testing.assert_allclose(merged.predict_proba(X), whole.predict_proba(X), rtol=0, atol=1e-12)
    late = order[180:]
    merged.forget(some(X, late), y[late])
    rest = NaiveBayes(families=FAMILIES).fit(some(X, order[:180]), y[order[:180]])
    np.testing.assert_allclose(merged.predict_proba(X), rest.predict_proba(X), rtol=0, atol=1e-12)
    merged.partial_fit(some(X, late), y[late]).save(tmp_path / "m.suffice")
    loaded = load(tmp_path / "m.suffice")
    np.testing.assert_allclose(loaded.predict_proba(X), whole.predict_proba(X), rtol=0, atol=1e-12)
    with pytest.raises(NeverAdded):
        loaded.forget({**some(X, [0]), "a": [77.5]}, y[:1])


def test_a_column_that_one_shard_never_saw_a_cell_of() -> None:
    X, y = table()
    blank = {**X, "a": [None] * 240, "b": [None] * 240}
    for first, second in ((blank, X), (X, blank)):
        merged = NaiveBayes(families=FAMILIES).fit(some(first, range(100)), y[:100])
        merged.partial_fit(some(second, range(100, 240)), y[100:])
        both = {name: [*some(first, range(100))[name], *some(second, range(100, 240))[name]] for name in X}
        whole = NaiveBayes(families=FAMILIES).fit(both, y)
        np.testing.assert_allclose(merged.predict_proba(X), whole.predict_proba(X), rtol=0, atol=1e-12)
        merged.forget(some(both, range(239)), y[:239])
        assert merged.summary_.tally.rows.tolist() == [1]


def test_whole_numbers_that_turn_out_to_be_fractions() -> None:
    """By kind: what the joined kind needs is kept before it is known that it will be needed."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    x = [*rng.integers(0, 9, 30).tolist(), *rng.normal(size=30).tolist()]
    for by_kind in (
        {"quantitative": WindowDensity()},
        {"count": Histogram(FixedWidth(1.0)), "quantitative": WindowDensity()},
        {"count": WindowDensity()},
        {"quantitative": Histogram(EqualWidth(4))},
    ):
        whole = NaiveBayes(by_kind=by_kind).fit({"x": x}, y)
        for order in (range(60), range(59, -1, -1)):
            first, last = list(order[:30]), list(order[30:])
            split = NaiveBayes(by_kind=by_kind).fit({"x": [x[i] for i in first]}, y[first])
            split.partial_fit({"x": [x[i] for i in last]}, y[last])
            np.testing.assert_allclose(split.predict_proba({"x": x}), whole.predict_proba({"x": x}), atol=1e-12)


def test_another_bandwidth_needs_no_second_pass() -> None:
    X, y = table()
    model = NaiveBayes(families={"a": WindowDensity(0.2)}).fit(X, y)
    refit = NaiveBayes(families={"a": WindowDensity(0.9, "linear", 1.0)}).fit(X, y)
    model.set_params(families={"a": WindowDensity(0.9, "linear", 1.0)})
    np.testing.assert_array_equal(model.predict_proba(X), refit.predict_proba(X))


def test_what_keeps_other_things_of_its_rows_does_not_add() -> None:
    X, y = table()
    one, *others = (
        NaiveBayes(families={"b": family}).fit(X, y)
        for family in (Histogram(FixedWidth(1.0)), Histogram(FixedWidth(1.0, 0.5)), Histogram(), DiagonalNormal())
    )
    for other in others:
        with pytest.raises(NotASummary, match="merge: the models must keep the same of their rows"):
            clone(one).fit(X, y).merge(other)


def test_columns_that_need_no_ranking_are_not_ranked() -> None:
    X, y = table()
    kept = NaiveBayes(families={"a": WindowDensity()}).fit(X, y).summary_.summary.parts[0]
    moments, ranked = kept.parts
    assert isinstance(moments, Moments)
    assert moments.rows.shape == (2, 5)
    assert [len(values) > 0 for values in ranked.values] == [True, False, False, False, False]
    assert isinstance(NaiveBayes().fit(X, y).summary_.summary.parts[0], Moments)


def test_a_fitted_model_shows_its_bins_and_bandwidths() -> None:
    X, y = table()
    shown = str(NaiveBayes(families=FAMILIES).fit(X, y))
    assert "bandwidth" in shown
    assert "0 to 1" in shown
    drawn, labels = NaiveBayes(families=FAMILIES).fit(X, y).sample(50, random_state=0)
    assert len(drawn["a"]) == len(labels) == 50
    assert min(drawn["b"]) >= 0


def test_arrays_and_selection_by_leave_one_out_and_folds() -> None:
    """The bandwidth of each class and column by leave-one-out, or one for all by folds."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    X = np.where(
        y[:, None] == 1, rng.normal(0, 2.02, (300, 2)), rng.choice([-2.0, 2.0], (300, 2)) + rng.normal(0, 0.3, (300, 2))
    )
    by_hand = NaiveBayes(by_kind={"quantitative": WindowDensity(LeaveOneOut())}).fit(X[:200], y[:200])
    assert by_hand.score(X[200:], y[200:]) > NaiveBayes().fit(X[:200], y[:200]).score(X[200:], y[200:]) + 0.1
    grid = {"by_kind": [{"quantitative": WindowDensity(h)} for h in (0.01, 0.3, 30.0)]}
    search = GridSearchCV(NaiveBayes(), grid, cv=10, scoring="neg_log_loss").fit(X[:200], y[:200])
    assert search.best_params_["by_kind"]["quantitative"].bandwidth == 0.3


MIXED = Product(
    (Group(0, DiagonalNormal(), (0,)), Group(0, WindowDensity(), (1,)), Group(0, Histogram(FixedWidth(0.5)), (2,))),
    (Group(0, WindowDensity(), (0,)),),
)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_a_product_that_keeps_some_columns_apart_is_under_law(law: Law) -> None:
    def wide(rng: Any, k: Any, width: int) -> Any:
        return numbers()(rng, k, 3)

    hold(lambda r: law(lambda part: MIXED.summarize(part.parts, part.shares), r), rows(wide), law.__name__, 25)


@pytest.mark.parametrize("family", [WindowDensity, Histogram, "histogram", Silverman()])
def test_what_is_no_family_of_numbers_is_refused(family: Any) -> None:
    X, y = table()
    with pytest.raises(
        BadInput, match="NaiveBayes: the family of column 'a', which is quantitative, must be one for numbers"
    ):
        NaiveBayes(families={"a": family}).fit(X, y)
    with pytest.raises(
        BadInput, match="NaiveBayes: the family of column 's', which is categorical, must be one for symbols"
    ):
        NaiveBayes(families={"s": WindowDensity()}).fit(X, y)


def test_columns_kept_by_rows_of_their_own_are_never_called_copies() -> None:
    x = np.arange(20.0)
    model = NaiveBayes(families={"a": WindowDensity(), "b": WindowDensity()})
    assert model.fit({"a": x, "b": x}, x > 9).duplicate_features() == []
