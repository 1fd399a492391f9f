"""MixedMixture: latent classes of tables with columns of every kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone

from suffice import GaussianMixture, MixedMixture
from suffice.core.errors import BadInput
from suffice.families import Bernoulli, Binomial, Dirichlet, FullNormal, Geometric, Poisson, Reading
from suffice.families.counts.categorical import Categorical
from suffice.sources import open_rows
from tests.mixtures.blobs import blobs


def clinic(n: int = 600, seed: int = 0, gaps: float = 0.1) -> tuple[dict[str, Any], Any]:
    """Two kinds of patients, and which each is."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, 2, n)
    columns: dict[str, Any] = {
        "temperature": rng.normal(np.where(kind, 39.0, 36.8), 0.4),
        "site": np.where(rng.random(n) < np.where(kind, 0.8, 0.2), "north", "south"),
        "cough": rng.random(n) < np.where(kind, 0.9, 0.1),
        "visits": rng.poisson(np.where(kind, 6, 1)),
    }
    table = {
        name: [None if rng.random() < gaps else value for value in cells.tolist()] for name, cells in columns.items()
    }
    return table, kind


def agreement(found: Any, true: Any) -> float:
    same = float((found == true).mean())
    return max(same, 1.0 - same)


def test_latent_classes_are_found() -> None:
    table, kind = clinic()
    model = MixedMixture(2, random_state=0, families={"visits": Poisson()}).fit(table)
    assert agreement(model.predict(table), kind) > 0.97
    assert model.converged_
    assert len(model.lower_bounds_) > 3
    assert (np.diff(model.lower_bounds_) >= -1e-12).all()
    ill = int(model.profiles()["temperature"].argmax())
    told = model.profiles()
    assert list(told) == list(table)
    assert told["visits"][ill] == pytest.approx(6.0, abs=0.3)
    assert told["temperature"][ill] == pytest.approx(39.0, abs=0.1)
    assert told["site"]["north"][ill] == pytest.approx(0.8, abs=0.06)
    assert told["cough"][True][ill] == pytest.approx(0.9, abs=0.06)
    assert model.weights_.sum() == pytest.approx(1.0, abs=1e-15)


def test_the_penalised_likelihood_never_falls() -> None:
    table, _ = clinic(200)
    for seed in range(5):
        model = MixedMixture(3, n_init=1, tol=1e-8, random_state=seed).fit(table)
        assert (np.diff(model.lower_bounds_) >= -1e-12).all()


def test_numbers_alone_are_a_diagonal_gaussian_mixture() -> None:
    X = blobs(300, 2, 2, far=6.0)
    mixed = MixedMixture(2, random_state=0, tol=1e-12, max_iter=2000).fit(X)
    normal = GaussianMixture(2, covariance_type="diag", prior=1.0, random_state=0, tol=1e-12, max_iter=2000).fit(X)
    order, other = np.argsort(normal.means_[:, 0]), np.argsort(mixed.profiles()["x0"])
    assert mixed.predict_proba(X)[:, other] == pytest.approx(normal.predict_proba(X)[:, order], abs=1e-5)
    assert mixed.lower_bound_ == pytest.approx(normal.lower_bound_, abs=1e-9)
    assert mixed.bic(X) == pytest.approx(normal.bic(X), rel=1e-6)


