"""OR and XOR."""

from __future__ import annotations

from suffice.datasets import load_or, load_xor


def test_four_rows() -> None:
    for load, truth in ((load_or, lambda a, b: a or b), (load_xor, lambda a, b: a != b)):
        X, y = load()
        assert X.tolist() == [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
        assert y.tolist() == [int(truth(bool(a), bool(b))) for a, b in X]


def test_each_call_gives_tables_of_its_own() -> None:
    X, _ = load_or()
    X[:] = 7.0
    assert load_or()[0].max() == load_xor()[0].max() == 1.0
