"""`train --ledger`, `forget --receipt` and `verify`: rows that are known, and forgetting that can be shown."""

from __future__ import annotations

import json
from pathlib import Path

from suffice import load
from tests.app.conftest import Cli
from tests.app.tables import write_rows

NAMES = ["age", "smokes", "ill"]
ROWS = [
    [31, "yes", "no"],
    [44, "no", "yes"],
    [25, "yes", "no"],
    [61, "no", "yes"],
    [38, "yes", "yes"],
    [52, "no", "no"],
]


def trained(cli: Cli, folder: Path, *more: object) -> None:
    write_rows(folder / "all.csv", NAMES, ROWS)
    assert cli("train", "all.csv", "--target", "ill", "--out", "m", *more).code == 0


def test_a_chain_of_receipts_is_verified(cli: Cli, tmp_path: Path) -> None:
    trained(cli, tmp_path, "--ledger")
    write_rows(tmp_path / "one.csv", NAMES, ROWS[1:2])
    write_rows(tmp_path / "two.csv", ["ill", "smokes", "age"], [ROWS[0][::-1], ROWS[4][::-1]])
    told = cli("forget", "m", "one.csv", "--out", "m", "--receipt", "one.json")
    assert told.code == 0
    assert "verified by  the ledger" in told.out
    assert json.loads((tmp_path / "one.json").read_text())["rows"] == 1
    refused = cli("forget", "m", "one.csv", "--out", "m", "--receipt", "again.json")
    assert refused.code == 1
    assert "row 0, which was not learned or is forgotten already" in refused.err
    assert not (tmp_path / "again.json").exists()
    assert cli("forget", "m", "two.csv", "--out", "m", "--receipt", "two.json").code == 0
    told = cli("verify", "m", "two.json", "one.json")
    assert told.code == 0
    assert "forgotten    3" in told.out
    assert cli("verify", "m", "one.json").code == 1
    assert cli("verify", "m", "one.json", "one.json").code == 1
    assert cli("verify", "m", "all.csv").code == 1


def test_without_a_ledger_a_receipt_says_that_rows_are_plausible_only(cli: Cli, tmp_path: Path) -> None:
    trained(cli, tmp_path)
    write_rows(tmp_path / "one.csv", NAMES, [[44, "no", "yes"]])
    told = cli("forget", "m", "one.csv", "--out", "m", "--receipt", "r.json")
    assert "plausibility only" in told.out
    assert json.loads((tmp_path / "r.json").read_text())["verified"] == "plausible"
    assert cli("verify", "m", "r.json").code == 0


def test_a_key_in_a_file_is_not_in_the_model(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("our long secret\n")
    trained(cli, tmp_path, "--ledger", "--key", "key")
    assert b"our long secret" not in (tmp_path / "m").read_bytes()
    assert "held by the user" in cli("info", "m").out
    write_rows(tmp_path / "one.csv", NAMES, ROWS[1:2])
    assert cli("forget", "m", "one.csv", "--out", "m").code == 1
    (tmp_path / "other").write_text("another")
    assert cli("forget", "m", "one.csv", "--out", "m", "--key", "other").code == 1
    assert cli("forget", "m", "one.csv", "--out", "m", "--key", "key").code == 0
    (tmp_path / "empty").write_text("")
    assert cli("forget", "m", "one.csv", "--out", "m", "--key", "empty").code == 1
    loaded = load(tmp_path / "m")
    loaded.ledger = "our long secret"  # the same key from Python
    loaded.forget({"age": [31], "smokes": [True]}, ["no"])


def test_shards_with_one_key_merge(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("k")
    for name, rows in (("a", ROWS[:3]), ("b", ROWS[3:])):
        write_rows(tmp_path / f"{name}.csv", NAMES, rows)
        assert cli("train", f"{name}.csv", "--target", "ill", "--out", name, "--ledger", "--key", "key").code == 0
        assert cli("train", f"{name}.csv", "--target", "ill", "--out", f"{name}2", "--ledger").code == 0
    assert "ledger  6 rows" in cli("merge", "a", "b", "--out", "both").out
    refused = cli("merge", "a2", "b2", "--out", "no")
    assert refused.code == 1
    assert "under one key" in refused.err


def test_rows_held_out_and_not_learned_are_not_in_the_ledger(cli: Cli, tmp_path: Path) -> None:
    trained(cli, tmp_path, "--ledger", "--no-refit", "--test-size", "0.4")
    model = load(tmp_path / "m")
    rows = int(model.summary_.tally.rows.sum())
    assert len(model._state()[0].ledger) == rows < len(ROWS)
    known = 0
    for row in ROWS:
        write_rows(tmp_path / "one.csv", NAMES, [row])
        known += cli("forget", "m", "one.csv", "--out", "less").code == 0
    assert known == rows
