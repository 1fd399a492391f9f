"""What travels between the driver and its workers: values in our own file format, functions as the engine sends them.

A function that summarizes blocks holds a plan, a learner and, in later passes, a model. An engine would pickle all of
it. Here a pickler writes every value whose class is registered as the bytes of its file; what is left to pickle is
code, and parameters of learners that have no file form.
"""

from __future__ import annotations

import dataclasses
import io
from functools import lru_cache
from importlib import import_module
from typing import Any

from suffice.core.errors import BadInput, Fields, SufficeError
from suffice.core.registry import registered
from suffice.core.saving import bytes_value, value_bytes

SMALL, KEPT = 1 << 20, 32  # bytes of a value that a worker keeps, and how many


def pack(value: Any) -> bytes:
    """Functions and what they hold, as bytes that `unpack` reads on a worker."""
    from cloudpickle import Pickler

    class Wire(Pickler):  # type: ignore[misc]
        """Writes registered values in our file format."""

        def reducer_override(self, value: Any) -> Any:
            data = _in_file_format(value)
            return super().reducer_override(value) if data is None else (value_of, (data,))

    buffer = io.BytesIO()
    Wire(buffer, protocol=5).dump(value)
    return buffer.getvalue()


def value_of(data: bytes) -> Any:
    """The value of such bytes; values of a few bytes, as the model of a pass is, are read once for all partitions."""
    return _read_once(data) if len(data) <= SMALL else bytes_value(data)


@lru_cache(KEPT)
def _read_once(data: bytes) -> Any:
    return bytes_value(data)


def unpack(data: bytes) -> Any:
    """What `pack` packed: bytes of our own driver, on its own worker. An engine's ports belong on a trusted network."""
    from pickle import loads

    return loads(data)


def _in_file_format(value: Any) -> bytes | None:
    """The bytes of a registered value; None where it has no file form, or a file would leave something out."""
    cls = type(value)
    if not dataclasses.is_dataclass(cls) or registered().get(cls.__name__) is not cls or _leaves_out(value):
        return None
    try:
        return value_bytes(value)
    except BadInput:  # it holds a function, or a learner that is no value of files
        return None


def _leaves_out(value: Any) -> bool:
    fields = [f for f in dataclasses.fields(value) if f.init and not f.metadata.get("saved", True)]
    return any(getattr(value, f.name) is not f.default for f in fields)


def told(error: SufficeError) -> tuple[Any, ...]:
    """An error as a value that travels."""
    cls = type(error)
    return f"{cls.__module__}:{cls.__qualname__}", str(error), tuple(map(str, error.fields))


def retold(kind: str, sentence: str, fields: tuple[str, ...]) -> SufficeError:
    """The error that a worker told of."""
    module, _, name = kind.partition(":")
    found: Any = getattr(import_module(module), name, None) if module.startswith("suffice.") else None
    if not (isinstance(found, type) and issubclass(found, SufficeError)):
        found = BadInput
    error: SufficeError = found(sentence)
    error.fields = Fields(*fields)
    return error
