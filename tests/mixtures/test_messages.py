"""What mixtures say of bad input: one clear sentence each."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pandas as pd
import pytest

from suffice import GaussianMixture, HiddenCounts, MixedMixture, compare_mixtures, em
from suffice.core.block import Block
from suffice.core.errors import BadInput
from suffice.families import FullNormal, Multinomial, Poisson
from suffice.mixtures.free_parameters import free_parameters
from suffice.sources import open_rows
from tests.mixtures.blobs import blobs, learner

X = blobs(40, 2, 2)
CELLS: dict[str, Any] = {"cells": lambda b: (0.5, b, 0.5 - b), "seen": [(0, 1), (2,)], "high": 0.5}


def steps(height: float = 0.0) -> Any:
    return lambda theta: (theta, height)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: em(steps(), abs, [1.0], tol=-1.0), "em: tol must be finite and at least 0, got -1.0. Use 0 to go on"),
        (lambda: em(steps(), abs, [1.0], max_iter=0), "em: max_iter must be at least 1, got 0. It is the largest"),
        (lambda: em(steps(), abs, []), "em: starts must be at least one, got none. Pass a list with a start in it."),
        (lambda: em(steps(np.nan), abs, [1.0]), "em: the log-likelihood must be a number, got nan. Guard against"),
        (lambda: em(lambda t: (t, -t), lambda t: t + 1.0, [1.0]), "step before, got a fall from -1 to -2. Check that"),
        (lambda: HiddenCounts(CELLS["cells"], [(0, 1), (1, 2)]), "HiddenCounts: seen must be groups with every cell"),
        (lambda: HiddenCounts(CELLS["cells"], [(0, 1), ()]), "HiddenCounts: seen must be groups with every cell"),
        (lambda: HiddenCounts(**{**CELLS, "low": 0.5}), "HiddenCounts: low and high must be finite, low below high"),
        (
            lambda: HiddenCounts(**CELLS).learn([3]),
            "HiddenCounts: counts must be 2 numbers of at least 0, one for each",
        ),
        (lambda: HiddenCounts(**CELLS).learn([3, -1]), "counts must be 2 numbers of at least 0"),
        (lambda: HiddenCounts(**CELLS).learn([0, 0]), "one for each group, not all 0"),
        (lambda: HiddenCounts(lambda b: (b, b, b), [(0,), (1, 2)]).learn([1, 2]), "at least 0 with sum 1, got"),
        (lambda: HiddenCounts(lambda b: (b, 1 - b), [(0,), (1, 2)]).learn([1, 2]), "one for each of the 3 cells"),
        (lambda: GaussianMixture(50).fit(X), "X must be of at least as many rows as components"),
        (lambda: GaussianMixture(2, weights_init=[0.5, 0.6]).fit(X), "weights_init must be of sum 1"),
        (lambda: GaussianMixture(2, weights_init=[-0.5, 1.5]).fit(X), "weights_init must be between 0 and 1"),
        (lambda: GaussianMixture(2, weights_init=["a", "b"]).fit(X), "weights_init must be numbers, got"),
        (lambda: GaussianMixture(2, means_init=[[0.0, np.nan]] * 2).fit(X), "means_init must be finite, got NaN"),
        (lambda: GaussianMixture(2, means_init=[[0.0]] * 2).fit(X), r"means_init must be of shape \(2, 2\)"),
        (lambda: GaussianMixture(2, precisions_init=np.eye(2)).fit(X), r"precisions_init must be of shape \(2, 2, 2\)"),
        (
            lambda: GaussianMixture(2, precisions_init=-np.ones(2), covariance_type="spherical").fit(X),
            "precisions_init must be positive",
        ),
        (
            lambda: GaussianMixture(2, precisions_init=[[1.0, 2.0], [0.0, 1.0]], covariance_type="tied").fit(X),
            "precisions_init must be symmetric, positive-definite",
        ),
        (lambda: GaussianMixture(2, prior="weak").fit(X), "prior must be None, a number of virtual rows, or a prior"),
        (lambda: GaussianMixture(2, prior=-1.0).fit(X), "strength must be finite and at least 0, got -1.0"),
        (lambda: GaussianMixture(2, covariance_type="round").fit(X), "The 'covariance_type' parameter"),
        (lambda: GaussianMixture(2).fit(X).sample(0), "n_samples must be a whole number of at least 1"),
        (lambda: GaussianMixture(2).fit(np.where(X > 0, np.inf, X)), "Input X contains infinity"),
        (lambda: GaussianMixture(2).fit(X, sample_weight=-np.ones(40)), "sample_weight must be at least 0, got -1.0"),
        (lambda: GaussianMixture(2).learn(X), "GaussianMixture: rows must be made by open_rows"),
        (
            lambda: GaussianMixture(2).learn(open_rows(io.StringIO("a,b\n1,x\n2,y\n"))),
            "the features must be columns of numbers, got 'b', which is categorical. Use MixedMixture",
        ),
        (lambda: GaussianMixture(2).learn(open_rows([{"a": []}])), "the table must hold rows, got none"),
        (lambda: MixedMixture(3).fit({"a": [1.0, 1.0, 1.0]}), "the different rows must be at least as many as"),
        (
            lambda: MixedMixture(2, families={"b": Poisson()}).fit({"a": [1, 2]}),
            "families must be about columns of the",
        ),
        (lambda: MixedMixture(2, by_kind={"round": Poisson()}).fit({"a": [1, 2]}), "by_kind must be about kinds"),
        (
            lambda: MixedMixture(2, families={"a": Multinomial()}).fit({"a": [1, 2]}),
            "the family of column 'a', which is count, must be one for numbers, such as DiagonalNormal",
        ),
        (
            lambda: MixedMixture(2, kinds={"a": "identifier"}).fit({"a": [1, 2]}),
            "the table must be one with a column that a model can learn from",
        ),
        (
            lambda: MixedMixture(2, by_kind={"quantitative": FullNormal()}).fit(
                {"a": [1.5, None, 2.5], "b": [1.5] * 3}
            ),
            "must be present in every row for a full covariance",
        ),
        (lambda: MixedMixture(2).learn(X), "MixedMixture: rows must be made by open_rows"),
        (lambda: compare_mixtures(X, []), "compare_mixtures: n_components must be at least one, got none"),
        (lambda: compare_mixtures(X, [1], []), "compare_mixtures: covariance_types must be at least one, got none"),
        (lambda: compare_mixtures(X, [1], criterion="mdl"), "criterion must be one of bic, aic, got 'mdl'"),
        (lambda: learner(Poisson()).summarize(Block((X,))), "the model of a pass must be one to begin with, got None"),
        (lambda: free_parameters(object()), "the distribution must be one whose parameters can be counted"),
    ],
)
def test_one_clear_sentence(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_sparse_rows_are_refused_by_mixed_mixtures() -> None:
    from scipy.sparse import csr_array

    with pytest.raises(ValueError, match=r"a table with cells \(sparse input is not supported\), got 'csr_array'"):
        MixedMixture(2).fit(csr_array(X))


def test_a_stream_cannot_be_passed_over_twice() -> None:
    tables = iter([{"a": [1.0, 2.0, 5.0]}])
    with pytest.raises(ValueError, match="GaussianMixture: the source must be one that can be read again"):
        GaussianMixture(2).learn(open_rows(tables))


def test_cells_whose_squares_are_infinite_are_refused_before_starts_are_looked_for():
    rows = pd.DataFrame({"x": np.arange(8.0), "far": np.arange(8.0) * 1e200})
    with pytest.raises(BadInput, match=r"^GaussianMixture: column 'far' must be at most 1e\+140 in size.* in row 1\. "):
        GaussianMixture(n_components=2).fit(rows)


@pytest.mark.parametrize("shape", ["full", "tied", "diag", "spherical"])
def test_rows_beyond_all_densities_are_answered(shape):
    model = GaussianMixture(n_components=2, covariance_type=shape, random_state=0)
    model.fit(np.random.default_rng(0).normal(size=(40, 2)))
    assert model.score_samples([[1e200, -1e200]]).tolist() == [-np.inf]
    wanted = [1.0, 0.0] if shape == "tied" else model.weights_  # of one covariance, the odds are linear
    np.testing.assert_allclose(np.sort(model.predict_proba([[1e200, -1e200]])[0]), np.sort(wanted))
