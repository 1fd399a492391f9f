"""A discretiser and naive Bayes in one pass: cuts and counts of bins are both read from rankings by class."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import KFold

from suffice import Chain, Discretizer, GaussianNB, NaiveBayes, StandardScaler, load
from suffice.core.errors import NeverAdded
from suffice.evaluation import cross_validate

RNG = np.random.default_rng(0)
N = 400
Y = RNG.integers(0, 3, N)
X = RNG.normal(size=(N, 4)) + np.array([1.0, 0.0, 0.5, 0.0]) * Y[:, None]
X[RNG.random(X.shape) < 0.05] = np.nan
X[:, 3] = 1e8  # constant, and far from 0
W = RNG.integers(0, 4, N).astype(np.float64)
NAMES = {f"x{j}": "categorical" for j in range(4)}
BINS: list[dict[str, Any]] = [
    {"strategy": "mdl"},
    {"strategy": "chimerge", "missing": "propagate"},
    {"strategy": "equal_frequency"},
    {"strategy": "kmeans", "missing": "propagate"},
]


def chain(options: dict[str, Any]) -> Any:
    return Chain(Discretizer(**options), NaiveBayes())


@pytest.mark.parametrize("options", BINS)
def test_the_same_as_discretising_first_and_64_shards_equal_memory_exactly(options: dict[str, Any]) -> None:
    whole = chain(options).fit(X, Y, sample_weight=W)
    bins = Discretizer(**options)
    Z = (bins.fit(X, Y, sample_weight=W) if bins._plan().supervised else bins.fit(X, sample_weight=W)).transform(X)
    by_hand = NaiveBayes(kinds=NAMES).fit(Z, Y, sample_weight=W)
    assert whole.passes_ == 1
    assert "rankings" in whole.reason_
    np.testing.assert_allclose(whole.predict_proba(X), by_hand.predict_proba(Z), rtol=1e-12, atol=1e-15)
    order = RNG.permutation(N)
    first, *rest = (chain(options).fit(X[i], Y[i], sample_weight=W[i]) for i in np.array_split(order, 64))
    merged = first.merge(*rest)
    assert np.array_equal(merged.predict_proba(X), whole.predict_proba(X))
    assert all(map(np.array_equal, merged[0].cuts_, whole[0].cuts_))


def test_rows_are_forgotten_and_strangers_refused() -> None:
    left = chain(BINS[0]).fit(X, Y).forget(X[:100], Y[:100])
    assert np.array_equal(left.predict_proba(X), chain(BINS[0]).fit(X[100:], Y[100:]).predict_proba(X))
    with pytest.raises(NeverAdded):
        left.forget(X[:1] + 0.5, Y[:1])


def test_files_in_chunks_and_models_on_disk(tmp_path: Path) -> None:
    table = pd.DataFrame(X, columns=list("abcd")).assign(label=np.array(["u", "v", "w"])[Y])
    for i in range(4):
        table.iloc[i::4].to_csv(tmp_path / f"part{i}.csv", index=False)
    memory = chain(BINS[0]).fit(table.drop(columns="label"), table["label"])
    stream = chain(BINS[0]).fit((table[i : i + 37] for i in range(0, N, 37)), target="label")
    assert np.array_equal(stream.predict_proba(table[list("abcd")]), memory.predict_proba(table[list("abcd")]))
    files = chain(BINS[0]).fit(str(tmp_path / "*.csv"), target="label")
    assert np.array_equal(files.predict_proba(table[list("abcd")]), memory.predict_proba(table[list("abcd")]))
    files.save(tmp_path / "model")
    again = load(tmp_path / "model")
    assert np.array_equal(again.predict_proba(table[list("abcd")]), memory.predict_proba(table[list("abcd")]))


def test_folds_cut_by_the_other_folds_alone() -> None:
    folds = KFold(4)
    told = cross_validate(chain(BINS[0]), X, Y, cv=folds).mean("accuracy")
    by_hand = [np.mean(chain(BINS[0]).fit(X[a], Y[a]).predict(X[b]) == Y[b]) for a, b in folds.split(X)]
    assert told == pytest.approx(np.mean(by_hand), abs=1e-12)


def test_what_rankings_do_not_tell_takes_passes() -> None:
    full = np.nan_to_num(X)
    for other in (
        Chain(Discretizer("mdl", encode="onehot"), NaiveBayes()),
        Chain(StandardScaler(), Discretizer("equal_width"), NaiveBayes()),
        Chain(Discretizer("mdl"), GaussianNB()),
    ):
        assert other._plan().reasons
        assert not other._plan().ranked
    assert Chain(Discretizer("equal_width"), GaussianNB()).fit(full, Y).passes_ == 2
