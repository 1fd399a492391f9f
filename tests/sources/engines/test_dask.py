"""Dask, with two worker processes: the model, the answers and the folds of rows on workers are those of memory.

All models come from 7 partitions here, those of one pass from 1 and 64 too; `python -m benchmarks.engines --equal`
takes all from 1, 7 and 64, and `--kill 20` kills more workers.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from itertools import pairwise
from pathlib import Path

import dask
import dask.array as da
import dask.bag as db
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from dask import delayed

import suffice as S
from suffice.core.errors import BadInput, NegativeCounts, NeverAdded
from suffice.evaluation import cross_val_predict, cross_validate, grid_search
from suffice.sources import Roles, open_engine, open_rows
from suffice.sources.engines.dask import open_dask
from suffice.sources.engines.read_partition import PartFiles
from tests.sources.engines.engine_models import (
    CASES,
    MIXED,
    NUMBERS,
    ONCE,
    ROWS,
    assert_same,
    columns,
    in_memory,
    on_engine,
)

pytestmark = [
    pytest.mark.xdist_group("dask"),
    pytest.mark.filterwarnings("ignore"),  # what other libraries warn of on their own threads
]


def cut(rows: pd.DataFrame, k: int) -> list[pd.DataFrame]:
    """k partitions, some of them empty where rows are few."""
    edges = np.linspace(0, len(rows), k + 1).astype(int)
    return [rows.iloc[a:b] for a, b in pairwise(edges)]


def frame(rows: pd.DataFrame, k: int) -> dd.DataFrame:
    return dd.from_delayed([delayed(part) for part in cut(rows, k)], meta=rows.iloc[:0])


@pytest.mark.parametrize("name", CASES)
def test_partitions_give_the_model_of_memory(client, name):
    case = CASES[name]
    rows, expected = ROWS[columns(case)], in_memory(case)
    assert_same(case, on_engine(case, frame(rows, 7)), expected)
    for k in (1, 64) if case.tol == ONCE else ():
        parts = [delayed(part) for part in client.scatter(cut(rows, k))]  # a graph of a frame costs twice as much
        assert_same(case, on_engine(case, parts), expected)


@pytest.mark.parametrize("name", ["NaiveBayes", "LinearRegression", "KMeans", "PCA", "linear discriminant", "Tree"])
def test_answers_come_lazily_in_order_with_names(client, name):
    case = CASES[name]
    model = in_memory(case)
    found = getattr(model, case.method)(frame(ROWS[columns(case)], 7))
    assert isinstance(found, (dd.DataFrame, dd.Series))
    told, expected = found.compute(), np.asarray(getattr(model, case.method)(ROWS[case.columns]))
    assert told.index.tolist() == ROWS.index.tolist()
    np.testing.assert_allclose(told.to_numpy(), expected, rtol=1e-12, atol=1e-12)
    if case.method == "predict_proba":
        assert told.columns.tolist() == model.classes_.tolist()
        assert found.columns.tolist() == model.classes_.tolist()
    if case.method == "transform":
        assert told.columns.tolist() == model.get_feature_names_out().tolist()


def test_an_estimator_with_options_answers_by_them(client):
    model = S.NaiveBayes().fit(ROWS[MIXED], ROWS.ill)
    rows = frame(ROWS[MIXED], 7)
    assert (model.predict(rows).compute() == model.predict(ROWS[MIXED])).all()
    shifted = model.predict(ROWS[MIXED], prior="uniform")
    assert (model.predict(rows, prior="uniform").compute() == shifted).all()
    assert (shifted != model.predict(ROWS[MIXED])).any()
    names = S.OneHotEncoder().fit(ROWS[["c"]]).transform(rows).compute()
    assert names.columns.tolist() == ["c_p", "c_q", "c_rare"]


def test_learning_on_and_forgetting(client):
    early, late = frame(ROWS[[*MIXED, "ill"]].iloc[:40], 5), frame(ROWS[[*MIXED, "ill"]].iloc[40:], 3)
    case = CASES["NaiveBayes"]
    model = S.NaiveBayes().fit(early, target="ill")
    first = model.predict_proba(ROWS[MIXED])
    assert_same(case, model.partial_fit(late, target="ill"), in_memory(case))
    np.testing.assert_allclose(model.forget(late, target="ill").predict_proba(ROWS[MIXED]), first, rtol=1e-12)
    with pytest.raises(NeverAdded):
        model.forget(late, target="ill")


def test_ledgers_of_workers_know_strangers(client):
    early, late = frame(ROWS[[*MIXED, "ill"]].iloc[:40], 5), frame(ROWS[[*MIXED, "ill"]].iloc[40:], 3)
    model = S.NaiveBayes(ledger="key").fit(early, target="ill")
    alone = S.NaiveBayes(ledger="key").fit(ROWS[MIXED].iloc[:40], ROWS.ill[:40])
    assert (len(model.fitted_.ledger), model.fitted_.ledger.total) == (40, alone.fitted_.ledger.total)
    with pytest.raises(NeverAdded, match="row 0, which was not learned or is forgotten already, the first of 20"):
        model.forget(late, target="ill")
    assert model.partial_fit(late, target="ill").forget(early, target="ill").fitted_.rows == 20
    assert model.receipt_.verified == "ledger"
    drawn = S.NaiveBayes(ledger=True).fit(early, target="ill")
    assert drawn.forget(ROWS[MIXED].iloc[:5], ROWS.ill[:5]).fitted_.rows == 35


def test_targets_and_weights_beside_the_rows(client):
    rows = frame(ROWS, 7)
    w = ROWS.k + 1.0
    expected = S.NaiveBayes().fit(ROWS[MIXED], ROWS.ill, sample_weight=w).predict_proba(ROWS[MIXED])
    beside = S.NaiveBayes().fit(rows[MIXED], rows.ill, sample_weight=rows.k + 1.0)
    named = S.NaiveBayes().fit(rows[[*MIXED, "ill"]].assign(w=rows.k + 1.0), target="ill", sample_weight="w")
    for found in (beside, named):
        np.testing.assert_allclose(found.predict_proba(ROWS[MIXED]), expected, rtol=1e-12)
    with pytest.raises(BadInput, match="y must be divided like X"):
        S.NaiveBayes().fit(rows[MIXED], ROWS.ill)
    with pytest.raises(BadInput, match="7 partitions"):
        S.NaiveBayes().fit(rows[MIXED], frame(ROWS, 3).ill)


def test_bags_arrays_and_delayed_tables(client):
    case = CASES["NaiveBayes"]
    rows, expected = ROWS[columns(case)], in_memory(case)
    records = [{k: v for k, v in row.items() if v == v} for row in rows.to_dict("records")]  # without missing cells
    bag = db.from_sequence(records, npartitions=7)
    assert_same(case, S.NaiveBayes().fit(bag, target="ill"), expected)
    told = expected.predict_proba(bag).compute()
    assert [list(one) for one in told[:1]] == [expected.classes_.tolist()]
    np.testing.assert_allclose(pd.DataFrame(told), expected.predict_proba(rows[MIXED]), rtol=1e-12)
    parts = [delayed(part) for part in cut(rows, 7)]
    assert_same(case, S.NaiveBayes().fit(parts, target="ill"), expected)
    assert (pd.concat(dask.compute(*expected.predict(parts))) == expected.predict(rows[MIXED])).all()
    X, y = rows[NUMBERS].to_numpy(), rows.ill.to_numpy().astype(object)
    model = S.GaussianNB().fit(da.from_array(X, chunks=(20, 2)), da.from_array(y, chunks=20))
    np.testing.assert_allclose(model.theta_, S.GaussianNB().fit(X, y).theta_, rtol=1e-12)
    found = model.predict_proba(da.from_array(X, chunks=(20, 3)))
    np.testing.assert_allclose(found.compute(), model.predict_proba(X), rtol=1e-12)


def written(folder: Path, rows: pd.DataFrame, ending: str, k: int = 7) -> None:
    for number, part in enumerate(cut(rows, k)):
        path = folder / f"part-{number}.{ending}"
        part.to_parquet(path, index=False) if ending == "parquet" else part.to_csv(path, index=False)


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_folders_of_files_are_read_by_the_workers(client, tmp_path, ending):
    case = CASES["NaiveBayes"]
    written(tmp_path, ROWS[columns(case)], ending)
    rows, expected = open_engine(tmp_path, "dask", target="ill"), in_memory(case)
    assert_same(case, S.NaiveBayes().fit(rows), expected)
    told = expected.predict_proba(rows).compute()
    np.testing.assert_allclose(told, expected.predict_proba(ROWS[MIXED]), rtol=1e-12)
    assert expected.score(rows) == expected.score(ROWS[MIXED], ROWS.ill)
    roles = Roles(ignore=("c", "gap", "ill"))
    ours = S.KMeans(3, n_init=2, random_state=0).fit(open_engine(tmp_path, "dask", roles=roles))
    theirs = S.KMeans(3, n_init=2, random_state=0).fit(open_rows(tmp_path, roles))
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, rtol=1e-9)  # the same starts


def test_written_columns_of_two_minds_are_what_all_their_cells_show(client, tmp_path):
    rows = ROWS[["u", "k", "ill"]].astype(object)
    rows.iloc[20:30, 0] = "unclear"  # more than a few: the column is no numbers
    rows.iloc[40, 1] = "?"  # one: it is
    rows["ill"] = np.where(np.arange(len(rows)) < 30, rows.k, rows.ill)  # labels that begin as numbers
    written(tmp_path, rows, "csv")
    ours = S.NaiveBayes().fit(open_engine(tmp_path, "dask", target="ill"))
    theirs = S.NaiveBayes().fit(tmp_path, target="ill")
    assert ours.fitted_.schema == theirs.fitted_.schema
    assert ours.classes_.tolist() == theirs.classes_.tolist()
    asked = {"u": ["unclear", "0.5"], "k": [1, 2]}
    np.testing.assert_allclose(ours.predict_proba(asked), theirs.predict_proba(asked), rtol=1e-12)


def test_folds_are_those_of_memory_whatever_the_partitions(client):
    rows = ROWS[[*NUMBERS, "ill"]].iloc[:-1]
    expected = cross_validate(S.GaussianNB(), rows[NUMBERS], rows.ill, cv=3)
    regression = cross_validate(S.Ridge(), ROWS[NUMBERS], ROWS.t, cv=3).values("mean_squared_error")
    for k in (1, 7):
        found = cross_validate(S.GaussianNB(), frame(rows, k), target="ill", cv=3)
        assert (found.path, found.reads) == ("folds added", 2)
        np.testing.assert_allclose(found.values("log_loss"), expected.values("log_loss"), rtol=1e-12)
        found = cross_validate(S.Ridge(), frame(ROWS[[*NUMBERS, "t"]], k), target="t", cv=3)
        np.testing.assert_allclose(found.values("mean_squared_error"), regression, rtol=1e-9)
    model = S.LogisticRegression(max_iter=2)
    found = cross_validate(model, frame(rows, 3), target="ill", cv=2)
    expected = cross_validate(model, rows[NUMBERS], rows.ill, cv=2)
    np.testing.assert_allclose(found.values("log_loss"), expected.values("log_loss"), rtol=1e-9)


def folder_of(folder: Path, ending: str, parts: list[pd.DataFrame]) -> Path:
    """A folder of parts."""
    folder = folder / ending
    folder.mkdir()
    for number, part in enumerate(parts):
        path = folder / f"{number}.{ending}"
        part.to_csv(path, index=False) if ending == "csv" else part.to_parquet(path, index=False)
    return folder


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_parts_without_rows_and_with_columns_in_another_order_are_parts_like_others(client, tmp_path, ending):
    rows = ROWS[[*NUMBERS, "ill"]].iloc[:-1]
    first, second = cut(rows, 2)
    nothing, turned = rows.iloc[:0], second[second.columns[::-1]]
    folder = folder_of(tmp_path, ending, [nothing, first, nothing, turned])
    parts = open_engine(folder, "dask", target="ill")
    theirs = S.NaiveBayes().fit(rows[NUMBERS], rows.ill).predict_proba(rows[NUMBERS])
    model = S.NaiveBayes().fit(parts)
    np.testing.assert_allclose(model.predict_proba(rows[NUMBERS]), theirs, rtol=1e-12)
    answers = model.predict_proba(parts)
    np.testing.assert_allclose(answers.compute().to_numpy(), theirs, rtol=1e-12)
    assert len(answers.partitions[0].compute()) == 0
    losses = [
        cross_validate(S.NaiveBayes(), some, cv=2).values("log_loss")
        for some in (parts, open_rows(folder, Roles(target="ill")))
    ]
    np.testing.assert_allclose(*losses, rtol=1e-12)
    assert str(S.describe(open_engine(folder, "dask"))) == str(S.describe(folder))
    with pytest.raises(BadInput, match="X must be a table with rows, got empty partitions"):
        S.NaiveBayes().fit(open_engine([folder / f"0.{ending}", folder / f"2.{ending}"], "dask", target="ill"))


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_parts_of_other_columns_are_told_by_their_number(client, tmp_path, ending):
    first, second = cut(ROWS[[*NUMBERS, "ill"]].iloc[:-1], 2)
    for name, odd in {"more": second.assign(more=1.0), NUMBERS[0]: second.drop(columns=NUMBERS[0])}.items():
        (folder := tmp_path / name).mkdir()
        parts = folder_of(folder, ending, [first, odd])
        refused = (
            rf"Schema \(partition 1\): the columns must be the same in all tables, got '{name}' in one of them only"
        )
        with pytest.raises(BadInput, match=refused):
            S.NaiveBayes().fit(open_engine(parts, "dask", target="ill"))
        with pytest.raises(BadInput, match=refused):
            S.describe(open_engine(parts, "dask"))


@pytest.mark.parametrize(
    ("model", "target", "score"),
    [
        (S.Chain(S.TableEncoder(), S.LogisticRegression()), "ill", "log_loss"),
        (S.Chain(S.KBinsDiscretizer(3), S.NaiveBayes()), "ill", "log_loss"),
        (S.Chain(S.TableEncoder(), S.Ridge()), "t", "mean_squared_error"),
        (S.RidgeCV(alphas=[0.1, 10.0]), "t", "mean_squared_error"),
    ],
)
def test_folds_of_what_is_fitted_in_steps_are_fitted_anew(client, tmp_path, model, target, score):
    rows = ROWS[[*NUMBERS, target]].iloc[:-1]
    expected = cross_validate(model, rows[NUMBERS], rows[target], cv=3).values(score)
    found = cross_validate(model, frame(rows, 7), target=target, cv=3)
    assert (found.path, found.reads) == ("refitted", 6)
    np.testing.assert_allclose(found.values(score), expected, rtol=1e-9)
    rows.to_csv(tmp_path / "rows.csv", index=False)
    files = cross_validate(model, open_rows(tmp_path, Roles(target=target), keep=10**6), cv=3)
    np.testing.assert_allclose(files.values(score), expected, rtol=1e-9)


def test_what_asks_for_rows_one_by_one_refuses_those_that_are_elsewhere(tmp_path):
    ROWS[[*NUMBERS, "ill"]].to_csv(tmp_path / "rows.csv", index=False)
    elsewhere = (frame(ROWS, 2), open_engine(tmp_path, "dask", target="ill"), open_rows(tmp_path, Roles(target="ill")))
    for rows in elsewhere:
        with pytest.raises(BadInput, match="cross_val_predict: X must be a table in memory, got rows of files or on"):
            cross_val_predict(S.NaiveBayes(), rows, ROWS.ill)
        with pytest.raises(BadInput, match="compare: X must be a table in memory, got rows of files or on an engine"):
            S.compare(rows, ROWS.ill)


def test_grids_over_a_step_of_a_chain_are_those_of_memory(client):
    rows, grid = ROWS[[*NUMBERS, "ill"]].iloc[:-1], {"logisticregression__C": [1e-4, 1.0]}
    chain = S.Chain(S.TableEncoder(), S.LogisticRegression())
    found = grid_search(chain, grid, frame(rows, 3), target="ill", cv=2)
    expected = grid_search(chain, grid, rows[NUMBERS], rows.ill, cv=2)
    assert found.parameters == expected.parameters
    for mine, theirs in zip(found.results, expected.results, strict=True):
        np.testing.assert_allclose(mine.values("log_loss"), theirs.values("log_loss"), rtol=1e-9)


def test_grids_are_searched_without_reading_again(client):
    rows, grid = ROWS[[*NUMBERS, "ill"]].iloc[:-1], {"alpha": [0.1, 1.0, 10.0]}
    found = grid_search(S.BernoulliNB(), grid, frame(rows, 7), target="ill", cv=3)
    expected = grid_search(S.BernoulliNB(), grid, rows[NUMBERS], rows.ill, cv=3)
    assert (found.parameters, found.reads) == (expected.parameters, 2)
    ours, theirs = (one.estimator.predict_proba(rows[NUMBERS]) for one in (found, expected))
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)
    passes = grid_search(S.LogisticRegression(max_iter=2), {"C": [0.1, 1.0]}, frame(rows, 2), target="ill", cv=2)
    assert passes.parameters["C"] in (0.1, 1.0)


def test_penalties_are_chosen_without_gathering_rows(client):
    rows, grid = frame(ROWS[[*NUMBERS, "t"]], 7), [0.01, 1.0, 100.0]
    for cv in (None, 3, "gcv"):
        found = S.RidgeCV(alphas=grid, cv=cv).fit(rows, target="t")
        expected = S.RidgeCV(alphas=grid, cv=cv).fit(ROWS[NUMBERS], ROWS.t)
        assert found.alpha_ == expected.alpha_
        np.testing.assert_allclose(found.best_score_, expected.best_score_, rtol=1e-9)
        np.testing.assert_allclose(found.coef_, expected.coef_, rtol=1e-9)
    with pytest.raises(BadInput, match="a table in memory"):
        S.RidgeCV(rule="one_standard_error").fit(rows, target="t")


def test_the_penalty_of_logistic_regression_is_chosen_by_sums(client):
    rows = ROWS[[*NUMBERS, "two"]].assign(w=ROWS.m + 0.5)
    for scoring, weight in (("neg_log_loss", "w"), ("accuracy", None)):
        search = S.LogisticRegressionCV(Cs=[0.01, 1.0], cv=2, max_iter=1, scoring=scoring)
        found = search.fit(frame(rows if weight else rows.drop(columns="w"), 3), target="two", sample_weight=weight)
        ours = found.scores_, found.C_, found.coef_
        expected = search.fit(ROWS[NUMBERS], ROWS.two, sample_weight=None if weight is None else rows.w)
        np.testing.assert_allclose(ours[0], expected.scores_, rtol=1e-9)
        np.testing.assert_allclose(ours[2], expected.coef_, rtol=1e-9)
        assert ours[1] == expected.C_


def test_scores_travel_as_sums(client):
    rows = frame(ROWS, 7)
    model = S.NaiveBayes().fit(ROWS[MIXED], ROWS.ill)
    assert model.score(rows[MIXED], rows.ill) == model.score(ROWS[MIXED], ROWS.ill)
    line = S.Ridge().fit(ROWS[NUMBERS], ROWS.t)
    np.testing.assert_allclose(line.score(rows[NUMBERS], rows.t), line.score(ROWS[NUMBERS], ROWS.t), rtol=1e-12)


def test_a_partition_without_anything_known_waits_for_the_others(client):
    case = CASES["NaiveBayes"]
    rows = ROWS[columns(case)].copy()
    rows.loc[:19, MIXED] = np.nan
    rows["c"] = rows.c.where(rows.c.notna(), None)
    parts = [delayed(part) for part in (rows.iloc[:20], rows.iloc[20:20], rows.iloc[20:])]
    assert_same(case, S.NaiveBayes().fit(parts, target="ill"), in_memory(case, rows))


def test_what_disagrees_is_told_with_its_partition(client):
    first, second = cut(ROWS[["u", "k", "ill"]], 2)
    with pytest.raises(BadInput, match=r"partition 1.*column 'u' must be one in all tables"):
        S.NaiveBayes().fit([delayed(first), delayed(second.assign(u="text"))], target="ill")
    with pytest.raises(BadInput, match=r"partition 1.*'u' in one of them only"):
        S.NaiveBayes().fit([delayed(first), delayed(second.rename(columns={"u": "w"}))], target="ill")
    with pytest.raises(NegativeCounts, match=r"MultinomialNB \(partition 1\): X must be at least 0"):
        S.MultinomialNB().fit([delayed(first.assign(u=1)), delayed(second.assign(u=-1))], target="ill")
    with pytest.raises(BadInput, match="empty partitions"):
        S.NaiveBayes().fit([delayed(first[:0]), delayed(first[:0])], target="ill")


@pytest.mark.parametrize(
    "make",
    [
        S.SVC,
        S.KNeighborsClassifier,
        S.DecisionTreeClassifier,
        S.MLPClassifier,
        S.BaggingClassifier,
        lambda: S.LogisticRegressionCV(scoring="roc_auc_ovr"),
        lambda: S.OneVsRestClassifier(S.GaussianNB()),
        lambda: S.CalibratedClassifier(S.GaussianNB()),
    ],
)
def test_what_needs_all_rows_refuses_in_one_sentence(client, make):
    rows = frame(ROWS[[*NUMBERS, "ill"]].iloc[:-1], 3)
    with pytest.raises(BadInput, match="a table in memory") as refused:
        make().fit(rows[NUMBERS], rows.ill)
    assert str(refused.value).count("\n") == 0


def test_bad_requests_are_told_in_one_sentence(client):
    rows = frame(ROWS[[*NUMBERS, "ill"]], 3)
    for call, words in (
        (lambda: S.NaiveBayes().fit(rows), "with a target"),
        (lambda: open_engine("nowhere", "dask"), "that exists"),
        (lambda: open_engine(rows, "ray"), "'dask' or 'spark'"),
        (lambda: open_engine(Path(__file__)), "Say who reads the files"),
        (lambda: open_engine(3, "dask"), "a collection of Dask or Spark"),
        (lambda: open_engine(rows, target="ill", roles=Roles(target="ill")), "None beside roles"),
        (lambda: S.NaiveBayes().fit(rows, target="il"), "Did you mean 'ill'"),
        (lambda: S.NaiveBayes().fit(open_engine(rows, target="ill"), target="u"), "None for rows that are open"),
        (lambda: cross_validate(S.GaussianNB(), rows, target="ill", scoring="roc_auc"), "scoring must be None"),
    ):
        with pytest.raises(BadInput, match=words) as refused:
            call()
        assert str(refused.value).count("\n") == 0


def dies_once(mark: str, part: pd.DataFrame) -> pd.DataFrame:
    """Kill -9 the worker that is the first to come here."""
    try:
        os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return part
    os.kill(os.getpid(), signal.SIGKILL)
    return part


@pytest.mark.parametrize("name", ["NaiveBayes", "LogisticRegression"])
def test_a_worker_that_is_killed_changes_nothing(client, tmp_path, name):
    case = CASES[name]
    parts = [delayed(part) for part in cut(ROWS[columns(case)], 7)]
    parts[4] = delayed(dies_once, pure=False)(str(tmp_path / name), parts[4])
    assert_same(case, on_engine(case, parts), in_memory(case))
    assert (tmp_path / name).exists()


def test_work_on_files_names_no_worker(client, tmp_path):
    """If all workers were lost at once, Dask would wait for the named ones for ever, whatever else is allowed."""
    paths = tuple(str(tmp_path / f"{k}.parquet") for k in range(3))
    for leaf in open_dask(PartFiles(paths))._said(print, b"", None):
        assert not any(layer.annotations for layer in leaf.dask.layers.values())


def slow(part: pd.DataFrame) -> pd.DataFrame:
    time.sleep(1.0)
    return part


def interrupt_when_working(client):
    """As a terminal does, once workers have work: by then the main thread waits for them."""
    while not any(client.processing().values()):
        time.sleep(0.05)
    time.sleep(0.5)
    os.kill(os.getpid(), signal.SIGINT)


@pytest.fixture
def interruptible():
    """What a terminal sends is heard, though shells have what runs in the background ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupted_fit_leaves_no_job_and_no_model(client):
    parts = [delayed(slow, pure=False)(part) for part in cut(ROWS[[*NUMBERS, "ill"]], 20)]
    model = S.GaussianNB()
    client.wait_for_workers(2)
    threading.Thread(target=interrupt_when_working, args=(client,)).start()
    with pytest.raises(KeyboardInterrupt):
        model.fit(parts, target="ill")
    assert not hasattr(model, "fitted_")
    end = time.monotonic() + 20
    while any(client.processing().values()) and time.monotonic() < end:
        time.sleep(0.1)
    assert not any(client.processing().values())
    assert not client.run_on_scheduler(
        lambda dask_scheduler: [k for k in dask_scheduler.tasks if "summarize" in str(k)]
    )