def test_two_answers_of_known_latent_classes() -> None:
    """Three yes-or-no questions and two classes: the textbook latent class model, by hand."""
    rows = [[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    tau, theta = np.array([0.4, 0.6]), np.array([[0.9, 0.8, 0.7], [0.2, 0.1, 0.3]])
    bits = np.array(rows)
    chances = np.prod(np.where(bits[:, None], theta, 1 - theta), axis=2) @ tau  # (8,) expected shares of all answers
    table = {name: (bits[:, j] == 1) for j, name in enumerate("abc")}
    family = Bernoulli(Dirichlet(0.0))
    model = MixedMixture(2, by_kind={"boolean": family}, tol=1e-15, max_iter=20_000, random_state=0)
    model.fit(table, sample_weight=1000.0 * chances)
    first = int(model.profiles()["a"][True].argmax())
    order = [first, 1 - first]
    found = np.stack([model.profiles()[name][True][order] for name in "abc"], axis=1)
    assert found == pytest.approx(theta, abs=1e-3)  # the answers' shares are the model's: likelihood has its top there
    assert model.weights_[order] == pytest.approx(tau, abs=2e-3)


def test_order_copies_and_tables_do_not_matter() -> None:
    """Starts depend on what rows hold: shuffled rows, weights for copies, another library give the same model."""
    table, _ = clinic(150)
    frame = pd.DataFrame(table).convert_dtypes()
    w = np.random.default_rng(0).integers(0, 3, 150)
    options: dict[str, Any] = {"random_state": 0, "n_init": 2, "tol": 1e-9, "kinds": {"cough": "boolean"}}
    one = MixedMixture(2, **options).fit(frame, sample_weight=w)
    order = np.random.default_rng(1).permutation(150)
    shuffled = MixedMixture(2, **options).fit(frame.iloc[order], sample_weight=w[order])
    copied = MixedMixture(2, **options).fit(frame.iloc[np.repeat(np.arange(150), w)])
    other = MixedMixture(2, **options).fit(pl.DataFrame(table), sample_weight=w)
    for model in (shuffled, copied):
        assert model.predict_proba(frame) == pytest.approx(one.predict_proba(frame), abs=1e-9)
    assert other.predict_proba(pl.DataFrame(table)) == pytest.approx(one.predict_proba(frame), abs=1e-9)


def test_missing_and_unseen_cells() -> None:
    """P.M155: what is missing is left out; a label that was never seen tells what the prior says."""
    table, _ = clinic()
    model = MixedMixture(2, random_state=0).fit(table)
    nothing: dict[str, Any] = {name: [None] for name in table}
    assert model.predict_proba(nothing)[0] == pytest.approx(model.weights_, abs=1e-12)
    assert model.score_samples(nothing)[0] == pytest.approx(0.0, abs=1e-12)
    odd = {**nothing, "site": ["nowhere"]}
    assert np.isfinite(model.score_samples(odd)[0])
    single = {**nothing, "cough": [True]}
    by_hand = model.weights_ * model.profiles()["cough"][True]
    assert model.predict_proba(single)[0] == pytest.approx(by_hand / by_hand.sum(), abs=1e-12)


def test_numbers_may_vary_together() -> None:
    X = blobs(200, 2, 2)
    table = {"a": X[:, 0], "b": X[:, 1], "c": np.where(X[:, 0] > 0, "yes", "no")}
    model = MixedMixture(2, by_kind={"quantitative": FullNormal()}, random_state=0).fit(table)
    assert model.model_.factors.distributions[0].covariance.shape == (2, 2, 2)
    assert model.bic(table) > 0


def test_rows_from_files_give_the_same_model(tmp_path: Path) -> None:
    table, _ = clinic(300)
    frame = pd.DataFrame(table)
    frame.to_csv(tmp_path / "rows.csv", index=False)
    options: dict[str, Any] = {"random_state": 0, "n_init": 2, "kinds": {"cough": "boolean"}}
    there = MixedMixture(2, **options).learn(open_rows(tmp_path / "rows.csv"))
    here = MixedMixture(2, **options).fit(pd.read_csv(tmp_path / "rows.csv"))
    assert there.schema_.names == here.schema_.names
    assert there.lower_bound_ == pytest.approx(here.lower_bound_, abs=1e-6)
    assert agreement(there.predict(frame), here.predict(frame)) > 0.99


def test_hard_and_clone() -> None:
    table, kind = clinic(200)
    model = clone(MixedMixture(2, assignment="hard", random_state=0))
    labels = model.fit_predict(table)
    assert agreement(labels, kind) > 0.9
    assert model.aic(table) < model.bic(table)
    assert model.score(table) == pytest.approx(model.score_samples(table).mean())


def test_declared_order_is_kept() -> None:
    pain = ["mild", "none", "severe", "none", "mild", "mild"]
    model = MixedMixture(1, kinds={"pain": ["none", "mild", "severe"]}).fit({"pain": pain})
    (categories,) = model.model_.factors.distributions
    assert categories.labels == (("none", "mild", "severe"),)
    assert isinstance(model.model_.factors.groups[0].family, Categorical)


def test_texts_and_dates() -> None:
    """Two topics of documents, each of its season."""
    rng = np.random.default_rng(0)
    kind = rng.integers(0, 2, 80)
    words = np.array([["ball goal team match", "tax vote law party"][k] for k in kind])
    texts = [" ".join(rng.choice(line.split(), 6)) for line in words]
    days = pd.to_datetime("2024-01-01") + pd.to_timedelta(rng.normal(200 * kind, 20).round(), unit="D")
    frame = pd.DataFrame({"text": texts, "day": days})
    model = MixedMixture(2, kinds={"text": "text"}, random_state=0).fit(frame)
    assert agreement(model.predict(frame), kind) == 1.0
    assert agreement(model.predict(frame[["text", "day"]].assign(text=None)), kind) > 0.95
    assert model.bic(frame) > model.aic(frame)


def test_what_is_expected_of_counts() -> None:
    counts = {"visits": [0, 1, 2, 9, 11, 10], "wins": [1, 0, 1, 4, 5, 5], "tries": [9, 7, 8, 1, 1, 1]}
    families = {"visits": Poisson(), "wins": Binomial(5), "tries": Geometric()}
    told = MixedMixture(2, families=families, random_state=0).fit(counts).profiles()
    few = int(told["visits"].argmin())
    assert told["visits"][few] == pytest.approx((3 + 5.5) / (3 + 1), abs=0.1)  # a virtual row as the whole column
    assert told["wins"][few] == pytest.approx(5 * (2 + 1) / (15 + 2), abs=0.1)
    assert told["tries"][few] == pytest.approx((24 + 2) / (3 + 1), abs=0.1)
    spread = MixedMixture(2, families={"visits": Poisson(reading=Reading.PREDICTIVE)}, random_state=0).fit(counts)
    assert spread.profiles()["visits"].min() == pytest.approx((3 + 5.5) / 4, abs=0.1)


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame])
def test_new_rows_look_like_those_learned_from(make: Any) -> None:
    table, _ = clinic(400, gaps=0.05)
    model = MixedMixture(2, families={"visits": Poisson()}, kinds={"cough": "boolean"}, random_state=0).fit(make(table))
    drawn, component = model.sample(4000)
    assert type(drawn) is type(make(table))
    assert list(getattr(drawn, "columns", drawn)) == list(table)
    assert (np.diff(component) >= 0).all()
    assert np.bincount(component) / 4000 == pytest.approx(model.weights_, abs=0.03)
    told = model.profiles()
    for k in range(2):
        mine = np.flatnonzero(component == k)
        assert np.mean(np.asarray(drawn["temperature"])[mine]) == pytest.approx(told["temperature"][k], abs=0.05)
        assert np.mean(np.asarray(drawn["visits"])[mine]) == pytest.approx(told["visits"][k], abs=0.3)
        assert np.mean(np.asarray(drawn["site"])[mine] == "north") == pytest.approx(told["site"]["north"][k], abs=0.05)
        assert np.mean(np.asarray(drawn["cough"])[mine].astype(bool)) == pytest.approx(told["cough"][True][k], abs=0.05)
    again, _ = model.sample(4000)
    assert np.array_equal(np.asarray(again["visits"]), np.asarray(drawn["visits"]))
    assert MixedMixture(2, families={"visits": Poisson()}, random_state=0).fit(drawn).bic(drawn) > 0


