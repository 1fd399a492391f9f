"""Commands whose rows are read by workers say what they say of the same files read here, to the last digit."""

from __future__ import annotations

import socket
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from suffice import load
from suffice.app.engines import engine_session
from suffice.app.main import run
from suffice.app.terminal.progress import parts_told
from tests.sources.engines.engine_models import ROWS
from tests.sources.engines.test_dask import cut

pytestmark = [
    pytest.mark.xdist_group("dask"),
    pytest.mark.filterwarnings("ignore"),  # what other libraries warn of on their own threads
]


@pytest.fixture(scope="module")
def parts(tmp_path_factory) -> Path:
    """Files of some rows, one of them with a cell that is bad, one with a row that has no target."""
    folder = tmp_path_factory.mktemp("parts")
    rows = ROWS.iloc[:-1].astype(object)
    rows = rows.loc[np.arange(240) % len(rows)].reset_index(drop=True)
    rows["name"] = [f"n{i}" for i in rows.index]
    rows.loc[130, "u"], rows.loc[200, "ill"] = "oops", None
    for number, part in enumerate(cut(rows, 5)):
        part.to_csv(folder / f"{number}.csv", index=False)
    return folder


class Told:
    """Runs a command here and on workers."""

    def __init__(self, address: str, capsys) -> None:
        self.engine, self.capsys = ("--engine", "dask", "--scheduler", address), capsys

    def here(self, *line: object) -> tuple[int, str, str]:
        code = run(list(map(str, line)))
        return (code, *self.capsys.readouterr())

    def both(self, *line: object) -> str:
        """What is told, which must be the same."""
        ours, theirs = self.here(*line, *self.engine), self.here(*line)
        assert ours == theirs
        assert ours[0] == 0, ours
        return ours[1]


@pytest.fixture
def told(client, capsys) -> Told:
    return Told(client.scheduler.address, capsys)


COLUMNS = ("--ignore", "gap,t,two", "--identifier", "name")
APART = "u,gap,t,two,c,name"
NUMBERS = ("--ignore", "gap,ill,two,c", "--identifier", "name")


def test_training_in_one_pass_writes_the_same_file(told, parts, tmp_path):
    code, out, _ = told.here("train", parts, "--target", "ill", *COLUMNS, "--out", tmp_path / "m")
    mine = (tmp_path / "m").read_bytes()
    assert told.here("train", parts, "--target", "ill", *COLUMNS, "--out", tmp_path / "m", *told.engine)[:2] == (
        code,
        out,
    )
    assert (tmp_path / "m").read_bytes() == mine
    assert "Bad cells in column 'u', taken as missing: 1, the first 'oops' in row 130." in out
    assert "Rows without a target, left out: 1." in out


def test_training_in_passes_and_of_numbers(told, parts):
    model = ("--model", "LogisticRegression", "--set", "max_iter=2", "--ignore", "u,gap,t,two,c")
    assert "LogisticRegression" in told.both("train", parts, "--target", "ill", "--identifier", "name", *model)
    assert "R2" in told.both("train", parts, "--target", "t", "--model", "TableEncoder+Ridge", *NUMBERS)


def test_every_class_gives_its_share_to_the_test(told, parts):
    line = ("train", parts, "--target", "ill", "--stratify", "--test-size", 0.3)
    assert "accuracy" in told.both(*line, *COLUMNS)
    model = ("--model", "LogisticRegression", "--set", "max_iter=1", "--ignore", "u,gap,t,two,c")
    assert "accuracy" in told.both(*line, "--identifier", "name", *model)


@pytest.mark.parametrize("more", [(), ("--stratify", "--no-refit")])
def test_a_ledger_of_rows_that_workers_read_knows_strangers(told, parts, tmp_path, more):
    (tmp_path / "key").write_text("secret")
    line = ("train", parts, "--target", "ill", *COLUMNS, "--key", tmp_path / "key", *more)
    kept = []
    for engine in ((), told.engine):
        assert told.here(*line, "--out", tmp_path / "m", *engine)[0] == 0
        kept.append(load(tmp_path / "m").estimator().fitted_.ledger)
    assert (len(kept[0]), kept[0].total, kept[0].mark) == (len(kept[1]), kept[1].total, kept[1].mark)
    forget = ("--key", tmp_path / "key", "--out", tmp_path / "less")
    assert "the ledger" in told.here("forget", tmp_path / "m", parts / "0.csv", *forget)[1]
    refused = told.here("forget", tmp_path / "m", parts, *forget)[2]
    assert ("in the ledger" if more else "the rows left must be at least one") in refused


def test_scores_and_folds(told, parts, tmp_path):
    told.here("train", parts, "--target", "ill", *COLUMNS, "--out", tmp_path / "m")
    assert "accuracy" in told.both("evaluate", tmp_path / "m", parts)
    assert "folds added" in told.both("evaluate", tmp_path / "m", parts, "--folds", 3)
    assert "mean cost" in told.both("evaluate", tmp_path / "m", parts, "--reject", 0.3)


def test_columns_are_described(told, parts):
    assert "oops" in told.both("describe", parts, "--identifier", "name")


def test_answers_are_written_part_by_part(told, parts, tmp_path):
    told.here("train", parts, "--target", "ill", *COLUMNS, "--out", tmp_path / "m")
    whole = told.here("predict", tmp_path / "m", parts)
    for style in ("csv", "json"):
        line = ("predict", tmp_path / "m", parts, "--out", tmp_path / style, "--format", style)
        assert told.here(*line, *told.engine) == (0, "", whole[2])
        assert sorted(p.name for p in (tmp_path / style).iterdir()) == [f"part-0000{i}.{style}" for i in range(5)]
    found = [(tmp_path / "csv" / f"part-0000{i}.csv").read_text().splitlines() for i in range(5)]
    assert [*found[0][:1], *(row for one in found for row in one[1:])] == whole[1].splitlines()
    code, _, sentence = told.here("predict", tmp_path / "m", parts, "--out", tmp_path / "csv", *told.engine)
    assert (code, "a folder without files" in sentence) == (1, True)


