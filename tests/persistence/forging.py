"""Models as files, and files forged from them: one or a few pieces changed, and the checksum made right."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

import suffice
from suffice.persistence import to_bytes
from tests.persistence.forged import sealed

ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2**31, 10**8, -(2**63), 0.5, -1e308, "", "word", "COUNT", "BOOLEAN", [], [1, 2], [[]],
    {"range": [0, 10**8, 1]}, {"range": [0, 3, 1]}, {"list": []}, {"dict": {}}, {"int": "0x1" + "0" * 40},
    {"Kind": "TEXT"}, {"float": "7ff8000000000000"},
)  # fmt: skip
Ask = Callable[[Any], Any]
TABLE = {
    "age": [31.0, 44.0, None, 61.0, 38.0, 52.0],
    "site": ["north", "south", "south", None, "north", "east"],
    "smokes": [True, False, True, True, None, False],
    "pain": ["none", "mild", "none", "severe", "mild", "none"],
    "note": ["dry cough", "pain in the chest", "cough", "", "well", "no pain"],
}
Y = ["a", "b", "a", "b", "a", "c"]


def bases() -> list[tuple[str, bytes, Ask]]:
    """Small models of several kinds, and what each is asked."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 3)), np.arange(30) % 3
    kinds = {"note": "text", "pain": ["none", "mild", "severe"]}
    models: list[tuple[Any, Any]] = [
        (suffice.NaiveBayes(kinds=kinds, ledger="k").fit(TABLE, Y), TABLE),
        (suffice.GaussianNB().fit(X, y), X),
        (suffice.MultinomialNB().fit(np.abs(X).round(), y), np.abs(X)),
        (suffice.LinearDiscriminantAnalysis().fit(X, y), X),
        (suffice.LinearRegression().fit(X, X[:, 0] + y), X),
        (suffice.LogisticRegression().fit(X, y), X),
        (suffice.StandardScaler().fit(X), X),
        (suffice.Chain(suffice.StandardScaler(), suffice.Ridge()).fit(X, X[:, 1]), X),
    ]
    found: list[tuple[str, bytes, Ask]] = []
    for model, rows in models:
        verb = next(verb for verb in ("predict_proba", "predict", "transform") if hasattr(model, verb))
        found.append((type(model).__name__, to_bytes(model._saved()), _asking(verb, rows)))
    return found


def _asking(verb: str, rows: Any) -> Ask:
    return lambda model: getattr(model, verb)(rows) if hasattr(model, verb) else model


def forge(data: bytes, random: Random) -> bytes:
    """Another file: some nodes of the tree, or some numbers or the shape of an array, are changed."""
    size = int.from_bytes(data[:8], "little")
    header, body = json.loads(data[8 : 8 + size]), bytearray(data[8 + size :])
    tree = json.loads(header["__metadata__"]["tree"])
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        match random.choice(["tree", "tree", "tree", "body", "shape"]):
            case "tree":
                tree = _changed(tree, random)
            case "body":
                if body:
                    at = random.randrange(len(body))
                    body[at : at + 8] = random.choice([bytes(8), b"\xff" * 8, random.randbytes(8)])[: len(body) - at]
            case _:
                names = [name for name in header if name != "__metadata__"]
                if names:
                    _reshape(header[random.choice(names)], random)
    header["__metadata__"]["tree"] = json.dumps(tree, separators=(",", ":"))
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return sealed(len(text).to_bytes(8, "little") + text + bytes(body))


def _changed(tree: Any, random: Random) -> Any:
    """The same tree with one node replaced by something odd, by another node, or left out."""
    places = list(_places(tree))
    if not places:
        return random.choice(ODD)
    holder, key = random.choice(places)
    match random.choice(["odd", "odd", "other", "less"]):
        case "odd":
            holder[key] = random.choice(ODD)
        case "other":
            other, at = random.choice(places)
            holder[key] = json.loads(json.dumps(other[at]))
        case _:
            del holder[key]
    return tree


def _places(node: Any) -> Any:
    if isinstance(node, dict):
        for key in list(node):
            yield node, key
            yield from _places(node[key])
    elif isinstance(node, list):
        for i in range(len(node)):
            yield node, i
            yield from _places(node[i])


def _reshape(entry: dict[str, Any], random: Random) -> None:
    shape = entry["shape"]
    match random.choice(["flat", "turned", "more", "type"]):
        case "flat":
            entry["shape"] = [int(np.prod(shape))]
        case "turned":
            entry["shape"] = shape[::-1]
        case "more":
            entry["shape"] = [*shape, 1]
        case _:
            entry["dtype"] = random.choice(["I64", "F64", "U64", "F32", "BOOL"])
