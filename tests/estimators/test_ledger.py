"""The ledger: strangers are refused, true rows accepted, in whatever form they come."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import csr_array

from suffice import (
    BernoulliNB,
    CategoricalNB,
    Chain,
    GaussianNB,
    LinearDiscriminantAnalysis,
    LinearRegression,
    MultinomialNB,
    NaiveBayes,
    OneHotEncoder,
    StandardScaler,
    load,
)
from suffice.core.block import Block, Coded, Words
from suffice.core.errors import BadFile, BadInput, NeverAdded, NotASummary
from suffice.core.kinds import Kind
from suffice.core.schema import Column, Schema
from suffice.estimators.ledger.ledger import RowLedger
from suffice.estimators.ledger.receipt import Receipt, state_digest, verify_chain
from suffice.estimators.ledger.row_digests import (
    RowDigests,
    columns_loop,
    digest_loop,
    digest_twin,
    mix_loop,
    mix_twin,
    symbol_loop,
    symbol_twin,
)

TABLE = pd.DataFrame(
    {
        "age": [31.0, 44.0, np.nan, 61.0, 38.0, 0.0],
        "visits": [1, 2, 3, 4, 5, 6],
        "site": ["north", "south", None, "north", "east", "south"],
        "smokes": [True, False, True, False, True, False],
    }
)
Y = np.array(["ill", "well", "ill", "well", "ill", "well"])


def test_rows_are_known_in_any_form_and_order_and_forgotten_once() -> None:
    model = NaiveBayes(ledger=True).fit(TABLE, Y)
    turned = TABLE[["smokes", "site", "visits", "age"]]
    forms: list[Any] = [
        TABLE.iloc[:1].astype({"age": "float32", "visits": "float64", "smokes": "object"}),
        turned.iloc[1:2],
        pl.from_pandas(turned.iloc[2:3]),
        pa.Table.from_pandas(TABLE.iloc[3:4], preserve_index=False),
        {name: [TABLE[name].tolist()[4]] for name in reversed(TABLE.columns)},
    ]
    for i, rows in enumerate(forms):
        model.forget(rows, Y[i : i + 1])
        assert model.receipt_.verified == "ledger"
        assert model.receipt_.rows == 1
        with pytest.raises(NeverAdded, match="row 0"):
            model.forget(TABLE.iloc[i : i + 1], Y[i : i + 1])
    assert len(model.fitted_.ledger) == 1


def test_a_stranger_is_refused_by_its_number_and_nothing_changes() -> None:
    """Without a ledger a row whose cells were learned in different rows is taken for one that was learned."""
    plain = NaiveBayes().fit(TABLE, Y)
    mixed = TABLE.iloc[[0]].assign(visits=5)  # row 0 with a cell of row 4, of the same class
    plain.forget(mixed, Y[:1])
    assert plain.receipt_.verified == "plausible"
    assert plain.receipt_.rows == 1
    model = NaiveBayes(ledger=True).fit(TABLE, Y)
    before = state_digest(model.fitted_)
    three = pd.concat([TABLE.iloc[[1]], TABLE.iloc[[3]], mixed])
    with pytest.raises(NeverAdded, match=r"row 2, which was not learned"):
        model.forget(three, ["well", "well", "ill"])
    with pytest.raises(NeverAdded, match=r"row 1, which was not learned or is forgotten already"):
        model.forget(TABLE.iloc[[1, 1]], Y[[1, 1]])  # twice in one call
    assert state_digest(model.fitted_) == before
    assert not hasattr(model, "receipt_")


def test_a_missing_cell_is_no_cell_and_zero_has_one_sign() -> None:
    rows = {"a": [0.0, None, -0.0], "b": [None, "x", "x"]}
    model = NaiveBayes(ledger=True).fit(rows, [0, 1, 1])
    with pytest.raises(NeverAdded):
        model.forget({"a": [None], "b": ["y"]}, [1])
    with pytest.raises(NeverAdded):
        model.forget({"a": [1.0], "b": ["x"]}, [1])
    model.forget({"a": [0], "b": ["x"]}, [1])
    model.forget({"a": [-0.0], "b": [None]}, [0])


def test_weights_belong_to_rows_and_weight_one_is_none() -> None:
    X, y, w = [[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1], [2.0, 1.0, 0.0, 0.5]
    model = GaussianNB(ledger=True).fit(X, y, sample_weight=w)
    assert len(model.fitted_.ledger) == 3  # a row of weight 0 is no row
    for weight in (1.0, None, 2.5):
        with pytest.raises(NeverAdded):
            model.forget(X[:1], y[:1], sample_weight=None if weight is None else [weight])
    model.forget(X[1:2], y[1:2])
    model.forget(X[:1], y[:1], sample_weight=[2])
    with pytest.raises(NeverAdded):
        model.forget(X[2:3], y[2:3])


def test_shards_under_one_key_merge_and_others_do_not() -> None:
    a, b = (NaiveBayes(ledger="ours").fit(TABLE.iloc[s], Y[s]) for s in (slice(0, 3), slice(3, 6)))
    both = a + b
    assert len(both.fitted_.ledger) == 6
    both.forget(TABLE.iloc[4:], Y[4:])
    with pytest.raises(NotASummary, match="one key"):
        NaiveBayes(ledger="theirs").fit(TABLE, Y).merge(b)
    with pytest.raises(NotASummary, match="by all models or by none"):
        NaiveBayes().fit(TABLE, Y).merge(b)
    drawn = [NaiveBayes(ledger=True).fit(TABLE, Y) for _ in range(2)]
    with pytest.raises(NotASummary, match="one key"):
        drawn[0].merge(drawn[1])


def test_a_key_of_the_user_is_in_no_file(tmp_path: Path) -> None:
    for key in ("my secret phrase", b"my secret phrase"):
        model = NaiveBayes(ledger=key).fit(TABLE, Y)
        model.save(tmp_path / "m")
        assert b"my secret phrase" not in (tmp_path / "m").read_bytes()
        loaded = load(tmp_path / "m")
        with pytest.raises(BadInput, match="the key that the model was fitted with"):
            loaded.forget(TABLE.iloc[:1], Y[:1])
        loaded.ledger = "another"
        with pytest.raises(BadInput, match="got 'another'"):
            loaded.forget(TABLE.iloc[:1], Y[:1])
        loaded.ledger = key
        loaded.forget(TABLE.iloc[:1], Y[:1])
        assert loaded.receipt_.verified == "ledger"
    NaiveBayes(ledger=True).fit(TABLE, Y).save(tmp_path / "d")
    drawn = load(tmp_path / "d")
    drawn.forget(TABLE.iloc[:1], Y[:1])
    with pytest.raises(NeverAdded):
        drawn.estimator().forget(TABLE.iloc[:1], Y[:1])


def test_a_ledger_begins_with_the_first_row() -> None:
    model = NaiveBayes().fit(TABLE, Y)
    model.set_params(ledger=True)
    with pytest.raises(BadInput, match="fitted without one"):
        model.partial_fit(TABLE, Y)
    with pytest.raises(BadInput, match="True, a key"):
        NaiveBayes(ledger=3.5).fit(TABLE, Y)


def test_files_and_tables_know_the_same_rows(tmp_path: Path) -> None:
    TABLE.assign(y=Y).to_csv(tmp_path / "all.csv", index=False)
    TABLE.assign(y=Y)[["y", "smokes", "site", "visits", "age"]].iloc[1:3].to_csv(tmp_path / "some.csv", index=False)
    model = NaiveBayes(ledger=True).fit(tmp_path / "all.csv", target="y")
    model.forget(tmp_path / "some.csv", target="y")
    model.forget(TABLE.iloc[[0]], Y[:1])
    with pytest.raises(NeverAdded, match="row 0, which was not learned or is forgotten already, the first of 2 such"):
        model.forget(tmp_path / "some.csv", target="y")
    numbers = GaussianNB(ledger=True).fit(TABLE[["age", "visits"]].fillna(1.0).to_numpy(), Y)
    numbers.forget(np.array([[31, 1]]), Y[:1])


def test_kinds_that_join_later_change_no_digest() -> None:
    model = NaiveBayes(ledger=True).fit({"a": [1, 2, 3], "b": [None, None, None], "c": [True, False, True]}, [0, 1, 0])
    model.partial_fit({"a": [1.5, 2.5], "b": ["x", "y"], "c": ["maybe", None]}, [0, 1])
    assert [c.kind for c in model.fitted_.schema.columns] == [Kind.QUANTITATIVE, Kind.CATEGORICAL, Kind.CATEGORICAL]
    model.forget({"a": [2], "b": [None], "c": [False]}, [1])
    with pytest.raises(NeverAdded):
        model.forget({"a": [2], "b": [None], "c": [False]}, [1])


@pytest.mark.parametrize(
    "model",
    [
        GaussianNB(ledger=True),
        MultinomialNB(ledger=True),
        BernoulliNB(ledger=True),
        CategoricalNB(ledger=True),
        LinearDiscriminantAnalysis(ledger=True),
        Chain(StandardScaler(), LinearDiscriminantAnalysis(ledger=True)),
    ],
    ids=lambda model: type(model).__name__,
)
def test_every_one_pass_classifier_keeps_one(model: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 4, size=(60, 3)), np.arange(60) % 2
    X[:3] = [[0, 1, 2], [3, 2, 1], [1, 1, 3]]
    model.fit(X[:30], y[:30]).partial_fit(X[30:], y[30:])
    stranger = np.array([[9, 9, 9]])
    with pytest.raises((NeverAdded, BadInput)):
        model.forget(stranger, [0])
    model.forget(X[:1].astype(np.float32), y[:1])
    assert model.receipt_.verified == "ledger"
    model.save(tmp_path / "m")
    loaded = load(tmp_path / "m").forget(X[1:3], y[1:3])
    assert loaded.receipt_.before == model.receipt_.after
    assert loaded.receipt_.rows == 2


def test_transformers_and_regressors_keep_one() -> None:
    X = np.array([[1.0, 2.0], [3.0, 5.0], [4.0, 4.0], [7.0, 1.0]])
    scaler = StandardScaler(ledger=True).fit(X).forget(X[:1])
    assert scaler.receipt_.verified == "ledger"
    with pytest.raises(NeverAdded):
        scaler.forget(X[:1])
    encoder = OneHotEncoder(ledger=True).fit([["a"], ["b"], ["b"]]).forget([["b"]])
    with pytest.raises(NeverAdded):
        encoder.forget([["c"]])
    line = LinearRegression(ledger=True)
    y = X @ [1.0, 2.0] + 1.0
    line.fit(X, y).forget(X[3:], y[3:])
    with pytest.raises(NeverAdded):
        line.forget(X[:1], y[:1] + 1e-9)


def test_sparse_rows_and_dense_ones_are_the_same() -> None:
    X = np.array([[0, 2, 0, 1], [3, 0, 0, 0], [0, 0, 0, 0], [1, 1, 1, 1]])
    model = MultinomialNB(ledger=True).fit(csr_array(X), [0, 1, 0, 1])
    model.forget(X[[0]], [0]).forget(X[[1]].astype(float), [1])
    with pytest.raises(NeverAdded):
        model.forget(csr_array(X[[1]]), [1])


def test_digests_by_loop_and_twin_agree_and_tell_rows_apart() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(700, 7))  # more than the loops take at a time
    X[::5, 1], X[::7, 2], X[::3, 3], X[1::7, 2] = np.nan, -0.0, np.inf, 0.0
    keys = rng.integers(0, 2**64, size=(6, 7), dtype=np.uint64) | np.uint64(1)
    found = []
    for fill, mix in ((digest_loop, mix_loop), (digest_twin, mix_twin), (digest_loop.plain, mix_twin)):
        out = np.zeros((2, len(X)), dtype=np.uint64)
        with np.errstate(over="ignore"):
            fill(np.ascontiguousarray(X).view(np.uint64), keys, out)
        mix(out)
        found.append(out)
    for fill in (columns_loop, columns_loop.plain):
        out = np.zeros((2, len(X)), dtype=np.uint64)
        with np.errstate(over="ignore"):
            fill(np.ascontiguousarray(X.T).view(np.uint64), keys, out, 0, 100)
            fill(np.ascontiguousarray(X.T).view(np.uint64), keys, out, 100, len(X))
        mix_twin(out)
        assert np.array_equal(found[0], out)
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])
    codes, table = rng.integers(-1, 4, 700), rng.integers(0, 2**64, size=(2, 5), dtype=np.uint64)
    sums = [np.zeros((2, 700), dtype=np.uint64) for _ in range(3)]
    for fill, out in zip((symbol_loop, symbol_twin, symbol_loop.plain), sums, strict=True):
        fill(codes, table, out)
        assert np.array_equal(out, table[:, codes])  # code -1 is the last of the table
    whole = Schema.numbered([Kind.COUNT] * 3)
    grid = np.stack(np.meshgrid(*[np.arange(20.0)] * 3), axis=-1).reshape(-1, 3)
    digests = RowDigests(b"k" * 32).of(whole, Block((grid,)), whole.names)
    assert len(np.unique(digests[0])) == len(np.unique(digests[1])) == 8000  # each half alone tells them apart


def test_storage_and_block_do_not_show_in_a_digest() -> None:
    rows = RowDigests(b"k" * 32)
    numbers = Schema((Column("a", Kind.COUNT), Column("b", Kind.COUNT)))
    symbols = Schema((Column("b", Kind.CATEGORICAL), Column("a", Kind.CATEGORICAL)))
    X = np.array([[1.0, 2.0], [0.0, 5.0], [1.0, 5.0]])
    coded = Block((Coded(np.array([[0, 0], [1, 1], [1, 0]]), ((2, 5.0), (True, 0))),))
    dense = rows.of(numbers, Block((X,)), numbers.names)
    assert np.array_equal(dense, rows.of(symbols, coded, symbols.names))
    assert np.array_equal(dense, rows.of(numbers, Block((csr_array(X),)), numbers.names))
    assert not np.array_equal(dense, RowDigests(b"l" * 32).of(numbers, Block((X,)), numbers.names))
    assert len({tuple(d) for d in rows.of(numbers, Block((X[:, ::-1].copy(),)), numbers.names).T.tolist()}) == 3
    text = Schema((Column("t", Kind.TEXT),))
    one, two = Words(np.array([[1, 0, 2]]), ("a", "b", "c")), Words(csr_array([[2, 1]]), ("c", "a"))
    assert np.array_equal(rows.of(text, Block((one,)), ("t",)), rows.of(text, Block((two,)), ("t",)))


Row = dict[str, Any]
COLUMNS = ["a", "b", "c", "n"]


@pytest.mark.parametrize("seed", range(10))
def test_sequences_of_learning_merging_and_forgetting(seed: int) -> None:
    """Fifty sequences a seed: every stranger is refused, every true row accepted."""
    rng = np.random.default_rng(seed)
    for _ in range(50):
        _sequence(rng)


def _sequence(rng: np.random.Generator) -> None:
    rows = _drawn(rng, 5)
    cut = int(rng.integers(1, 5))
    model: Any = NaiveBayes(ledger="one key").fit(*_split(rows[:cut], rng))
    if rng.random() < 0.5:
        model.merge(NaiveBayes(ledger="one key").fit(*_split(rows[cut:], rng)))
    else:
        X, y, w = _split(rows[cut:], rng)
        model.partial_fit(X, y, sample_weight=w)
    gone = rows.pop(int(rng.integers(len(rows))))
    model.forget(*_split([gone], rng, turned=True))
    assert len(model.fitted_.ledger) == len(rows)
    odd = {**rows[0]}
    match rng.choice(["twice", "weight", "stranger"]):
        case "twice":
            odd = gone
        case "weight":
            odd["w"] += 0.25
        case _:
            column = rng.choice(["a", "b", "c", "y"])
            odd[column] = {"a": (odd["a"] or 0.0) + 1e-3, "b": "new", "c": not odd["c"], "y": 1 - odd["y"]}[column]
    with pytest.raises(NeverAdded):
        model.forget(*_split([odd], rng, turned=True))


def _drawn(rng: np.random.Generator, n: int) -> list[Row]:
    """Rows that all differ, by n."""
    return [
        {
            "a": None if rng.random() < 0.2 else round(rng.normal() * 1e8, 2),
            "b": str(rng.choice(["x", "y", "z"])),
            "c": bool(rng.random() < 0.5),
            "n": i,
            "y": int(rng.integers(0, 2)),
            "w": float(rng.choice([1.0, 2.0, 0.5])),
        }
        for i in range(n)
    ]


def _split(rows: list[Row], rng: np.random.Generator, turned: bool = False) -> tuple[Any, Any, Any]:
    """The rows as a table, its columns of some type and, `turned`, in some order."""
    X: Any = {name: [row[name] for row in rows] for name in (rng.permutation(COLUMNS).tolist() if turned else COLUMNS)}
    X["n"] = np.array(X["n"], dtype=rng.choice(["int64", "int8", "float32", "uint16"]))
    y, w = [row["y"] for row in rows], [row["w"] for row in rows]
    return X, y, w


def test_receipts_are_a_chain_and_a_lie_is_found() -> None:
    model = NaiveBayes(ledger=True).fit(TABLE, Y)
    receipts = []
    for i in range(3):
        model.forget(TABLE.iloc[[i]], Y[[i]])
        receipts.append(model.receipt_)
    assert verify_chain(model.fitted_, receipts[::-1]) == tuple(receipts)
    assert [Receipt.from_json(one.to_json()) for one in receipts] == receipts
    lies = {
        "one is missing": receipts[:1] + receipts[2:],
        "the last is missing": receipts[:2],
        "other rows": [*receipts[:2], replace(receipts[2], taken="0" * 32)],
        "another model": [*receipts[:2], replace(receipts[2], after="ab" * 16)],
        "one twice": [*receipts, receipts[0]],
        "another key": [*receipts[:2], replace(receipts[2], key="ab" * 16)],
    }
    for lie in lies.values():
        with pytest.raises(BadInput, match="a chain that ends in the model"):
            verify_chain(model.fitted_, lie)
    model.partial_fit(TABLE.iloc[[0]], Y[[0]])
    with pytest.raises(BadInput, match="none that left this model"):
        verify_chain(model.fitted_, receipts)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"form": "suffice receipt 1"}', '{"form": "suffice receipt 1", "rows": -1}', "x" * 100, b"\xff"],
)
def test_what_is_no_receipt_is_refused(text: Any) -> None:
    with pytest.raises(BadFile, match="a receipt of forget"):
        Receipt.from_json(text)


def test_a_ledger_of_a_file_is_checked() -> None:
    good = NaiveBayes(ledger=True).fit(TABLE, Y).fitted_.ledger
    for odd in (
        {"digests": np.zeros((3, 3), dtype=np.uint64)},
        {"digests": np.zeros((2, 3))},
        {"mark": 3},
        {"key": "00"},
        {"key": "00" * 32},
        {"names": "ab"},
    ):
        with pytest.raises(BadFile):
            replace(good, **odd)
    assert isinstance(good, RowLedger)
    assert good.digests.nbytes == 16 * len(TABLE)
