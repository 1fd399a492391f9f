"""Bad input at the command line: each has its sentence on standard error and its exit code, and writes nothing."""

from __future__ import annotations

import shlex
from pathlib import Path

import numpy as np
import pytest

from suffice import CategoricalNB, GaussianNB, LogisticRegression, NaiveBayes, Ridge, RidgeClassifier
from suffice.app.main import run
from suffice.persistence import save
from tests.app.conftest import Cli
from tests.app.tables import PLAY, write

FILES = {
    "play.csv": PLAY,
    "empty.csv": "",
    "header.csv": "a,b\n",
    "one.csv": "a\n1\n",
    "numbers.csv": "x,y\n1,3.5\n2,7.25\n",
    "many.csv": "x,y\n" + "".join(f"{i},{i % 31}\n" for i in range(100)),
    "names.csv": "x,y\n" + "".join(f"{i},n{i}\n" for i in range(40)),
    "crowd.csv": "x,y\n" + "".join(f"{i},n{i % 1001}\n" for i in range(4004)),
    "unlabelled.csv": "x,y\n1,\n2,NA\n",
    "long.csv": "x,y\n" + "1,a,9\n" * 5,
    "open.csv": 'x,y\n1,"a\n2,b\n',
    "negative.csv": "x,w,y\n1,-1,a\n2,1,b\n",
    "much.csv": "x,w,y\n1,much,a\n2,1,b\n",
    "nothing.csv": "x,w,y\n1,0,a\n2,0,b\n",
    "fewer.csv": "outlook,windy\nsunny,no\n",
    "other.csv": "a,b,play\n1,2,yes\n3,4,no\n",
    "hot.csv": "outlook,temperature,windy\nsunny,hot,no\nrainy,20,no\n",
    "whole.csv": "x,y\n1,0\n2,1\n",
    "words.csv": "x,y\n1,0\n2,u\n",
    "letter.csv": "true,yes,no\nyes,0,1\nno,x,0\n",
    "short.csv": "true,yes,no\nyes,0\n",
    "twice.csv": "true,yes,no\nyes,0,1\nyes,0,1\n",
    "maybe.csv": "true,yes,maybe\nyes,0,1\n",
    "free.csv": "true,yes,no\nyes,0,0\nno,1,0\n",
    "free.json": '{"yes": {"no": 0}}',
    "bare.csv": "true\nyes\n",
    "flat.json": '{"yes": 3}',
    "cut.json": '{"yes": ',
    "cheap.json": '{"yes": {"no": "cheap"}}',
    "ragged.json": "[[0, 1], [1]]",
    "huge.json": '{"yes": {"no": 1e400}}',
    "commas.csv": ",,\n,\n",
    "swollen.csv": "true,yes,no\nyes," + "x" * 140_000 + ",1\nno,1,0\n",
    "wide-name.csv": "x" * 140_000 + ",y\n1,a\n2,b\n",
    "quoted-name.csv": 'x,"' + "y\n" * 75_000 + '"\n1,a\n2,b\n',
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of every sort, and models of some."""
    here = tmp_path_factory.mktemp("bad")
    for name, text in FILES.items():
        write(here / name, text)
    (here / "folder").mkdir()
    (here / "latin.csv").write_bytes("näme,y\nå,1\n".encode("latin-1"))
    (here / "wide.csv").write_bytes(b"\xff\xfe\x00\xd8")
    for table, target, model in (("play", "play", "m"), ("other", "play", "o"), ("play", "windy", "w"),
                                 ("whole", "y", "whole"), ("words", "y", "words")):  # fmt: skip
        assert (
            run(["train", str(here / f"{table}.csv"), "--target", target, "--out", str(here / f"{model}.suffice")]) == 0
        )
    save({"a": 1}, here / "thing.suffice")
    whole = (here / "m.suffice").read_bytes()
    (here / "cut.suffice").write_bytes(whole[:300])
    (here / "flipped.suffice").write_bytes(whole[:-3] + bytes([whole[-3] ^ 255]) + whole[-2:])
    CategoricalNB().fit(np.array([[0, 1], [1, 0]]), [0, 1]).save(here / "codes.suffice")
    GaussianNB().fit(np.array([[0.0, 1.0], [1.0, 0.0]]), [0, 1]).save(here / "array.suffice")
    X = {"outlook": ["a", "b"], "temperature": [1.0, 2.0], "windy": [True, False]}
    NaiveBayes().fit(X, ["yes", "no"]).save(here / "library.suffice")
    Ridge().fit(X, [0.5, 1.5]).save(here / "ridge.suffice")
    RidgeClassifier().fit(X, ["yes", "no"]).save(here / "ridges.suffice")
    LogisticRegression().fit(X, ["yes", "no"]).save(here / "logistic.suffice")
    return here


def cases() -> list[tuple[str, int, str]]:
    """Command line, exit code, beginning of the sentence."""
    text = Path(__file__).with_name("bad_inputs.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    pairs = zip(lines[::2], lines[1::2], strict=True)
    return [(line.removeprefix("$ suffice "), int(said[0]), said[2:]) for line, said in pairs]


CASES = cases()


@pytest.mark.parametrize(("line", "code", "sentence"), CASES, ids=[line for line, _, _ in CASES])
def test_one_sentence_and_a_code(
    cli: Cli, folder: Path, monkeypatch: pytest.MonkeyPatch, line: str, code: int, sentence: str
) -> None:
    monkeypatch.chdir(folder)
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    result = cli(*shlex.split(line))
    assert result.err.startswith(f"suffice: {sentence}"), result.err
    assert result.code == code
    assert result.out == ""
    assert result.err.endswith("\n")
    assert result.err.count("\n") == 1
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == before


def test_nothing_said_is_answered_by_the_help(cli: Cli) -> None:
    result = cli()
    assert result.code == 2
    assert result.err.startswith("Usage: suffice [OPTIONS] COMMAND")


def test_there_are_enough_of_them() -> None:
    assert len({line for line, _, _ in CASES}) == len(CASES)
    assert len(CASES) >= 200
