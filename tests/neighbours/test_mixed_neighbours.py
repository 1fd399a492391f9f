"""Neighbours of rows of mixed kinds: numbers, symbols, ranks, truth values, missing cells; in memory and from files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import suffice
from suffice import (
    KNeighborsClassifier,
    KNeighborsRegressor,
    NearestNeighbors,
    RadiusNeighborsClassifier,
    RadiusNeighborsRegressor,
    load,
)
from suffice.app.main import suffice as cli
from suffice.core.errors import BadInput
from suffice.spaces import MixedDistance

PAIN = ["none", "mild", "severe"]


def _table(n: int = 60, seed: int = 0) -> tuple[pd.DataFrame, Any]:
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(n) < 0.5, "ill", "well")
    pain = np.where(y == "ill", rng.choice(PAIN[1:], n), rng.choice(PAIN[:2], n))
    frame = pd.DataFrame(
        {
            "age": 1e8 + rng.normal(size=n) + (y == "ill"),
            "site": np.where(rng.random(n) < 0.7, np.where(y == "ill", "north", "south"), "east"),
            "pain": pd.Categorical(pain, PAIN, ordered=True),
            "smokes": rng.random(n) < 0.5,
            "same": 3.0,
            "dose": np.where(rng.random(n) < 0.3, np.nan, rng.normal(size=n)),
        }
    )
    frame.loc[::7, "site"] = None
    return frame, y


X, Y = _table()
NEW = _table(9, 1)[0]


def _by_hand(a: Any, b: Any, spread: dict[str, float]) -> float:
    """The definition, cell by cell."""
    total, seen = 0.0, 0
    for name in a.index:
        if pd.isna(a[name]) or pd.isna(b[name]):
            continue
        seen += 1
        if name in spread:
            total += abs(a[name] - b[name]) / spread[name]
        elif name == "pain":
            total += abs(PAIN.index(a[name]) - PAIN.index(b[name])) / 2
        elif name != "same":
            total += float(a[name] != b[name])
    return total / seen


def test_distances_are_those_of_the_definition() -> None:
    model = NearestNeighbors(metric="mixed", n_neighbors=60).fit(X)
    far, near = model.kneighbors(NEW)
    spread = {name: float(X[name].max() - X[name].min()) for name in ("age", "dose")}
    found = np.empty_like(far)
    np.put_along_axis(found, near, far, axis=1)
    told = [[_by_hand(a, b, spread) for _, b in X.iterrows()] for _, a in NEW.iterrows()]
    np.testing.assert_allclose(found, told, rtol=0, atol=1e-12)


MODELS = {
    "KNeighborsClassifier": lambda **given: KNeighborsClassifier(3, **given),
    "KNeighborsRegressor": lambda **given: KNeighborsRegressor(3, **given),
    "RadiusNeighborsClassifier": lambda **given: RadiusNeighborsClassifier(0.5, **given),
    "RadiusNeighborsRegressor": lambda **given: RadiusNeighborsRegressor(0.5, **given),
}


def _target(name: str) -> Any:
    return Y if name.endswith("Classifier") else np.arange(60.0)


@pytest.mark.parametrize("name", MODELS)
def test_tables_with_symbols_take_it_by_default_and_files_keep_it(name: str, tmp_path: Path) -> None:
    asked, usual = MODELS[name](metric="mixed").fit(X, _target(name)), MODELS[name]().fit(X, _target(name))
    assert usual.effective_metric_ == "mixed"
    told = asked.predict(NEW)
    assert np.array_equal(usual.predict(NEW), told)
    assert len(set(told.tolist())) > 1
    asked.save(tmp_path / "m")
    again = load(tmp_path / "m")
    assert np.array_equal(again.predict(NEW), told)
    assert np.array_equal(again.predict(NEW.to_dict("list")), told)  # a mapping of columns
    assert np.array_equal(again.estimator().predict(NEW), told)


def test_numbers_stay_euclidean_and_arrays_may_ask() -> None:
    numbers = X[["age", "same"]]
    assert KNeighborsClassifier().fit(numbers, Y).effective_metric_ == "euclidean"
    cells = X.drop(columns="pain").astype(object).where(X.drop(columns="pain").notna(), None).to_numpy()
    frame = X.drop(columns="pain")
    mine = KNeighborsClassifier(metric="mixed").fit(cells, Y)
    assert np.array_equal(mine.predict_proba(cells), KNeighborsClassifier().fit(frame, Y).predict_proba(frame))
    gaps = np.array([[0.0, 5.0], [10.0, np.nan], [np.nan, 7.0]])
    far, near = NearestNeighbors(metric="mixed", n_neighbors=3).fit(gaps).kneighbors([[10.0, 6.0]])
    assert near.tolist() == [[1, 2, 0]]
    assert far.tolist() == [[0.0, 0.5, 0.75]]


def test_a_unit_changes_nothing() -> None:
    scaled = X.assign(age=(X["age"] - 1e8) * 1e6, dose=X["dose"] * 1e-6)
    new = NEW.assign(age=(NEW["age"] - 1e8) * 1e6, dose=NEW["dose"] * 1e-6)
    mine = NearestNeighbors(metric="mixed").fit(X).kneighbors(NEW)[0]
    np.testing.assert_allclose(NearestNeighbors(metric="mixed").fit(scaled).kneighbors(new)[0], mine, atol=1e-12)


def test_levels_that_training_has_not_met_are_unlike_all() -> None:
    model = KNeighborsClassifier(3).fit(X, Y)
    odd, gone = NEW.assign(site="moon"), NEW.assign(site=None)
    a, b = (model.kneighbors(new)[0] for new in (odd, gone))
    assert (a >= b).all()  # a cell that differs from all, and one that is left out
    assert not np.array_equal(a, b)
    with pytest.raises(BadInput, match=r"the cells of column 'pain' must be among \['none', 'mild', 'severe'\]"):
        model.predict(NEW.assign(pain="awful"))


def test_weights_are_copies_and_weight_0_brings_nothing() -> None:
    w = np.arange(60) % 3
    copies = X.loc[np.repeat(np.arange(60), w)]
    mine = KNeighborsClassifier(5).fit(X, Y, sample_weight=w)
    other = KNeighborsClassifier(5).fit(copies, np.repeat(Y, w))
    np.testing.assert_allclose(mine.predict_proba(NEW), other.predict_proba(NEW), rtol=0, atol=1e-12)
    strange = pd.concat([X, X[:1].assign(age=5e9, site="moon")], ignore_index=True)
    apart = KNeighborsClassifier(5).fit(strange, [*Y, "ill"], sample_weight=[*np.ones(60), 0.0])
    assert np.array_equal(apart.distance_.ranges, KNeighborsClassifier(5).fit(X, Y).distance_.ranges, equal_nan=True)


def test_columns_may_weigh() -> None:
    alone = np.array([0.0, 1.0, 0.0, 0.0, 0.0, 0.0])
    far, _ = NearestNeighbors(metric="mixed", metric_params={"weights": alone}).fit(X).kneighbors(NEW[1:])
    assert set(far[np.isfinite(far)].tolist()) <= {0.0, 1.0}
    given = MixedDistance([1.0, np.nan, 2.0, np.nan, 1.0, 1.0])
    assert NearestNeighbors(metric=given).fit(X).distance_ is given


def test_rows_that_share_no_cell_come_last() -> None:
    rows = pd.DataFrame({"a": [1.0, None, 3.0], "b": [None, "x", "y"]})
    far, near = NearestNeighbors(n_neighbors=3).fit(rows).kneighbors(pd.DataFrame({"a": [3.0], "b": [None]}))
    assert near.tolist() == [[2, 0, 1]]
    assert far.tolist() == [[0.0, 1.0, np.inf]]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("mixed") / "rows.csv"
    X.assign(state=Y).to_csv(path, index=False)
    return path


def test_files_give_the_model_of_memory(written: Path) -> None:
    rows = suffice.sources.open_rows(written, suffice.sources.Roles(target="state"), kinds={"pain": PAIN})
    found = KNeighborsClassifier(3, metric="mixed").fit(rows, in_memory=True)
    np.testing.assert_allclose(found.predict_proba(NEW), KNeighborsClassifier(3).fit(X, Y).predict_proba(NEW))
    usual = KNeighborsClassifier(3).fit(written, target="state", in_memory=True)  # pain is a symbol there
    plain = KNeighborsClassifier(3).fit(X.assign(pain=X["pain"].astype(str)), Y)
    np.testing.assert_allclose(usual.predict_proba(NEW), plain.predict_proba(NEW))


@pytest.mark.parametrize("more", [(), ("--set", "metric=mixed", "--test-size", "0")])
def test_the_command_learns_and_answers(written: Path, tmp_path: Path, more: tuple[str, ...]) -> None:
    model, kinds = tmp_path / "m", "pain=none<mild<severe"
    ask = ["train", written, "--target", "state", "--model", "KNeighborsClassifier", "--kinds", kinds, "--out", model]
    told = CliRunner().invoke(cli, [*map(str, ask), *more], catch_exceptions=False)
    assert told.exit_code == 0, told.output
    ask = ["predict", str(model), str(written), "--format", "json"]
    rows = json.loads(CliRunner().invoke(cli, ask, catch_exceptions=False).output)
    mine = KNeighborsClassifier().fit(X, Y).predict_proba(X)
    np.testing.assert_allclose([[row["p(ill)"], row["p(well)"]] for row in rows], mine, atol=1e-12)


def test_other_models_by_levels_learn_at_the_command(written: Path) -> None:
    ask = ["train", str(written), "--target", "state", "--model", "SVC", "--ignore", "age"]
    assert CliRunner().invoke(cli, ask, catch_exceptions=False).exit_code == 0


EMPTY = pd.DataFrame({name: [None] for name in X})
BAD = [
    (lambda: KNeighborsClassifier().fit(X, Y).predict(EMPTY), "rows with a cell that is present"),
    (lambda: KNeighborsClassifier(algorithm="kd_tree").fit(X, Y), "'brute' or 'auto' for columns of mixed kinds"),
    (lambda: KNeighborsClassifier(metric="mixed", algorithm="ball_tree").fit(X, Y), "'brute' or 'auto'"),
    (lambda: KNeighborsClassifier(p=1).fit(X, Y), "column 'site' must be of numbers"),
    (lambda: KNeighborsClassifier().fit(X[["age", "dose"]], Y), "column 'dose' must be present in every row"),
    (lambda: KNeighborsClassifier(metric="mixed", metric_params={"V": 1}).fit(X, Y), "weights of columns"),
    (lambda: KNeighborsClassifier(metric="mixed", metric_params={"weights": [1]}).fit(X, Y), "one a column (6)"),
    (lambda: KNeighborsClassifier(metric=MixedDistance([1.0] * 6)).fit(X, Y), "a MixedDistance of these columns"),
    (lambda: KNeighborsClassifier(metric=MixedDistance([1.0])).fit(X, Y), "a MixedDistance of these columns"),
    (lambda: KNeighborsClassifier().fit(X.assign(age=np.inf), Y), "column 'age' must be finite"),
    (lambda: KNeighborsClassifier().fit(X.assign(age=1e300), Y), "at most 1e+140 in size"),
    (lambda: NearestNeighbors(metric="mixed").fit(iter([X])), "a table in memory"),
    (lambda: NearestNeighbors(metric="mixed").fit(iter([X]), in_memory=True), "one that can be read again"),
    (lambda: NearestNeighbors().fit(X).score_samples(X), "a Minkowski distance where densities are asked for"),
]


@pytest.mark.parametrize("case", range(len(BAD)))
def test_bad_input_gets_one_sentence(case: int) -> None:
    call, words = BAD[case]
    with pytest.raises(ValueError, match=r"\.$") as caught:
        call()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_sparse_rows_are_refused() -> None:
    from scipy.sparse import eye_array

    with pytest.raises(BadInput, match=r"a table for metric='mixed', got a sparse matrix"):
        NearestNeighbors(metric="mixed").fit(eye_array(4, format="csr"))


def test_the_loop_and_its_twin_agree() -> None:
    from suffice.spaces.distances.mixed_kinds import mixed_by_columns, mixed_table

    rng = np.random.default_rng(2)
    A, B = (np.round(rng.normal(size=(n, 4)) * 3) for n in (30, 20))
    A[rng.random(A.shape) < 0.4] = np.nan
    B[rng.random(B.shape) < 0.4] = np.nan
    ranges, w = np.array([np.nan, 5.0, 0.0, 2.0]), np.array([1.0, 2.0, 0.5, 0.0])
    one, two, three = (np.empty((30, 20)) for _ in range(3))
    mixed_by_columns(A, B, ranges, w, one)
    mixed_table(A, B, ranges, w, two)
    mixed_table.plain(A, B, ranges, w, three)
    assert np.isnan(one).any()
    np.testing.assert_allclose(two, one, rtol=1e-14, atol=0)
    np.testing.assert_allclose(three, one, rtol=1e-14, atol=0)
    objects = np.where(np.isnan(A), None, A.astype(object)), np.where(np.isnan(B), None, B.astype(object))
    np.testing.assert_allclose(MixedDistance(ranges, w).between(*objects), one, rtol=1e-14)


def test_a_mapping_with_symbols_is_read_by_kind() -> None:
    table = {"age": [1.0, 2.0, 9.0, 10.0], "site": list("xxyy")}
    model = KNeighborsClassifier(1).fit(table, list("ppqq"))
    same = KNeighborsClassifier(1).fit(pd.DataFrame(table), list("ppqq"))
    new = {"site": ["y", "x", "z"], "age": [8.0, 9.0, 1.0]}
    assert model.predict(new).tolist() == same.predict(pd.DataFrame(new)[["age", "site"]]).tolist()
    assert model.kneighbors(new)[0].tolist() == same.kneighbors(pd.DataFrame(new)[["age", "site"]])[0].tolist()
