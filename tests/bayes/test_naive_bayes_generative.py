"""What only a generative model can do: draw rows, and say how probable a row is."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

import suffice
from suffice import NaiveBayes
from suffice.datasets import make_clinic
from suffice.families.counts.poisson import Poisson

KINDS = {"patient": "identifier", "notes": "text"}


@pytest.fixture(scope="module")
def clinic() -> Any:
    return make_clinic(400, random_state=0)


@pytest.mark.parametrize(
    ("library", "kind"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame), ("pyarrow", pa.Table)]
)
def test_rows_are_drawn_in_the_library_of_training(clinic: Any, library: str, kind: type) -> None:
    """P.M003, C.M07.14: draw a class by its share, then each feature from its density given the class."""
    model = NaiveBayes(kinds=KINDS).fit(clinic.frame(library), clinic.target)
    rows, labels = model.sample(50, random_state=1)
    assert isinstance(rows, kind)
    again, same = model.sample(50, random_state=np.random.default_rng(1))
    assert labels.tolist() == same.tolist()
    as_frame = rows.to_pandas() if hasattr(rows, "to_pandas") else rows
    pd.testing.assert_frame_equal(as_frame, again.to_pandas() if hasattr(again, "to_pandas") else again)
    assert list(as_frame.columns) == list(clinic.data)
    assert as_frame["patient"].isna().all()  # no density describes an identifier
    assert model.predict_proba(rows).shape == (50, 3)  # what is drawn can be asked
    assert set(labels) <= set(clinic.classes)
    assert pd.to_datetime(as_frame["admitted"]).dt.year.between(2022, 2027).all()  # 5 standard deviations


def test_mappings_arrays_and_matrices() -> None:
    y = [0, 1, 0, 1]
    mapping, _ = NaiveBayes().fit({"x": [1.0, 2.0, 3.0, 4.0], "c": list("abab")}, y).sample(5, 0)
    assert list(mapping) == ["x", "c"]
    grid, _ = NaiveBayes().fit(np.arange(8.0).reshape(4, 2), y).sample(5, 0)
    assert grid.shape == (5, 2)
    assert grid.dtype == np.float64
    flags, _ = NaiveBayes().fit(np.eye(4, dtype=bool), y).sample(5, 0)
    assert flags.dtype == bool
    mixed, _ = NaiveBayes().fit(np.array([[1.5, "a"], [2.5, "b"]] * 2, dtype=object), y).sample(5, 0)
    assert mixed.dtype == object
    assert {type(mixed[0, 0]), type(mixed[0, 1])} == {float, str}
    counts, _ = NaiveBayes().fit(sp.csr_array(np.eye(4)), y).sample(5, 0)
    assert sp.issparse(counts)
    assert counts.shape == (5, 4)


@pytest.mark.parametrize("name", ["BernoulliNB", "CategoricalNB", "GaussianNB", "MultinomialNB"])
@pytest.mark.parametrize(
    "make", [np.asarray, lambda X: pd.DataFrame(X, columns=["a", "b", "c"])], ids=["array", "pandas"]
)
def test_drop_ins_draw_what_they_can_read(name: str, make: Any) -> None:
    X = make(np.random.default_rng(0).poisson(2.0, size=(40, 3)))
    model = getattr(suffice, name)().fit(X, np.arange(40) % 2)
    rows, labels = model.sample(7, random_state=0)
    assert type(rows) is type(X)
    assert model.predict(rows).shape == labels.shape == (7,)


def test_moments_of_drawn_rows() -> None:
    """Means, shares and correlations of 20,000 drawn rows lie within 5 standard errors of what the model says."""
    rng = np.random.default_rng(0)
    y = np.arange(300) % 3
    cells = {
        "x": (rng.normal(size=300) * (1 + y) + 10 * y).tolist(),
        "n": rng.poisson(1 + y).tolist(),
        "s": np.array(list("abc"))[(y + rng.integers(0, 2, size=300)) % 3].tolist(),
        "t": (rng.random(300) < 0.2 + 0.2 * y).tolist(),
    }
    model = NaiveBayes(families={"n": Poisson()}, prior={0: 0.2, 1: 0.3, 2: 0.5}).fit(cells, y)
    n = 20_000
    rows, labels = model.sample(n, random_state=2)
    by_family = {type(d).__name__: d for d in model.fitted_.model.factors.distributions}
    shares = np.bincount(labels, minlength=3) / n
    assert (np.abs(shares - [0.2, 0.3, 0.5]) < 5 * np.sqrt([0.16 / n, 0.21 / n, 0.25 / n])).all()
    normal = by_family["Normals"]
    for k in range(3):
        x = np.asarray(rows["x"])[labels == k]
        sd = np.sqrt(normal.variance[k, 0])
        assert abs(x.mean() - normal.mean.value[k, 0]) < 5 * sd / np.sqrt(len(x))
        assert abs(x.var() - sd**2) < 5 * sd**2 * np.sqrt(2 / len(x))
        rate = by_family["Poissons"].rate[k, 0]
        assert abs(np.asarray(rows["n"])[labels == k].mean() - rate) < 5 * np.sqrt(rate / len(x))
        other = np.asarray(rows["t"], dtype=float)[labels == k]
        assert abs(np.corrcoef(x, other)[0, 1]) < 5 / np.sqrt(len(x))  # independent given the class


def test_shares_of_drawn_symbols() -> None:
    model = NaiveBayes().fit({"s": list("aabbbc"), "t": [True, False, True, True, True, False]}, [0, 0, 0, 1, 1, 1])
    n = 20_000
    rows, labels = model.sample(n, random_state=3)
    assert None not in rows["s"]  # what was never seen has no value to draw
    for name in ("s", "t"):
        values = sorted(set(rows[name]))
        for k in (0, 1):
            p = np.exp([model.predict_joint_log_proba({"s": [None], "t": [None], name: [v]})[0, k] for v in values])
            p = p / p.sum()
            got = np.array([np.mean([cell == v for cell in np.array(rows[name])[labels == k]]) for v in values])
            assert (np.abs(got - p) < 5 * np.sqrt(p * (1 - p) / (labels == k).sum())).all()


def test_log_density_sums_to_one() -> None:
    """P.M004: log p(x) = log sum_y p(y) p(x | y), over all x of a small space."""
    cells = {"a": [True, False, True, True], "b": ["p", "q", "q", "r"], "c": [0, 2, 1, 1]}
    model = NaiveBayes(kinds={"c": "categorical"}).fit(cells, [0, 1, 1, 0])
    space = list(itertools.product([True, False], ["p", "q", "r", "unseen"], [0, 1, 2, "unseen"]))
    asked = {name: [cell[j] for cell in space] for j, name in enumerate("abc")}
    assert np.exp(model.score_samples(asked)).sum() == pytest.approx(1.0, rel=1e-13)
    np.testing.assert_allclose(
        model.score_samples(asked), np.logaddexp.reduce(model.predict_joint_log_proba(asked), axis=1), rtol=1e-13
    )


def test_density_of_numbers_integrates_to_one() -> None:
    model = NaiveBayes().fit({"x": [-1.0, 0.5, 2.0, 6.0]}, [0, 0, 1, 1])
    grid = np.linspace(-60, 80, 200_001)
    density = np.exp(model.score_samples({"x": grid}))
    assert np.trapezoid(density, grid) == pytest.approx(1.0, rel=1e-9)


def test_improbable_rows_have_low_density() -> None:
    """P.M004: instances the model finds improbable can be flagged."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(500, 3)), np.arange(500) % 2
    model = NaiveBayes().fit(X, y)
    assert model.score_samples(np.array([[9.0, -9.0, 9.0]]))[0] < model.score_samples(X).min()


def test_a_class_prior_that_does_not_sum_to_one_still_draws() -> None:
    """scikit-learn takes any shares in its discrete models; only their ratio can matter."""
    model = suffice.MultinomialNB(class_prior=[2.0, 6.0]).fit([[1, 0], [0, 1]], [0, 1])
    _, labels = model.sample(4000, random_state=0)
    assert abs(labels.mean() - 0.75) < 5 * np.sqrt(0.1875 / 4000)
    assert model.posterior([[0, 0]]).prior.tolist() == [0.25, 0.75]
