"""Bad input to projections and maps gets one sentence that says who refused what, and nothing is changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import suffice
from suffice import projections as p
from suffice.core.errors import SufficeError

X = np.random.default_rng(0).normal(size=(12, 3))
HOLED = np.where(np.arange(36).reshape(12, 3) == 7, np.nan, X)
SQUARE = np.abs(np.subtract.outer(np.arange(6.0), np.arange(6.0)))


def fit(name: str, table: Any = X, /, **given: Any) -> Callable[[], Any]:
    return lambda: getattr(suffice, name)(**given).fit(table)


def fitted(name: str, verb: str, *arguments: Any, **given: Any) -> Callable[[], Any]:
    return lambda: getattr(getattr(suffice, name)(**given).fit(np.abs(X)), verb)(*arguments)


CASES: list[tuple[str, str, Callable[[], Any]]] = [  # owner, what is refused, call
    ("PCA", "n_components", fit("PCA", n_components=4)),
    ("PCA", "n_components", fit("PCA", n_components=0, svd_solver="arpack")),
    ("PCA", "n_components", fit("PCA", n_components=3, svd_solver="arpack")),
    ("PCA", "n_components", fit("PCA", n_components="mle", svd_solver="randomized")),
    ("PCA", "n_components", fit("PCA", X[:2], n_components="mle")),
    ("PCA", "svd_solver", fit("PCA", sp.csr_array(X), svd_solver="full")),
    ("PCA", "X", fitted("PCA", "inverse_transform", np.zeros((2, 9)))),
    ("PCA", "X", fit("PCA", np.full((30, 600), np.nan))),
    ("TruncatedSVD", "n_components", fit("TruncatedSVD", n_components=4)),
    ("TruncatedSVD", "n_components", fit("TruncatedSVD", n_components=3, algorithm="arpack")),
    ("NMF", "X", fit("NMF")),
    ("NMF", "beta_loss", fit("NMF", np.abs(X), beta_loss="kullback-leibler")),
    ("NMF", "X", fit("NMF", np.eye(3), solver="mu", beta_loss="itakura-saito")),
    ("NMF", "init", fit("NMF", np.abs(X), n_components=9, init="nndsvd")),
    ("NMF", "W", fit("NMF", np.abs(X), n_components=2, init="custom")),
    ("MatrixCompletion", "rank", fit("MatrixCompletion", rank=4)),
    ("MatrixCompletion", "X", fit("MatrixCompletion", np.full((4, 3), np.nan))),
    ("Completed", "rows", fitted("MatrixCompletion", "predict_cells", [99], [0])),
    ("ClassicalMDS", "X", fit("ClassicalMDS", metric="precomputed")),
    ("ClassicalMDS", "metric", fit("ClassicalMDS", metric="as the crow flies")),
    ("MDS", "X", fit("MDS", -SQUARE, metric="precomputed")),
    ("MDS", "X", fit("MDS", np.triu(SQUARE), metric="precomputed")),
    ("MDS", "init", lambda: suffice.MDS().fit(X, init=np.zeros((2, 2)))),
    ("Isomap", "n_neighbors", fit("Isomap", n_neighbors=12)),
    ("Isomap", "one of n_neighbors and radius", fit("Isomap", n_neighbors=3, radius=1.0)),
    ("TSNE", "perplexity", fit("TSNE", perplexity=12.0)),
    ("TSNE", "n_components", fit("TSNE", n_components=4, method="barnes_hut", perplexity=2.0)),
    ("TSNE", "n_components", fit("TSNE", n_components=3, method="interpolation", perplexity=2.0)),
    ("TSNE", "init", fit("TSNE", SQUARE, metric="precomputed", perplexity=2.0)),
    ("TSNE", "init", fit("TSNE", init=np.zeros((2, 2)), perplexity=2.0)),
    ("TSNE", "X", fit("TSNE", X[:1], perplexity=0.5)),
    ("TSNE", "metric", fit("TSNE", metric=lambda a, b: -1.0, perplexity=2.0, max_iter=2)),
    ("SelfOrganizingMap", "rows times columns", fit("SelfOrganizingMap", rows=1, columns=1)),
    ("SelfOrganizingMap", "labels", fitted("SelfOrganizingMap", "label_grid", X, ["a"])),
    ("LinearMap", "T", lambda: p.LinearMap.rotation([[1.0, 1.0], [0.0, 1.0]])),
    ("LinearMap", "T", lambda: p.LinearMap.of([["a"]])),
    ("LinearMap", "columns", lambda: p.LinearMap.selection([3], 3)),
    ("LinearMap", "X", lambda: p.LinearMap.scaling([1.0, 2.0]).rows(X)),
    ("LinearMap", "the next map", lambda: p.LinearMap.scaling([1.0]).then(p.LinearMap.scaling([1.0, 2.0]))),
    ("choose_components", "X", lambda: p.choose_components(HOLED)),
    ("choose_components", "folds", lambda: p.choose_components(X, folds=7)),
    ("choose_components", "X", lambda: p.choose_components(np.ones((12, 3)))),
    ("principal_axes", "route", lambda: p.principal_axes(X, "qr")),
    ("principal_axes", "X", lambda: p.principal_axes(HOLED)),
    ("greatest_directions", "scatter", lambda: p.greatest_directions(X, 1)),
    ("greatest_directions", "k", lambda: p.greatest_directions(np.eye(2), 3)),
    ("low_rank", "rank", lambda: p.low_rank(X, 4)),
    ("low_rank", "X", lambda: p.low_rank(HOLED, 1)),
    ("LatentSemanticIndex", "documents", lambda: p.LatentSemanticIndex.of("one text", 1)),
    ("LatentSemanticIndex", "topics", lambda: p.LatentSemanticIndex.of(["one text"], 2)),
    ("LatentSemanticIndex", "the question", lambda: p.LatentSemanticIndex.of(["one text"], 1).nearest_words(1)),
    ("LatentSemanticIndex", "texts", lambda: p.LatentSemanticIndex.of(["one text"], 1).fold("text")),
    ("boolean_factors", "X", lambda: p.boolean_factors([[0, 2]], 1)),
    ("boolean_factors", "rank", lambda: p.boolean_factors([[0, 1]], 0)),
    ("boolean_product", "the factors", lambda: p.boolean_product([[1]], [[1], [0]])),
    ("weighted_topics", "X", lambda: p.weighted_topics([[0.5]], 1)),
    ("weighted_topics", "rank", lambda: p.weighted_topics([[1]], 0)),
    ("complete_entries", "rows", lambda: p.complete_entries([5], [0], [1.0], (2, 2))),
    ("complete_entries", "values", lambda: p.complete_entries([0], [0], [np.nan], (2, 2))),
    ("complete_entries", "rows, columns and values", lambda: p.complete_entries([], [], [], (2, 2))),
    ("complete_entries", "rank", lambda: p.complete_entries([0], [0], [1.0], (2, 2), rank=3)),
    ("complete_entries", "penalty", lambda: p.complete_entries([0], [0], [1.0], (2, 2), rank=1, penalty=-1.0)),
    ("soft_impute", "X", lambda: p.soft_impute([[np.nan]], 1.0)),
    ("soft_impute", "penalty", lambda: p.soft_impute([[1.0]], -1.0)),
    ("choose_rank", "folds", lambda: p.choose_rank([0, 1], [0, 1], [1.0, 2.0], (2, 2), folds=3)),
    (
        "choose_rank",
        "ranks and penalties",
        lambda: p.choose_rank([0, 1], [0, 1], [1.0, 2.0], (2, 2), ranks=(), folds=2),
    ),
    ("conditional_probabilities", "perplexity", lambda: p.conditional_probabilities(SQUARE, 0.0)),
    ("joint_probabilities", "conditional", lambda: p.joint_probabilities(X)),
    ("kullback_leibler", "p and q", lambda: p.kullback_leibler([1.0], [0.5, 0.5])),
    ("trustworthiness", "n_neighbors", lambda: p.trustworthiness(X, X, n_neighbors=6)),
    ("continuity", "embedding", lambda: p.continuity(X, X[:3])),
    ("stress", "X", lambda: p.stress(HOLED, X)),
    ("shepard", "metric", lambda: p.shepard(X, X, metric="as the crow flies")),
]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("owner", "name", "call"), CASES, ids=lambda one: one if isinstance(one, str) else "")
def test_it_is_refused_in_one_sentence(owner: str, name: str, call: Callable[[], Any]) -> None:
    with pytest.raises(SufficeError) as caught:
        call()
    error = caught.value
    assert (error.owner, error.name) == (owner, name)
    assert error.rule
    assert error.got
    assert str(error).startswith(f"{owner}: {name} must be ")
    assert "\n" not in str(error)


def test_a_refused_fit_changes_nothing() -> None:
    model = suffice.PCA(2).fit(X)
    before = dict(vars(model))
    with pytest.raises(SufficeError):
        model.fit(np.full((3, 3), np.inf))
    assert all(vars(model)[name] is value for name, value in before.items())
