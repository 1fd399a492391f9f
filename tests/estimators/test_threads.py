"""Several threads and one model: no row is lost, whatever the verb, and who predicts is not kept waiting."""

from __future__ import annotations

import copy
import pickle
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from suffice import GaussianNB, LinearRegression, NaiveBayes, QuadraticDiscriminantAnalysis, load
from suffice.core.block import Array
from suffice.core.errors import BadInput
from suffice.estimators.boundary import all_or_nothing as locks
from suffice.estimators.boundary.all_or_nothing import alone

THREADS, CALLS, ROWS = 8, 12, 10


@pytest.fixture(autouse=True)
def hurried() -> Iterator[None]:
    """Threads that take turns as often as possible."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def rows(seed: int) -> tuple[Array, Array]:
    return np.random.default_rng(seed).normal(size=(ROWS, 3)), np.arange(ROWS) % 2


def together(work: Callable[[int], Any]) -> list[Any]:
    """The work of every number, by threads that begin at once."""
    start = threading.Barrier(THREADS)

    def one(thread: int) -> list[Any]:
        start.wait()
        return [work(thread * CALLS + call) for call in range(CALLS)]

    with ThreadPoolExecutor(THREADS) as pool:
        return [answer for answers in pool.map(one, range(THREADS)) for answer in answers]


def learned(model: Any) -> int:
    """How many rows a model holds."""
    summary = model.summary_
    return int((summary.tally if hasattr(summary, "tally") else summary.parts[0].tally).rows.sum())


@pytest.mark.parametrize("fitted", [False, True], ids=["from nothing", "learning on"])
@pytest.mark.parametrize("model", [NaiveBayes(), GaussianNB(), QuadraticDiscriminantAnalysis(reg_param=0.5)], ids=repr)
def test_partial_fit_by_threads_counts_every_row(model: Any, fitted: bool) -> None:
    model = clone(model)
    more = {} if isinstance(model, NaiveBayes) else {"classes": [0, 1]}
    if fitted:
        model.partial_fit(*rows(10_000), **more)
    together(lambda i: model.partial_fit(*rows(i), **more))
    assert learned(model) == ROWS * (THREADS * CALLS + fitted)


def test_targets_by_threads_are_all_learned() -> None:
    model = LinearRegression()
    together(lambda i: model.partial_fit(*rows(i)))
    X, y = (np.concatenate(part) for part in zip(*(rows(i) for i in range(THREADS * CALLS)), strict=True))
    np.testing.assert_allclose(model.coef_, LinearRegression().fit(X, y).coef_, atol=1e-10)


def test_merge_and_forget_by_threads() -> None:
    whole = NaiveBayes().fit(*rows(10_000))
    pieces = [NaiveBayes().fit(*rows(i)) for i in range(THREADS * CALLS)]
    together(lambda i: whole.merge(pieces[i]))
    assert learned(whole) == ROWS * (THREADS * CALLS + 1)
    together(lambda i: whole.forget(*rows(i)))
    assert learned(whole) == ROWS
    one = NaiveBayes().fit(*rows(10_000))
    X = rows(1)[0]
    np.testing.assert_allclose(whole.predict_proba(X), one.predict_proba(X), atol=1e-12)


def test_models_from_files_count_every_row(tmp_path: Path) -> None:
    NaiveBayes().fit(*rows(10_000)).save(tmp_path / "model")
    model = load(tmp_path / "model")
    together(lambda i: model.partial_fit(*rows(i)))
    together(lambda i: model.forget(*rows(i)) if i % 2 else model)
    assert learned(model) == ROWS * (THREADS * CALLS // 2 + 1)


def test_who_predicts_does_not_wait_and_finds_a_model() -> None:
    """Also beside calls that fail, and while another thread holds the model."""
    model, (X, _) = NaiveBayes().fit(*rows(10_000)), rows(0)

    def work(i: int) -> Any:
        if i % 3 == 0:
            return model.partial_fit(*rows(i))
        if i % 3 == 1:
            with pytest.raises(BadInput):
                model.partial_fit(X, ["a"])
            return None
        return model.predict_proba(X).sum(axis=1)

    answers = [answer for answer in together(work) if isinstance(answer, np.ndarray)]
    np.testing.assert_allclose(np.stack(answers), 1.0)
    with alone(model):
        reader = threading.Thread(target=lambda: answers.append(model.predict(X)))
        reader.start()
        reader.join(60.0)
        assert not reader.is_alive()


def test_two_models_merge_into_each_other() -> None:
    a, b = NaiveBayes().fit(*rows(1)), NaiveBayes().fit(*rows(2))
    together(lambda i: (a.merge(b) if i % 2 else b.merge(a)) if i < 8 else None)
    assert min(learned(a), learned(b)) > ROWS


def test_the_lock_is_no_part_of_the_model() -> None:
    model = NaiveBayes().fit(*rows(0))
    with alone(model):
        for other in (clone(model), copy.copy(model), copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
            assert vars(other).keys() <= vars(model).keys()
            worker = threading.Thread(target=other.partial_fit, args=rows(1))
            worker.start()
            worker.join(60.0)
            assert not worker.is_alive(), "a copy waits for its original"
            assert learned(other) >= ROWS


def test_locks_go_with_their_models() -> None:
    model = NaiveBayes().fit(*rows(0))
    key = id(model)
    assert key in locks._locks
    del model
    assert key not in locks._locks
