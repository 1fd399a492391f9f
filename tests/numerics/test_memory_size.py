"""How much memory there is: of the machine, or less where a container allows less."""

from __future__ import annotations

import pytest

from suffice.numerics import memory as sizes


@pytest.mark.parametrize(
    ("said", "share"),
    [("1048576\n", 1 << 20), ("max\n", None), ("9223372036854771712", None), ("-1", None), (None, None)],
)
def test_a_container_may_allow_less_than_there_is(tmp_path, monkeypatch, said, share):
    machine = sizes.memory.__wrapped__()
    file = tmp_path / "memory.max"
    if said is not None:
        file.write_text(said)
    monkeypatch.setattr(sizes, "CONTAINER", (str(file),))
    whole = sizes.memory.__wrapped__()
    assert whole == share if share else whole >= machine > 1 << 20