def test_drawn_rows_of_arrays_and_of_files(tmp_path: Path) -> None:
    X = blobs(200, 2, 2)
    drawn, _ = MixedMixture(2, random_state=0).fit(X).sample(5)
    assert isinstance(drawn, np.ndarray)
    assert drawn.shape == (5, 2)
    pd.DataFrame(clinic(100)[0]).to_csv(tmp_path / "rows.csv", index=False)
    columns, _ = MixedMixture(2, random_state=0).learn(open_rows(tmp_path / "rows.csv")).sample(3)
    assert {name: len(cells) for name, cells in columns.items()} == dict.fromkeys(clinic(1)[0], 3)


@pytest.mark.parametrize("n", [0, -1, "three", None, True, 2.5, np.inf, np.nan])
def test_no_number_of_rows(n: Any) -> None:
    model = MixedMixture(1).fit({"a": [1.0, 2.0]})
    with pytest.raises(ValueError, match="MixedMixture: n_samples must be a whole number of at least 1"):
        model.sample(n)


def test_as_many_components_as_different_rows() -> None:
    """There may be one component for each different row, and not one more."""
    cells = {"site": ["n", "n", "s", "s", "w", "w"], "x": [1.0, 1.0, 5.0, 5.0, 9.0, 9.0]}
    model = MixedMixture(3, max_iter=500).fit(cells)
    assert sorted(model.predict(cells)[::2].tolist()) == [0, 1, 2]
    with pytest.raises(BadInput, match="the different rows must be at least as many as components, 4, got 3"):
        MixedMixture(4).fit(cells)
