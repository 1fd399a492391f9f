"""Forged models with a right checksum: refused when read, in bounded time and memory, or they answer.

`make forged` tries 20,000 (`SUFFICE_FORGED=20000`); the seed of each is its number.
"""

from __future__ import annotations

import os
import resource
import sys
import time
import tracemalloc
import warnings
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

import suffice
from suffice import load
from suffice.core.errors import BadFile, SufficeError
from suffice.estimators.state import loaded
from suffice.persistence import bounds, from_bytes, to_bytes
from suffice.sources.tables.analyzer import Analyzer
from tests.persistence.forged import forged
from tests.persistence.forging import bases, forge

MANY = int(os.environ.get("SUFFICE_FORGED", "800"))


def test_forged_files_are_refused_or_answer(tmp_path: Path) -> None:
    known = bases()
    path = tmp_path / "forged"
    told = {"refused": 0, "answered": 0}
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for seed in range(MANY):
        random = Random(seed)
        name, data, ask = random.choice(known)
        path.write_bytes(forge(data, random))
        start = time.process_time()
        try:
            model = load(path)
        except BadFile:
            told["refused"] += 1
            continue
        finally:
            assert time.process_time() - start < 5.0, (seed, name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with suppress(SufficeError):  # a sentence is an answer
                ask(model)
            told["answered"] += 1
    assert min(told.values()) > MANY / 10, told
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - most) / (2**20 if sys.platform == "darwin" else 2**10)
    assert grown < 500.0, f"{grown:.0f} MB"
    print(f"{MANY} forged files: {told}, peak memory grew by {grown:.0f} MB")


def test_a_range_is_no_longer_than_the_file_can_hold() -> None:
    for ends in ([0, 10**8, 1], [0, -(10**9), -1], [0, 2**62, 3]):
        tracemalloc.start()
        with pytest.raises(BadFile, match="a range of"):
            from_bytes(forged({"Column": {"name": {"range": ends}, "kind": {"Kind": "COUNT"}}}))
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
        tracemalloc.stop()
    with pytest.raises(BadFile):  # as the order of an ordinal column
        from_bytes(forged({"Column": {"name": "a", "kind": {"Kind": "ORDINAL"}, "order": {"range": [0, 9, 1]}}}))
    wide = suffice.MultinomialNB().fit(np.ones((2, 100_000)), [0, 1])
    assert from_bytes(to_bytes(wide.summary_)).labels == (0, 1)


@pytest.mark.parametrize("width", [3, 200])
def test_targets_are_no_more_than_columns(width: int) -> None:
    """A forged file that claimed 10^8 targets took minutes to be refused; products and rows that are kept, both."""
    rows = np.random.default_rng(0).normal(size=(20, width))
    kept = suffice.Ridge().fit(rows, rows[:, 0]).summary_
    start = time.process_time()
    for targets in (10**8, -1):
        with pytest.raises(BadFile, match="fewer columns than targets"):
            replace(kept, targets=targets)
    assert time.process_time() - start < 2.0


def test_keys_that_were_made_to_collide_are_refused() -> None:
    alike = [[-1 - (i >> bit & 1) for bit in range(12)] for i in range(4_096)]  # hash(-1) == hash(-2)
    assert len({hash(tuple(key)) for key in alike}) == 1
    for tree in ({"pairs": [[key, 1] for key in alike]}, [*alike], {"list": alike}):
        start = time.process_time()
        with pytest.raises(BadFile, match="made to collide"):
            from_bytes(forged(tree))
        assert time.process_time() - start < 2.0
    prime = 2**61 - 1
    with pytest.raises(BadFile, match="integers beyond 64 bits"):
        from_bytes(forged([{"int": hex(prime * i)} for i in range(10**3, 10**3 + 2_000)]))
    zeros = tuple([(0.0, 0.0)] * 2_000)  # equal values collide by right
    assert from_bytes(to_bytes(zeros)) == zeros


@pytest.mark.parametrize("pattern", [r"(a+)+b", r"(?:a|aa)*c", r"(\w*)*x", r"(?:(?:x+)?)+y", r"(a*?)*b", r"(a)\1+"])
def test_a_pattern_that_may_take_for_ever_is_refused(pattern: str) -> None:
    tree = {"Analyzer": {"pattern": pattern}}
    with pytest.raises(BadFile, match="may take for ever"):
        from_bytes(forged(tree))


@pytest.mark.parametrize(
    "pattern", [r"(?u)\b\w\w+\b", r"[a-z]+", r"\S+", r"(?:ab)+", r"\d+(?:\.\d+)?", r"(\w+)@", r"a{2,5}"]
)
def test_ordinary_patterns_are_read(pattern: str) -> None:
    bounds.refuse_endless(pattern)
    assert from_bytes(to_bytes(Analyzer(pattern=pattern))).pattern == pattern


def test_pieces_are_tried_out_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file whose pieces are each well-formed, of which no answer can be made, is refused when it is read."""
    known, path = bases(), tmp_path / "forged"
    raw = 0
    for seed in range(300):
        random = Random(seed)
        _, data, ask = random.choice(known)
        path.write_bytes(forge(data, random))
        with monkeypatch.context() as patch, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            patch.setattr(loaded, "try_out", lambda model: None)
            try:
                ask(load(path))
                continue
            except SufficeError:
                continue
            except Exception:  # what a user would see
                raw += 1
        with pytest.raises(BadFile, match="no model can be made of its pieces"):
            load(path)
    assert raw
