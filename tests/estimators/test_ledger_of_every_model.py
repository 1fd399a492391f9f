"""Every one-pass estimator keeps a ledger where it is asked to: 500 sequences of learning, merging and forgetting."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest

from suffice import CalibratedClassifier, Chain, Decide, GaussianNB, Ridge, StandardScaler, load
from suffice.core.errors import BadInput, NeverAdded
from suffice.estimators.ledger.receipt import verify_chain
from suffice.testing import discovery

KEY = "one key"
CHAINS = {cls for cls in discovery.one_pass() if issubclass(cls, Chain)}  # keep the ledger that the last step asks for
KINDS = [cls for cls in discovery.one_pass() if cls not in CHAINS]
SEQUENCES = -(-500 // (len(KINDS) + 2))  # of each kind of model, 500 or more together
WORDS = {"OrderCategories", "GroupCategories"}  # need symbols; all others take whole numbers
TYPES = ("int64", "int8", "uint16", "float64", "float32")


GIVEN: dict[str, dict[str, Any]] = {  # so that small tables are enough, and shards do not choose different penalties
    "ElasticNetCV": {"alphas": [0.1], "cv": 2},
    "KBinsDiscretizer": {"n_bins": 3, "strategy": "uniform", "subsample": None},
    "LassoCV": {"alphas": [0.1], "cv": 2},
    "QuadraticDiscriminantAnalysis": {"prior_strength": 1.0},
    "RidgeCV": {"alphas": [1.0]},
    "SelectKBest": {"k": 2},
}


def made(cls: Any) -> Any:
    if cls is Chain:
        return Chain(StandardScaler(), Ridge(ledger=KEY))
    return Decide(GaussianNB(ledger=KEY)) if cls is Decide else cls(ledger=KEY, **GIVEN.get(cls.__name__, {}))


def test_every_one_pass_estimator_takes_a_ledger() -> None:
    lacking = [cls.__name__ for cls in KINDS if "ledger" not in inspect.signature(cls).parameters]
    assert lacking == []
    assert len(KINDS) > 40
    for cls in KINDS:
        parameter = inspect.signature(cls).parameters["ledger"]
        assert parameter.name == list(inspect.signature(cls).parameters)[-1], cls  # so that no other argument moves
        assert cls().ledger is None
    assert {cls.__name__ for cls in CHAINS} >= {"Chain"}
    assert Chain(StandardScaler(), Ridge(ledger=KEY)).ledger == KEY


class Rows(NamedTuple):
    """A table of rows that all differ, with targets, and weights where the model takes them."""

    X: pd.DataFrame
    y: Any
    w: Any

    def at(self, places: Any) -> Rows:
        return Rows(self.X.iloc[places], self.y[places], None if self.w is None else self.w[places])

    def given(self, rng: np.random.Generator) -> tuple[Any, ...]:
        """As arguments: columns in any order, numbers of any type."""
        X = self.X[rng.permutation(self.X.columns).tolist()]
        numbers = [name for name in X.columns if X[name].dtype.kind in "iuf"]
        X = X.astype({name: rng.choice(TYPES) for name in numbers})
        return (X, self.y) if self.w is None else (X, self.y, self.w)


def drawn(cls: Any, rng: np.random.Generator, n: int = 14) -> Rows:
    cells = rng.integers(0, 4, size=(n, 3))
    cells[:7] = [[0, 1, 2], [3, 0, 1], [1, 2, 3], [2, 3, 0], [0, 0, 3], [3, 3, 1], [2, 2, 2]]
    X = pd.DataFrame(cells, columns=["a", "b", "c"])
    X["n"] = np.arange(n)
    if cls.__name__ in WORDS:
        X = X.astype(str).map(lambda cell: f"v{cell}")
    weighted = "sample_weight" in inspect.signature(cls.fit).parameters
    y = np.arange(n) % 2 if n % 3 else rng.integers(0, 5, n) / 2
    return Rows(X, y, rng.choice([1.0, 2.0, 0.5], n) if weighted else None)


@pytest.mark.parametrize("cls", [*KINDS, Chain, Decide], ids=lambda cls: cls.__name__)
def test_sequences(cls: Any) -> None:
    """Every true row is accepted, whatever its types and the order of its columns; every stranger is refused."""
    rng = np.random.default_rng(len(cls.__name__))
    for _ in range(SEQUENCES):
        sequence(cls, rng)


def sequence(cls: Any, rng: np.random.Generator) -> None:
    rows = drawn(cls, rng)
    cut = int(rng.integers(5, 10))
    model, rest = made(cls), rows.at(np.arange(cut, len(rows.y)))
    first = rows.at(np.arange(cut))
    model.fit(first.X, *first[1:]) if first.w is not None else model.fit(first.X, first.y)
    if rng.random() < 0.5:
        other = made(cls)
        model.merge(other.fit(rest.X, rest.y) if rest.w is None else other.fit(rest.X, *rest[1:]))
    else:
        model.partial_fit(rest.X, rest.y, **({} if rest.w is None else {"sample_weight": rest.w}))
    gone = int(rng.integers(4, len(rows.y)))
    model.forget(*rows.at([gone]).given(rng))
    assert model.receipt_.verified == "ledger"
    assert model.receipt_.rows == 1
    with pytest.raises(NeverAdded, match="row 0"):
        model.forget(*odd(cls, rows, gone, rng).given(rng))
    verify_chain(model.fitted_, [model.receipt_])


def odd(cls: Any, rows: Rows, gone: int, rng: np.random.Generator) -> Rows:
    """A row forgotten already, or one of another weight, or of another cell."""
    kept = 5 if gone != 5 else 6
    row = rows.at([kept])
    match rng.choice(["twice", "stranger", "weight" if rows.w is not None else "stranger"]):
        case "twice":
            return rows.at([gone])
        case "weight":
            return row._replace(w=row.w + 0.25)
        case _:
            return stranger(rows, kept)


def stranger(rows: Rows, place: int) -> Rows:
    """A row with a cell of another."""
    row = rows.at([place])
    return row._replace(X=row.X.assign(n=rows.X["n"].iloc[0]))


@pytest.mark.parametrize("cls", [*KINDS, Chain, Decide], ids=lambda cls: cls.__name__)
def test_files_know_the_rows_and_not_the_key(cls: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    rows = drawn(cls, rng)
    model = made(cls).fit(rows.X, *rows[1:]) if rows.w is not None else made(cls).fit(rows.X, rows.y)
    model.save(tmp_path / "m")
    assert KEY.encode() not in (tmp_path / "m").read_bytes()
    loaded = load(tmp_path / "m")
    loaded.ledger = KEY
    with pytest.raises(NeverAdded, match="row 0"):
        loaded.forget(*stranger(rows, 5).given(rng))
    loaded.forget(*rows.at([3]).given(rng))
    assert loaded.receipt_.verified == "ledger"
    assert verify_chain(loaded._state()[0], [loaded.receipt_]) == (loaded.receipt_,)


def test_around_another_the_receipt_is_that_of_the_model_inside(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    rows = drawn(GaussianNB, rng)
    model = Decide(Chain(StandardScaler(), GaussianNB(ledger=KEY)), costs={0: {1: 5.0}}).fit(rows.X, rows.y)
    model.forget(rows.X.iloc[:2], rows.y[:2])
    receipts = [model.receipt_]
    assert receipts[0].rows == 2
    model.save(tmp_path / "m")
    loaded = load(tmp_path / "m")
    with pytest.raises(BadInput, match="the key that the model was fitted with"):
        loaded.forget(rows.X.iloc[2:3], rows.y[2:3])
    loaded.ledger = KEY
    loaded.forget(rows.X.iloc[2:3], rows.y[2:3])
    receipts.append(loaded.receipt_)
    assert verify_chain(loaded._state()[0], receipts[::-1]) == tuple(receipts)
    with pytest.raises(NeverAdded, match="row 0"):
        loaded.forget(rows.X.iloc[:1], rows.y[:1])
    with pytest.raises(BadInput, match="none that left this model"):
        verify_chain(loaded._state()[0], receipts[:1])
    assert not hasattr(model.fit(rows.X, rows.y), "receipt_")
    plain = Decide(GaussianNB()).fit(rows.X, rows.y).forget(rows.X.iloc[:1], rows.y[:1])
    assert plain.receipt_.verified == "plausible"


def test_a_calibrated_classifier_forgets_nothing_and_has_no_receipt() -> None:
    """Its maps are learned from folds of all rows: it refuses the verb, and does not pretend."""
    assert not hasattr(CalibratedClassifier(GaussianNB(ledger=KEY)), "forget")