def test_progress_goes_by_partition(client):
    told: list[tuple[int, int]] = []
    rows = open_engine(frame(ROWS[[*NUMBERS, "ill"]], 7), target="ill", progress=lambda *done: told.append(done))
    S.GaussianNB().fit(rows)
    assert told == [(done, 7) for done in range(1, 8)]


def test_what_travels_is_our_own_format(client, monkeypatch):
    """No model, schema or plan is pickled: workers get the bytes of files, and send them."""
    import pickle

    from suffice.core.schema import Column, Schema

    def refuse(self, protocol):
        raise pickle.PicklingError(type(self).__name__)

    for cls in (S.GaussianNB, Schema, Column, type(in_memory(CASES["LogisticRegression"]).fitted_.model)):
        monkeypatch.setattr(cls, "__reduce_ex__", refuse)
    rows = frame(ROWS[[*NUMBERS, "ill"]], 2)
    model = S.LogisticRegression(max_iter=2).fit(rows, target="ill")
    assert model.predict_proba(rows).compute().shape == (len(ROWS), 3)


def test_descriptions_are_those_of_memory(client, tmp_path):
    rows = ROWS.drop(columns=["t"])
    expected = S.describe(rows)
    for k in (1, 7):
        found = S.describe(frame(rows, k))
        assert str(found) == str(expected)
        np.testing.assert_array_equal(found["v"].values, expected["v"].values)
    written(tmp_path, rows, "csv")
    assert str(S.describe(open_engine(tmp_path, "dask"), most=20)) == str(S.describe(str(tmp_path), most=20))
    assert S.describe(frame(rows, 3), most=20)["u"].precision > 0
    with pytest.raises(BadInput, match="the name of a column of the rows"):
        S.describe(frame(rows, 3), sample_weight=[1.0])
    with pytest.raises(BadInput, match="empty partitions"):
        S.describe([delayed(rows[:0])])


@pytest.mark.parametrize(
    "model",
    [
        S.OneVsOneClassifier(S.RidgeClassifier()),
        S.BaggingClassifier(n_estimators=2, random_state=0),
        S.KNeighborsClassifier(),
        S.RadiusNeighborsClassifier(1e9),
    ],
    ids=lambda model: type(model).__name__,
)
def test_scores_of_rows_with_a_further_column_are_those_of_memory(client, model):
    """What knows columns by place alone is scored by those of training, wherever they stand, as it answers."""
    model.fit(ROWS[NUMBERS], ROWS.ill)
    rows = frame(ROWS[[*NUMBERS[::-1], "m", "ill"]], 3)
    assert model.score(rows.drop(columns="ill"), rows["ill"]) == pytest.approx(model.score(ROWS[NUMBERS], ROWS.ill))