def test_a_cell_that_cannot_be_answered_is_named(told, parts, tmp_path):
    told.here("train", parts, "--target", "t", *NUMBERS, "--model", "Ridge", "--ignore", "u", "--out", tmp_path / "m")
    (tmp_path / "more").mkdir()
    for number, cell in enumerate(("1", "north")):
        (tmp_path / "more" / f"{number}.csv").write_text(f"v,k,m\n3,1,1\n{cell},2,2\n")
    code, out, sentence = told.here("predict", tmp_path / "m", tmp_path / "more", "--out", tmp_path / "o", *told.engine)
    assert (code, out, sentence.count("\n"), "got 'north' in row 3, the first of 1 in 4" in sentence) == (
        1,
        "",
        1,
        True,
    )
    assert list((tmp_path / "o").iterdir()) == []  # no answers to some of the parts


def test_bad_requests_are_one_sentence(told, parts, tmp_path, monkeypatch):
    (tmp_path / "empty").mkdir()
    train = ("train", parts, "--target", "ill")
    for line, code, words in (
        ((*train, "--workers", 2), 2, "'--workers': it is for rows that an engine reads"),
        ((*train, "--scheduler", "tcp://a:1"), 2, "'--scheduler': it is for rows that an engine reads"),
        ((*train, *told.engine, "--workers", 2), 2, "a scheduler has its own workers"),
        ((*train, "--engine", "ray"), 2, "'ray' is not one of 'dask', 'spark'"),
        ((*train, "--engine", "dask", "--workers", 0), 2, "0 is not in the range"),
        ((*train, "--engine", "dask", "--scheduler", "nowhere"), 2, "write it like tcp://host:8786"),
        ((*train, "--engine", "dask", "--scheduler", "tcp://host:port"), 2, "write it like tcp://host:8786"),
        ((*train, "--engine", "spark", "--scheduler", "tcp://host:7077"), 2, "write it like spark://host"),
        ((*train, "--engine", "dask", "--scheduler", "tcp://127.0.0.1:9"), 1, "where nobody answers"),
        ((*train, "--engine", "spark", "--scheduler", "spark://127.0.0.1:9"), 1, "where nobody answers"),
        (("train", tmp_path / "empty", "--target", "ill", *told.engine), 1, "of at least one file"),
        (("train", tmp_path / "none", "--target", "ill", *told.engine), 1, "that exists"),
        (("train", "-", "--target", "ill", *told.engine), 2, "standard input is none"),
        (("train", parts, "--target", "il", *told.engine), 1, "must be one of the columns"),
        ((*train, *told.engine, "--ledger", "--model", "Tree"), 2, "a Tree keeps no ledger"),
        (
            (*train, *told.engine, "--model", "VotingClassifier", "--set", "estimators=NaiveBayes+Tree"),
            1,
            "all rows at",
        ),
        ((*train, *told.engine, "--model", "KNeighborsClassifier", "--ignore", APART), 1, "a table in memory"),
        (("predict", tmp_path / "m", parts, *told.engine), 2, "name a new folder"),
        (("predict", tmp_path / "m", parts, "--out", "o", "--format", "table", *told.engine), 2, "csv or json"),
        (("predict", tmp_path / "m", parts, "--out", "/proc/o", *told.engine), 1, "a folder that can be written"),
    ):
        found = told.here(*line)
        assert (found[0], found[1], found[2].count("\n")) == (code, "", 1), found
        assert words in found[2]
    monkeypatch.setitem(engine_session.NEEDS, "dask", "a_package_that_is_not_there")
    assert "pip install 'suffice[dask]'" in told.here(*train, "--engine", "dask")[2]
    monkeypatch.setattr(engine_session.shutil, "which", lambda name: None)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    assert "Install Java 17" in told.here(*train, "--engine", "spark")[2]


def test_workers_of_its_own_end_with_the_command(capsys, parts):
    assert run(["train", str(parts), "--target", "ill", *COLUMNS, "--engine", "dask", "--workers", "1"]) == 0
    assert "accuracy" in capsys.readouterr().out


def test_progress_goes_by_part(tmp_path):
    class Terminal(list):
        write, flush = list.append, staticmethod(lambda: None)
        isatty = staticmethod(lambda: True)

    lines = Terminal()
    tell = parts_told("learning", lines)
    tell(1, 2)
    tell(2, 2)
    assert lines == ["\r\x1b[Klearning: 1 of 2 parts", "\r\x1b[K"]
    with open(tmp_path / "log", "w") as log:
        assert parts_told("learning", log) is None


def test_workers_of_a_command_ask_for_no_port_that_others_have(parts, capsys):
    with socket.socket() as taken, warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            taken.bind(("", 8787))  # where Dask's own dashboards are
            taken.listen()
        except OSError:  # one is there
            pass
        assert run(["describe", str(parts), "--engine", "dask", "--workers", "1"]) == 0
    assert "in use" not in capsys.readouterr().err + "".join(str(one.message) for one in told)


def test_workers_of_a_command_say_nothing_of_themselves():
    """Dask tells on standard error which workers it ends, unless it was told not to before it is imported."""
    code = """
import logging
from suffice.sources.engines.dask import started_dask
with started_dask(1, None, 10.0):
    print(logging.getLogger("distributed.nanny").getEffectiveLevel() == logging.CRITICAL)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("True\n", "")
