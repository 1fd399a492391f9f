"""Command lines that were bent at random: whatever is said is a sentence, never a traceback or a mistake of ours."""

from __future__ import annotations

import shlex
import shutil
from contextlib import nullcontext
from pathlib import Path
from random import Random

import pytest

from suffice.app.engines import engine_session
from suffice.app.main import NAMES, run
from tests.app.conftest import Cli
from tests.app.tables import PLAY, write

SEED, LINES = 20, 500
WORDS = (
    "", "-", "--", "0", "-1", "nan", "1e999", "a=b", "=", "+", "Tree", "Ridge+", "TableEncoder+Tree", "play", "nope",
    "play.csv", "m", "folder", "table", "json", "'", "\u00e9", "--format", "--model", "--set", "max_depth=1", "--folds",
    "2", "--help", "x" * 300, "--engine", "dask", "--workers", "--scheduler", "tcp://127.0.0.1:9", "--plot",
)  # fmt: skip
SOUND = (
    "describe play.csv --kinds windy=categorical --format json",
    "train play.csv --target play --model Tree --set max_depth=2 --out t",
    "train play.csv --target temperature --ignore outlook --out t",
    "train play.csv --target play --test-size 0.3 --seed 4 --stratify --ledger",
    "train folder --target play --engine dask --workers 1 --out t",
    "describe folder --engine dask --workers 1 --plot t.svg",
    "predict m play.csv --engine dask --workers 1 --out answers --format csv",
    "evaluate m folder --engine dask --workers 1",
    "compare play.csv --target play --model Tree --set tree__max_depth=2 --folds 2",
    "predict m play.csv --prior uniform --reject 0.3 --format table",
    "evaluate m play.csv --folds 2 --format csv",
    "evaluate m play.csv --at-least 0.5",
    "compare play.csv --target play --model NaiveBayes --model Featureless --folds 2 --scoring log_loss",
    "cluster play.csv --clusters 2 --ignore play --identifier windy --save t",
    "transform play.csv --model TableEncoder+PCA --set n_components=1 --ignore play --format json",
    "sample m --rows 2 --seed 3 --format json",
    "merge m m --out t",
    "forget m play.csv --out t",
    "verify m play.csv",
    "info m --tables --format json",
)


def bent(line: str, draw: Random) -> list[str]:
    """A command line after one to three accidents."""
    words = shlex.split(line)
    for _ in range(draw.randint(1, 3)):
        place = draw.randrange(len(words) + 1)
        accident = draw.randrange(6)
        if accident == 0 and words:
            words.pop(min(place, len(words) - 1))
        elif accident == 1:
            words.insert(place, draw.choice(WORDS))
        elif accident == 2 and words:
            words[min(place, len(words) - 1)] = draw.choice(WORDS)
        elif accident == 3 and words:
            one = min(place, len(words) - 1)
            cut = draw.randrange(len(words[one]) + 1)
            words[one] = words[one][:cut] + draw.choice("xX=+-,<0 ") + words[one][cut + 1 :]
        elif accident == 4 and len(words) > 1:
            a, b = draw.sample(range(len(words)), 2)
            words[a], words[b] = words[b], words[a]
        else:
            words.insert(place, draw.choice(words or [""]))
    return words


@pytest.mark.filterwarnings("ignore")
def test_no_line_ends_in_a_traceback(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        engine_session, "_answering", lambda session: nullcontext()
    )  # Dask without workers: its threads
    draw = Random(SEED)
    write(tmp_path / "play.csv", PLAY)
    (tmp_path / "folder").mkdir()
    write(tmp_path / "folder" / "0.csv", PLAY)
    assert run(["train", str(tmp_path / "play.csv"), "--target", "play", "--out", str(tmp_path / "m")]) == 0
    model = (tmp_path / "m").read_bytes()
    codes: dict[int, int] = {}
    for i in range(LINES):
        line = bent(SOUND[i % len(SOUND)], draw)
        result = cli(*line)
        assert result.code in (0, 1, 2), (line, result.err)
        assert "Traceback" not in result.err, line
        if result.code:
            assert result.err.startswith(("suffice: ", "Usage: ")), (line, result.err)
        codes[result.code] = codes.get(result.code, 0) + 1
        shutil.rmtree(tmp_path / "answers", ignore_errors=True)
        (tmp_path / "m").write_bytes(model)  # a bent --out may be its name
        write(tmp_path / "play.csv", PLAY)
    assert min(codes[0], codes[1], codes[2]) > 10


def test_every_command_is_bent(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path / "play.csv", PLAY)
    assert {shlex.split(line)[0] for line in SOUND} == set(NAMES)
