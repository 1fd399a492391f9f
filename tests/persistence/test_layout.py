"""The arrays of our files can be opened by the safetensors package, and every buffer is aligned."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from safetensors import safe_open
from safetensors.numpy import load as load_bytes
from safetensors.numpy import load_file

from suffice.persistence import from_bytes, save, to_bytes
from tests.persistence.forged import sealed
from tests.persistence.values import ARRAYS, TEXTS, identical, summary


def test_safetensors_opens_a_summary(tmp_path: Path) -> None:
    value, path = summary(), tmp_path / "summary.suffice"
    save(value, path)
    arrays = load_file(path)
    assert len(arrays) == 9
    assert identical(arrays["value.tally.rows"], value.tally.rows)
    assert identical(arrays["value.summary.parts[1].weight.low"], value.summary.parts[1].weight.low)
    with safe_open(path, "np") as file:
        about = file.metadata()
    assert about.keys() == {"format", "version", "library", "sha256", "tree"}
    assert (about["format"], about["version"]) == ("suffice", "1")
    assert json.loads(about["tree"])["ByClass"]["labels"] == ["class 0", "class 1", "class 2"]


@given(st.dictionaries(TEXTS, ARRAYS, max_size=6))
def test_safetensors_opens_any_arrays(value: dict[str, Any]) -> None:
    arrays = load_bytes(to_bytes(value))
    assert arrays.keys() == {f"value[{key!a}]" for key in value}
    for key, array in value.items():
        assert identical(arrays[f"value[{key!a}]"], array)


@given(st.lists(ARRAYS, max_size=6))
def test_every_array_is_aligned_in_the_file(arrays: list[Any]) -> None:
    data = to_bytes(arrays)
    length = int.from_bytes(data[:8], "little")
    assert length % 8 == 0
    header = json.loads(data[8 : 8 + length])
    header.pop("__metadata__")
    assert all(header[f"value[{i}]"]["data_offsets"][0] % array.itemsize == 0 for i, array in enumerate(arrays))


def test_the_checksum_is_that_of_the_file_with_zeros_in_its_place() -> None:
    data = to_bytes(summary())
    assert sealed(data) == data


def test_arrays_in_another_order_are_read_as_well() -> None:
    # Others may write the layout with narrow numbers first, where a buffer is not aligned.
    value = {"a": np.arange(3, dtype=np.uint8), "b": np.arange(2.0)}
    data = to_bytes(value)
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    header["value['a']"]["data_offsets"], header["value['b']"]["data_offsets"] = [0, 3], [3, 19]
    text = json.dumps(header, separators=(",", ":")).encode()
    body = value["a"].tobytes() + value["b"].tobytes()
    back = from_bytes(sealed(len(text).to_bytes(8, "little") + text + body))
    assert identical(back, value)
    assert back["b"].flags.aligned


def test_a_large_array_takes_little_besides_itself(tmp_path: Path) -> None:
    import tracemalloc

    from suffice.persistence import load

    value = np.zeros(2**20)
    path = tmp_path / "large"
    tracemalloc.start()
    try:
        save(value, path)
        load(path)
        assert tracemalloc.get_traced_memory()[1] < 1.1 * value.nbytes
    finally:
        tracemalloc.stop()
