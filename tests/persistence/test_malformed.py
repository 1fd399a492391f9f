"""Every malformed file is refused with one sentence that names the file and says what is wrong."""

from __future__ import annotations

import io
import os
import pickle
import sys
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save as safetensors_save

from suffice.core.errors import BadFile, BadInput
from suffice.persistence import from_bytes, header, layout, load, to_bytes
from tests.persistence.forged import array, forged, framed
from tests.persistence.values import Sample, summary


def zipped() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("schema.json", "{}" * 500)
    return stream.getvalue()


def sample(**fields: Any) -> dict[str, Any]:
    return {"Sample": {"first": 1, "second": 2, **fields}}


def two(a: Any, b: Any) -> bytes:
    """Two arrays at these offsets, in a body of 32 bytes."""
    entries = {"a": array(shape=[(a[1] - a[0]) // 8], offsets=a), "b": array(shape=[(b[1] - b[0]) // 8], offsets=b)}
    return forged([{"array": "a"}, {"array": "b"}], bytes(32), entries)


def one(entry: Any, body: bytes = bytes(16)) -> bytes:
    return forged({"array": "a"}, body, {"a": entry})


def strange(tree: Any, *entry: Any, body: bytes = bytes(16)) -> bytes:
    return forged(tree, body, {"a": array(*entry)})


GOOD = to_bytes(summary())
KIND = "it is another kind of file, or cut short: a header of "
TWICE = "('a name occurs twice')"
MALFORMED: dict[str, tuple[bytes, str]] = {
    # another kind of file, or a part of one
    "empty": (b"", "it has only 0 bytes"),
    "seven bytes": (GOOD[:7], "it has only 7 bytes"),
    "only a length": (GOOD[:8], KIND),
    "cut in the header": (GOOD[:100], KIND),
    "cut in the arrays": (GOOD[:-1], "its arrays take 216 bytes but the file has 215 for them"),
    "one byte too many": (GOOD + b" ", "its arrays take 216 bytes but the file has 217 for them"),
    "pickle": (pickle.dumps(np.arange(99)), KIND),
    "old pickle": (pickle.dumps({"a": 1}, protocol=0), KIND),
    "zip": (zipped(), KIND),
    "text": (b"a,b\n1,2\n3,4\n", KIND),
    "zeros": (bytes(100), "it is another kind of file: its header does not begin with a brace"),
    "length of 2^64 - 1": (b"\xff" * 8 + GOOD[8:], KIND + "18446744073709551615 bytes in a file of"),
    "header over the cap": ((header.MOST_BYTES + 8).to_bytes(8, "little") + b"{" + bytes(header.MOST_BYTES + 8), KIND),
    "safetensors of others": (safetensors_save({"a": np.zeros(3)}), "its header has no description by suffice"),
    "description of others": (framed(b'{"__metadata__":{"format":"pt"}}'), "its header has no description by suffice"),
    "description is a list": (framed(b'{"__metadata__":[]}'), "its header has no description by suffice"),
    # the header is no JSON
    "not UTF-8": (framed(b'{"\xff":1}'), "its header is not UTF-8 text"),
    "not JSON": (framed(b"{nothing}"), "its header is not proper JSON ('Expecting property name enclosed"),
    "two headers": (framed(b"{}{}"), "its header is not proper JSON ('Extra data"),
    "a name twice": (framed(b'{"a":1,"a":2}'), f"its header is not proper JSON {TWICE}"),
    "NaN": (framed(b'{"a":NaN}'), "its header is not proper JSON ('NaN is not a finite number')"),
    "1e999": (framed(b'{"a":1e999}'), "its header is not proper JSON ('1e999 is not a finite number')"),
    "5000 digits": (framed(b'{"a":' + b"1" * 5000 + b"}"), "its header is not proper JSON ('Exceeds the limit"),
    "100,000 brackets": (framed(b'{"a":' + b"[" * 100_000), "its header is nested too deeply"),
    # our description
    "newer": (forged(version="2", library="7.0"), "it was made by a newer version of suffice, '7.0'; upgrade suffice"),
    "newer, other entries": (forged(version="12", sha256=None), "it was made by a newer version of suffice, '0.1.0'"),
    "version 0": (forged(version="0"), "its description does not have the entries of format version 1"),
    "version 01": (forged(version="01"), "its description does not have the entries of format version 1"),
    "version is a number": (forged(version=1), "its format version is 1"),
    "version is missing": (forged(version=None), "its format version is None"),
    "version is a word": (forged(version="²"), "its format version is '²'"),
    "library is a number": (forged(library=5), "its description does not have the entries of format version 1"),
    "one more entry": (forged(more="x"), "its description does not have the entries"),
    "one entry less": (forged(library=None), "its description does not have the entries"),
    "short checksum": (forged(sha256="0" * 63), f"its checksum is written as '{'0' * 56}..."),
    "checksum in capitals": (forged(sha256="A" * 64), f"its checksum is written as '{'A' * 56}..."),
    "checksum of surrogates": (forged(sha256="\ud800" * 64), "its checksum is written as"),
    "wrong checksum": (GOOD[:-1] + b"?", "its checksum does not match: some bytes have changed since it was written"),
    # arrays in the header
    "array is a number": (one(5), "its array 'a' is not described by dtype, shape and data_offsets"),
    "array without shape": (one({"dtype": "F64", "data_offsets": [0, 16]}), "its array 'a' is not described by"),
    "array with more": (one({**array(), "code": 1}), "its array 'a' is not described by"),
    "dtype unknown": (one(array("F8_E4M3")), "its array 'a' has the unknown dtype 'F8_E4M3'"),
    "dtype of objects": (one(array("|O")), "its array 'a' has the unknown dtype '|O'"),
    "dtype a list": (one(array(["F64"])), "its array 'a' has the unknown dtype ['F64']"),
    "shape negative": (one(array(shape=[-2])), "its array 'a' has the impossible shape [-2]"),
    "shape a float": (one(array(shape=[2.0])), "its array 'a' has the impossible shape [2.0]"),
    "shape true": (one(array("F64", [True], [0, 8]), bytes(8)), "its array 'a' has the impossible shape [True]"),
    "shape a number": (one(array(shape=2)), "its array 'a' has the impossible shape 2"),
    "shape of 65 axes": (one(array(shape=[1] * 65)), "its array 'a' has the impossible shape [1, 1"),
    "shape beyond NumPy": (
        one(array("U8", [0, 2**62, 4], [0, 0]), b""),
        "its array 'a' has the impossible shape [0, 4611",
    ),
    "shape beyond counting": (one(array("U8", [2**70], [0, 16])), "its array 'a' has the impossible shape [1180591"),
    "offsets negative": (one(array(offsets=[-16, 0])), "its array 'a' has the impossible offsets [-16, 0]"),
    "offsets three": (one(array(offsets=[0, 16, 16])), "its array 'a' has the impossible offsets [0, 16, 16]"),
    "offsets a text": (one(array(offsets="0")), "its array 'a' has the impossible offsets '0'"),
    "offsets backwards": (
        one(array(offsets=[16, 0])),
        "its array 'a' has shape [2], which does not fit offsets [16, 0]",
    ),
    "size too small": (one(array(shape=[1])), "its array 'a' has shape [1], which does not fit offsets [0, 16]"),
    "size too large": (one(array(shape=[3])), "its array 'a' has shape [3], which does not fit offsets [0, 16]"),
    "overlap": (two([0, 24], [16, 32]), "its array 'b' begins at byte 16 where 24 was due"),
    "the same place": (two([0, 32], [0, 32]), "its array 'b' begins at byte 0 where 32 was due"),
    "hole": (two([0, 8], [16, 32]), "its array 'b' begins at byte 16 where 8 was due"),
    "hole at the start": (two([8, 16], [16, 32]), "its array 'a' begins at byte 8 where 0 was due"),
    "rest uncovered": (two([0, 8], [8, 24]), "its arrays take 24 bytes but the file has 32 for them"),
    "out of range": (two([0, 16], [16, 48]), "its arrays take 48 bytes but the file has 32 for them"),
    "a terabyte": (
        one(array("F64", [2**37], [0, 2**40]), b""),
        "its arrays take 1099511627776 bytes but the file has 0",
    ),
    "truth value 2": (
        strange({"array": "a"}, "BOOL", [2], [0, 2], body=b"\1\2"),
        "its array 'a' is boolean but holds bytes",
    ),
    # the tree
    "tree not JSON": (forged("{"), "its description is not proper JSON"),
    "tree empty": (forged(""), "its description is not proper JSON ('Expecting value"),
    "tree a name twice": (forged('{"dict":{"a":1,"a":2}}'), f"its description is not proper JSON {TWICE}"),
    "tree Infinity": (forged("Infinity"), "its description is not proper JSON ('Infinity is not a finite number')"),
    "tree 100,000 brackets": (forged("[" * 100_000), "its description is nested too deeply"),
    "tree 66 deep": (forged("[" * 66 + "]" * 66), "its description is nested more than 64 deep"),
    "lists 300 deep": (forged('{"list":' * 300 + "[]" + "}" * 300), "its description has a malformed sequence"),
    "table of none": (forged({}), "its description has a table of 0 entries where one was due"),
    "table of two": (forged({"list": [], "dict": {}}), "its description has a table of 2 entries where one was due"),
    "list of a number": (forged({"list": 5}), "its description has a malformed sequence 5"),
    "dict of a list": (forged({"dict": []}), "its description has a malformed dict []"),
    "pairs of three": (forged({"pairs": [[1, 2, 3]]}), "its description has a malformed dict [[1, 2, 3]]"),
    "key is a list": (
        forged({"pairs": [[{"list": []}, 1]]}),
        "its description has a dict with a key that cannot be one",
    ),
    "key twice": (forged({"pairs": [[1, 2], [True, 3]]}), "its description has a dict with a key that occurs twice"),
    "range of two": (forged({"range": [1, 2]}), "its description has a malformed range [1, 2]"),
    "range of floats": (forged({"range": [1, 2, 1.0]}), "its description has a malformed range [1, 2, 1.0]"),
    "range step 0": (forged({"range": [1, 2, 0]}), "its description has a malformed range [1, 2, 0]"),
    "int in digits": (forged({"int": "12"}), "its description holds a malformed value '12'"),
    "int a number": (forged({"int": 12}), "its description holds a malformed value 12"),
    "float a word": (forged({"float": "nan"}), "its description holds a malformed value 'nan'"),
    "float too long": (forged({"float": "00" * 9}), "its description holds a malformed value '000000"),
    "date impossible": (forged({"date": "2026-02-30"}), "its description holds a malformed value '2026-02-30'"),
    "date in short": (forged({"date": "20260131"}), "its description holds a malformed value '20260131'"),
    "datetime alone": (forged({"datetime": "2026-01-31"}), "its description holds a malformed value '2026-01-31'"),
    "datetime fold 2": (
        forged({"datetime": ["2026-01-31T00:00:00", 2]}),
        "its description holds a malformed value ['2026",
    ),
    # classes
    "class unknown": (forged({"Nobody": {}}), "it holds a value of the unknown class 'Nobody'"),
    "class by path": (forged({"os.system": {"command": "true"}}), "it holds a value of the unknown class 'os.system'"),
    "class of Python": (forged({"Path": {}}), "it holds a value of the unknown class 'Path'"),
    "class with escapes": (forged({"\x1b[31m": {}}), "it holds a value of the unknown class '\\x1b[31m'"),
    "field missing": (
        forged({"Sample": {"second": 1}}),
        "its Sample must have the fields first, second, got ['second']",
    ),
    "field too many": (
        forged(sample(third=3)),
        "its Sample must have the fields first, second, got ['first', 'second', 'th",
    ),
    "field not saved": (forged(sample(cache=3)), "its Sample must have the fields first, second, got"),
    "fields a list": (forged({"Point": [1, 2]}), "its Point must have the fields x, y, got [1, 2]"),
    "class that refuses": (forged(sample(first="refused")), "its Sample cannot be built ('first is refused')"),
    "member unknown": (forged({"Level": "MIDDLE"}), "it holds 'MIDDLE', which is not one of Level"),
    "member a table": (forged({"Level": {"LOW": 1}}), "it holds {'LOW': 1}, which is not one of Level"),
    "member an attribute": (forged({"Level": "__class__"}), "it holds '__class__', which is not one of Level"),
    # arrays in the tree
    "array not there": (
        forged({"array": "b"}),
        "its description names the array 'b', which is not there or already in",
    ),
    "array by number": (
        strange({"array": 0}),
        "its description names the array 0, which is not there or already in use",
    ),
    "array used twice": (
        strange([{"array": "a"}, {"array": "a"}]),
        "its description names the array 'a', which is not",
    ),
    "array never used": (strange(None), "its array 'a' belongs nowhere"),
    "metadata as array": (
        forged({"array": "__metadata__"}),
        "its description names the array '__metadata__', which is",
    ),
    "scalar of two": (
        strange({"scalar": "a"}),
        "its description names the array 'a' as one number, but its shape is (2,)",
    ),
    "ints of floats": (strange({"ints": "a"}), "a packed tuple is an array of float64 with shape (2,)"),
    "floats in two axes": (
        strange({"floats": "a"}, "F64", [1, 2]),
        "a packed tuple is an array of float64 with shape (1, 2)",
    ),
    "texts without lengths": (
        strange({"texts": "a"}),
        "its description names the array 'a', which is not there or already in use",
    ),
}


def texts(letters: bytes, *lengths: int) -> bytes:
    body = np.array(lengths, dtype="<i8").tobytes()
    entries = {
        "a.lengths": array("I64", [len(lengths)], [0, len(body)]),
        "a.letters": array("U8", [len(letters)], [len(body), len(body) + len(letters)]),
    }
    return forged({"texts": "a"}, body + letters, entries)


MALFORMED |= {
    "texts too short": (texts(b"abc", 1, 1), "the lengths of a packed tuple of texts do not fit its letters"),
    "texts too long": (texts(b"abc", 1, 2**62), "the lengths of a packed tuple of texts do not fit its letters"),
    "texts overflowing": (
        texts(b"abc", *[2**62] * 4, 3),
        "the lengths of a packed tuple of texts do not fit its letters",
    ),
    "texts negative": (texts(b"abc", 4, -1), "the lengths of a packed tuple of texts do not fit its letters"),
    "texts not UTF-8": (texts(b"a\xff", 1, 1), "a packed tuple of texts is not UTF-8"),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_a_malformed_file_is_refused_with_its_reason(case: str, tmp_path: Path) -> None:
    data, reason = MALFORMED[case]
    path = tmp_path / "model.suffice"
    path.write_bytes(data)
    modules = set(sys.modules)
    with pytest.raises(BadFile) as caught:
        load(path)
    said = str(caught.value)
    assert said.startswith(f"load: '{path}' must be a whole file written by save, but {reason}")
    assert said.endswith(".")
    assert "\n" not in said
    assert set(sys.modules) == modules
    with pytest.raises(BadFile) as again:
        from_bytes(data)
    assert str(again.value).startswith(
        f"from_bytes: data must be the bytes of a whole file written by save, but {reason}"
    )


def test_there_are_enough_malformed_files() -> None:
    assert len({reason for _, reason in MALFORMED.values()}) > 60


def test_the_forger_can_make_good_files_too() -> None:
    # Otherwise the cases above could be refused for another reason than theirs.
    assert from_bytes(one(array())).tolist() == [0.0, 0.0]
    assert from_bytes(forged(sample())) == Sample(1, 2)
    assert from_bytes(texts("aü€".encode(), 1, 0, 2)) == ("a", "", "ü€")
    assert [len(part) for part in from_bytes(two([0, 8], [8, 32]))] == [1, 3]
    assert from_bytes(forged("[" * 64 + "]" * 64)) is not None
    assert from_bytes(one(array("U8", [0, 2**60], [0, 0]), b"")).shape == (0, 2**60)


def test_too_many_arrays_are_refused() -> None:
    entries = {str(i): array("U8", [0], [0, 0]) for i in range(header.MOST_ARRAYS + 1)}
    with pytest.raises(BadFile, match="it has 100001 arrays, more than 100000"):
        from_bytes(forged([{"array": name} for name in entries], b"", entries))


@pytest.mark.parametrize("case", ["a terabyte", "length of 2^64 - 1", "header over the cap", "shape beyond NumPy"])
def test_nothing_is_allocated_for_what_is_only_claimed(case: str, tmp_path: Path) -> None:
    path = tmp_path / "claim"
    path.write_bytes(MALFORMED[case][0])
    tracemalloc.start()
    try:
        with pytest.raises(BadFile):
            load(path)
        assert tracemalloc.get_traced_memory()[1] < 500_000
    finally:
        tracemalloc.stop()


def test_a_file_that_shrinks_while_it_is_read() -> None:
    for size in (50, len(GOOD) - 1):
        with pytest.raises(BadFile, match="it became shorter while it was read"):
            layout.read(io.BytesIO(GOOD[:size]), len(GOOD))


def test_what_needs_more_memory_than_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def empty(*arguments: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(np, "empty", empty)
    with pytest.raises(BadFile, match="but it needs more memory than there is"):
        from_bytes(GOOD)


def test_a_reason_that_a_class_gives_is_kept() -> None:
    with pytest.raises(BadFile) as caught:
        from_bytes(forged(sample(first="refused")))
    assert isinstance(caught.value.__cause__, ValueError)


def test_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    for path, reason in {
        tmp_path: "it is a folder",
        tmp_path / "nobody": "there is no such file",
        tmp_path / "no" / "body": "there is no such file",
        tmp_path / "pipe": "it is not an ordinary file",
        tmp_path / "loop": "it cannot be read (Too many levels of symbolic links)",
        Path("/dev/zero"): "it is not an ordinary file",
        Path("/dev/null"): "it is not an ordinary file",
    }.items():
        with pytest.raises(BadFile) as caught:
            load(path)
        assert str(caught.value) == f"load: '{path}' must be a whole file written by save, but {reason}."


@pytest.mark.parametrize(
    ("call", "argument", "sentence"),
    [
        (load, 5, "load: path must be a path, got 5. Give a str or an os.PathLike."),
        (load, "", "load: path must be the name of a file, got ''."),
        (load, "a\0b", "load: path must be the name of a file, got 'a\\x00b'."),
        (from_bytes, "text", "from_bytes: data must be bytes, got 'text'. Use load for a path."),
    ],
)
def test_arguments_that_make_no_sense(call: Any, argument: Any, sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        call(argument)
    assert str(caught.value) == sentence
