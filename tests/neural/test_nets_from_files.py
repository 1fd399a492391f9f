"""Nets that read files epoch by epoch: the nets of memory where orders are the same, at the memory of a window."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from suffice import MLPClassifier, MLPRegressor, load
from suffice.neural import file_epochs
from suffice.sources import Roles, open_rows

RNG = np.random.default_rng(8)
N = 130
TABLE = pd.DataFrame(
    {
        "u": RNG.normal(size=N),
        "v": np.where(RNG.random(N) < 0.1, np.nan, RNG.normal(size=N)),
        "site": RNG.choice(["n", "s", "w"], N),
        "w": RNG.integers(0, 3, N).astype(float),
    }
)
KIND = np.where(TABLE["u"] > 0.4, "high", np.where(TABLE["u"] < -0.4, "low", "middle"))
NUMBER = 3.0 * TABLE["u"] + (TABLE["site"] == "n")
NET: dict[str, Any] = {"hidden_layer_sizes": (5,), "random_state": 1, "max_iter": 4, "batch_size": 10}
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
FEATURES = ["u", "v", "site"]


@pytest.fixture
def files(tmp_path: Path) -> str:
    whole = TABLE.assign(kind=KIND, number=NUMBER)
    for i, part in enumerate((whole[:50], whole[50:51], whole[51:])):
        part.to_csv(tmp_path / f"part-{i}.csv", index=False)
    return str(tmp_path / "part-*.csv")


def rows(files: str, target: str) -> Any:
    other = "number" if target == "kind" else "kind"
    return open_rows(files, Roles(target=target, weight="w", ignore=(other,)))


@pytest.mark.parametrize("given", [{}, {"solver": "sgd", "batch_size": 7}, {"solver": "sgd", "batch_size": 1}], ids=str)
@pytest.mark.parametrize("window", [32, 1 << 14])
def test_rows_in_their_order_give_the_net_of_memory(
    files: str, given: dict[str, Any], window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the chunks: windows are of whole batches. Files of one window are read whole, and may be shuffled."""
    monkeypatch.setattr(file_epochs, "WINDOW", window)
    options = {**NET, **given, "shuffle": window > N}
    for cls, target, y in ((MLPClassifier, "kind", KIND), (MLPRegressor, "number", NUMBER)):
        here = cls(**options).fit(TABLE[FEATURES], y, sample_weight=TABLE["w"])
        there = cls(**options).fit(rows(files, target))
        for a, b in zip(there.coefs_, here.coefs_, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(there.loss_curve_, here.loss_curve_, rtol=1e-9)
        assert (there.t_, there.n_iter_) == (here.t_, here.n_iter_)
        np.testing.assert_array_equal(there.feature_names_in_, here.feature_names_in_)
        if cls is MLPClassifier:
            np.testing.assert_allclose(there.posterior(TABLE[FEATURES]).prior, here.posterior(TABLE[FEATURES]).prior)


def test_windows_are_shuffled_and_rows_held_out(files: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(file_epochs, "WINDOW", 40)
    model = MLPClassifier(**{**NET, "max_iter": 40}, early_stopping=True, learning_rate_init=0.02).fit(
        rows(files, "kind")
    )
    assert model.score(TABLE[FEATURES], KIND) > 0.8
    assert model.validation_scores_ is not None
    held = N - model.t_ / model.n_iter_
    assert 2 <= held <= 40
    again = MLPClassifier(**NET).fit(rows(files, "kind"))
    other = MLPClassifier(**NET | {"shuffle": False}).fit(rows(files, "kind"))
    assert np.abs(again.coefs_[0] - other.coefs_[0]).max() > 1e-6
    model.save(tmp_path / "net")
    np.testing.assert_array_equal(load(tmp_path / "net").predict(TABLE[FEATURES]), model.predict(TABLE[FEATURES]))


def test_more_epochs_over_files(files: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_epochs, "WINDOW", 32)
    options = {**NET, "shuffle": False, "solver": "sgd"}
    here, there = MLPRegressor(**options), MLPRegressor(**options)
    for _ in range(2):
        here.partial_fit(TABLE[FEATURES], NUMBER, sample_weight=TABLE["w"])
        there.partial_fit(rows(files, "number"), None)
    np.testing.assert_allclose(there.predict(TABLE[FEATURES]), here.predict(TABLE[FEATURES]), rtol=1e-9)


def test_what_files_cannot_do_is_said(files: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_epochs, "WINDOW", 32)
    with pytest.raises(ValueError, match="in_memory=True"):
        MLPClassifier(solver="lbfgs").fit(rows(files, "kind"))
    with pytest.raises(ValueError, match="validation_fraction must be a share of at least 2 rows"):
        MLPClassifier(early_stopping=True, validation_fraction=1e-9).fit(rows(files, "kind"))
    with pytest.raises(ValueError, match="at least 0 where loss is 'poisson'"):
        MLPRegressor("poisson").fit(rows(files, "number"))
    with pytest.raises(ValueError, match="among the classes"):
        MLPClassifier(solver="sgd").partial_fit(rows(files, "kind"), None, classes=["high", "low"])
