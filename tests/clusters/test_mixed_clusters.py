"""Clusters of rows of mixed kinds: medoids, trees and dense regions by the distance by kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from suffice import DBSCAN, AgglomerativeClustering, KMedoids, load
from suffice.app.main import suffice as cli
from suffice.core.errors import BadInput
from suffice.spaces import MixedDistance


def _table(n: int = 40) -> tuple[pd.DataFrame, Any]:
    rng = np.random.default_rng(0)
    group = np.arange(n) % 2
    frame = pd.DataFrame(
        {
            "size": 1e8 + rng.normal(size=n) + 8.0 * group,
            "shape": np.where(group == 1, "round", "flat"),
            "grade": pd.Categorical(
                np.where(group == 1, "c", rng.choice(["a", "b"], n)), ["a", "b", "c"], ordered=True
            ),
            "gap": np.where(rng.random(n) < 0.3, np.nan, group + 0.1 * rng.normal(size=n)),
        }
    )
    frame.loc[5, "shape"] = None
    return frame, group


X, GROUP = _table()
D = MixedDistance.of(
    X.assign(grade=X["grade"].cat.codes).astype(object).where(X.notna(), None).to_numpy(dtype=object)
).between(X.assign(grade=X["grade"].cat.codes).astype(object).where(X.notna(), None).to_numpy(dtype=object))
MODELS = {
    "AgglomerativeClustering": lambda metric: AgglomerativeClustering(2, linkage="average", metric=metric),
    "complete": lambda metric: AgglomerativeClustering(2, linkage="complete", metric=metric),
    "single": lambda metric: AgglomerativeClustering(2, linkage="single", metric=metric),
    "DBSCAN": lambda metric: DBSCAN(eps=0.2, min_samples=4, metric=metric),
    "KMedoids": lambda metric: KMedoids(2, metric=metric),
    "clara": lambda metric: KMedoids(2, metric=metric, method="clara", sample_size=20, random_state=0),
}


@pytest.mark.parametrize("name", MODELS)
def test_groups_are_found_as_from_the_table_of_distances(name: str, tmp_path: Path) -> None:
    model, usual, given = (MODELS[name](way) for way in ("mixed", "euclidean", "precomputed"))
    model.fit(X)
    assert np.array_equal(usual.fit(X).labels_, model.labels_)  # tables with symbols take it by default
    assert np.array_equal(given.fit(D).labels_, model.labels_)
    assert len({(a, b) for a, b in zip(model.labels_, GROUP, strict=True)}) == 2
    assert np.array_equal(model.predict(X), model.labels_)
    model.save(tmp_path / "m")
    new = X.assign(shape="unheard of")
    assert np.array_equal(load(tmp_path / "m").predict(new), model.predict(new))
    np.testing.assert_allclose(load(tmp_path / "m").score_samples(new), model.score_samples(new), rtol=0)


@pytest.mark.parametrize("name", ["AgglomerativeClustering", "DBSCAN", "KMedoids"])
def test_weights_are_copies(name: str) -> None:
    w = 1 + np.arange(40) % 3
    at = np.repeat(np.arange(40), w)
    mine = MODELS[name]("mixed").fit(X, sample_weight=w).labels_[at]
    copies = MODELS[name]("mixed").fit(X.iloc[at].reset_index(drop=True)).labels_
    assert len(set(zip(mine, copies, strict=True))) == len(set(mine))


def test_exemplars_are_told_with_their_symbols() -> None:
    model = KMedoids(2).fit(X)
    rows = X.iloc[model.medoid_indices_]
    for told, (_, row) in zip(model.cluster_centers_, rows.iterrows(), strict=True):
        assert told[1:3].tolist() == [row["shape"], row["grade"]]
        assert told[0] == row["size"]
    dense = DBSCAN(eps=0.2, min_samples=4).fit(X)
    assert set(dense.components_[:, 1]) == {"round", "flat", None}


def test_links_and_graphs_by_kind() -> None:
    tree = AgglomerativeClustering(2, linkage="average", cannot_link=[[0, 2]]).fit(X)
    assert tree.labels_[0] != tree.labels_[2]
    graph = np.eye(40, k=1) + np.eye(40, k=2)
    along = AgglomerativeClustering(2, linkage="average", connectivity=graph).fit(X)
    given = AgglomerativeClustering(2, linkage="average", metric="precomputed", connectivity=graph).fit(D)
    assert np.array_equal(along.labels_, given.labels_)


APART = pd.DataFrame({"a": [1.0, None, 3.0], "b": [None, "x", "y"]})


def test_rows_that_share_no_cell() -> None:
    for model in (KMedoids(1), AgglomerativeClustering(2, linkage="single")):
        with pytest.raises(BadInput, match=r"share a cell that is present, got rows 0 and 1, which share none"):
            model.fit(APART)
    assert DBSCAN(eps=2.0, min_samples=2).fit(APART).labels_.tolist() == [0, 0, 0]  # by way of the third
    alone = DBSCAN(eps=2.0, min_samples=1).fit(APART[:2])
    assert alone.labels_.tolist() == [0, 1]
    assert alone.predict(pd.DataFrame({"a": [2.0], "b": [None]})).tolist() == [0]


def test_wards_linkage_takes_numbers_alone() -> None:
    with pytest.raises(BadInput, match=r"euclidean or l2 for Ward's linkage"):
        AgglomerativeClustering(metric="mixed").fit(X)
    with pytest.raises(BadInput, match=r"column 'shape' must be of numbers"):
        AgglomerativeClustering().fit(X)


@pytest.mark.parametrize("more", [["KMedoids", "--clusters", "2"], ["DBSCAN", "--set", "eps=0.2"]])
def test_the_command_clusters_any_table(more: list[str], tmp_path: Path) -> None:
    path, kinds = tmp_path / "rows.csv", "grade=a<b<c"
    X.to_csv(path, index=False)
    ask = ["cluster", str(path), "--model", *more, "--kinds", kinds, "--format", "json", "--save", str(tmp_path / "m")]
    rows = json.loads(CliRunner().invoke(cli, ask, catch_exceptions=False).output)
    assert len({(row["cluster"], g) for row, g in zip(rows, GROUP, strict=True)}) == 2
    assert load(tmp_path / "m").predict(X).tolist() == [row["cluster"] for row in rows]
