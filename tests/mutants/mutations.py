"""Small changes to a source file, each at one place of its syntax tree: what a careful test should notice."""

from __future__ import annotations

import ast
import copy
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
REVERSED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt
}  # fmt: skip
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult,
    ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
NAMED = {
    "min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum", "any": "all", "all": "any",
    "argmin": "argmax", "argmax": "argmin", "floor": "ceil", "ceil": "floor", "cumsum": "cumprod",
    "logical_and": "logical_or", "logical_or": "logical_and", "zeros": "ones", "ones": "zeros", "log1p": "log",
    "expm1": "exp", "sum": "max",
}  # fmt: skip
SYMMETRIC = {
    "maximum", "minimum", "max", "min", "add", "multiply", "logaddexp", "logical_and", "logical_or", "array_equal",
    "hypot", "union1d", "intersect1d", "isclose", "allclose", "gcd", "fma",
}  # fmt: skip
Change = tuple[str, ast.AST]  # the kind of mutation, and what stands in the place of the node


@dataclass(frozen=True)
class Mutant:
    """One change: of the node with this number, in the order of `ast.walk`, in one file."""

    file: str  # below the root
    node: int
    kind: str
    which: int  # of the changes of the node
    line: int
    function: str  # dotted; empty where the change is outside of functions
    where: str  # the code of the whole function as a digest, and the place in it: the same wherever the function stands
    before: str = ""
    after: str = ""

    @property
    def id(self) -> str:
        """Ten digits that stay as long as the function stays as it is."""
        return hashlib.blake2b(f"{self.file} {self.where} {self.kind} {self.which}".encode(), digest_size=5).hexdigest()

    @property
    def room(self) -> str:
        """The room of its file."""
        return Path(self.file).parts[2]


def mutants(root: Path, file: Path) -> list[Mutant]:
    """All changes that are tried in a file."""
    tree = ast.parse(file.read_text())
    skipped = _skipped(tree)
    name = str(file.relative_to(root))
    functions = dict(_functions(tree))
    found = []
    for number, node in enumerate(ast.walk(tree)):
        if id(node) in skipped or not hasattr(node, "lineno"):
            continue
        function, place = functions.get(id(node), ("", ""))
        for which, (kind, _) in enumerate(_changes(node, bool(function))):
            where = place if function else f"{number} {_said(node)}"
            found.append(Mutant(name, number, kind, which, node.lineno, function, where))
    return found


def worded(root: Path, mutant: Mutant) -> Mutant:
    """The same, with the code before and after."""
    node = list(ast.walk(ast.parse((root / mutant.file).read_text())))[mutant.node]
    _, changed = list(_changes(node, bool(mutant.function)))[mutant.which]
    return replace(mutant, before=_said(node), after=_said(changed))


def mutated(source: str, mutant: Mutant) -> ast.Module:
    """The tree of the file with the change; lines stay where they are."""
    tree = ast.parse(source)
    target = list(ast.walk(tree))[mutant.node]
    kind, changed = list(_changes(target, bool(mutant.function)))[mutant.which]
    assert kind == mutant.kind
    ast.copy_location(changed, target)
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if value is target:
                setattr(parent, name, changed)
            elif isinstance(value, list) and any(item is target for item in value):
                value[:] = [changed if item is target else item for item in value]
    return ast.fix_missing_locations(tree)


@cache
def compiled(root: Path, mutant: Mutant) -> bool:
    """Whether it is in a function that numba compiles."""
    path = root / mutant.file
    body = ast.parse(path.read_text()).body if path.exists() else []
    found = [node for node in body if isinstance(node, ast.FunctionDef)]
    marks = [mark for node in found if node.name == mutant.function for mark in node.decorator_list]
    return any(getattr(mark, "id", "") in ("loop", "inner") for mark in marks)


def _changes(node: ast.AST, inside: bool) -> Iterator[Change]:
    """The changes of one node; outside of functions, `|` joins types."""
    for kind, change in CHANGES:
        if not inside and isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            continue
        yield from ((kind, changed) for changed in change(node))


def _comparison(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Compare):
        for table in (COMPARED, REVERSED):
            if type(node.ops[0]) in table:
                yield _with(node, ops=[table[type(node.ops[0])](), *node.ops[1:]])


def _arithmetic(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in COMPUTED:
        yield _with(node, op=COMPUTED[type(node.op)]())
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield node.operand


def _constant(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Constant) and isinstance(node.value, (bool, int, float)):
        value: Any = node.value
        if isinstance(value, bool):
            yield ast.Constant(not value)
        else:
            yield ast.Constant(value + 1 if isinstance(value, int) else 2 * value + (value == 0))


def _boolean(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.BoolOp):
        yield _with(node, op=ast.And() if isinstance(node.op, ast.Or) else ast.Or())
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    if isinstance(node, (ast.If, ast.IfExp, ast.While)) and not isinstance(node.test, (ast.Compare, ast.UnaryOp)):
        yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))


def _returned(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Return) and ast.unparse(node) not in ("return", "return None"):
        yield _with(node, value=ast.Constant(None))


def _deleted(node: ast.AST) -> Iterator[ast.AST]:
    """Statements without which the names of a function are still known."""
    places = (ast.Subscript, ast.Attribute)
    plain = isinstance(node, (ast.AugAssign, ast.Raise, ast.Continue, ast.Break))
    called = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    placed = isinstance(node, ast.Assign) and all(isinstance(target, places) for target in node.targets)
    if plain or called or placed:
        yield ast.Pass()


def _swapped(node: ast.AST) -> Iterator[ast.AST]:
    """The first two arguments, where their order can matter."""
    if not isinstance(node, ast.Call) or len(node.args) < 2:
        return
    first, second, *others = node.args
    same = ast.dump(first) == ast.dump(second) or _called(node) in SYMMETRIC
    if not same and not isinstance(first, ast.Starred) and not isinstance(second, ast.Starred):
        yield _with(node, args=[second, first, *others])


def _name(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Call):
        called = node.func
        if isinstance(called, ast.Attribute) and called.attr in NAMED:
            yield _with(node, func=_with(called, attr=NAMED[called.attr]))
        elif isinstance(called, ast.Name) and called.id in NAMED:
            yield _with(node, func=_with(called, id=NAMED[called.id]))


def _called(node: ast.Call) -> str:
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


CHANGES: tuple[tuple[str, Callable[[ast.AST], Iterator[ast.AST]]], ...] = (
    ("comparison", _comparison),
    ("arithmetic", _arithmetic),
    ("constant", _constant),
    ("boolean", _boolean),
    ("return", _returned),
    ("deletion", _deleted),
    ("arguments", _swapped),
    ("name", _name),
)


def _with(node: Any, **fields: Any) -> Any:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _said(node: ast.AST) -> str:
    """The code of a node in one line."""
    if isinstance(node, (ast.If, ast.While)):
        return f"{type(node).__name__.lower()} {ast.unparse(node.test)}:"
    return " ".join(ast.unparse(ast.fix_missing_locations(copy.deepcopy(node))).split())[:160]


def _functions(tree: ast.Module) -> Iterator[tuple[int, tuple[str, str]]]:
    """Of every node inside a function: the dotted name of the outermost one, and the place in its code as a digest.

    Defaults of parameters are outside.
    """
    open_: list[tuple[ast.AST, str]] = [(tree, "")]
    while open_:
        node, prefix = open_.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                code = hashlib.blake2b(ast.dump(child).encode(), digest_size=8).hexdigest()
                inside = (inner for statement in child.body for inner in ast.walk(statement))
                for place, inner in enumerate(inside):
                    yield id(inner), (prefix + child.name, f"{code} {place}")
            elif isinstance(child, ast.ClassDef):
                open_.append((child, f"{prefix}{child.name}."))


def _skipped(tree: ast.Module) -> set[int]:
    """Nodes that decide nothing: annotations, decorators, what only type checkers read, words of messages."""
    found: set[int] = set()
    for node in ast.walk(tree):
        parts: list[Any] = []
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            parts += node.decorator_list
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            parts.append(node.returns)
        if isinstance(node, (ast.arg, ast.AnnAssign)):
            parts.append(node.annotation)
        if isinstance(node, ast.JoinedStr):
            parts.append(node)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            parts.append(node)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("bad", "refusal", "Said", "TypeVar", "cast"):
            parts.append(node)
        for part in parts:
            if part is not None:
                found |= {id(inner) for inner in ast.walk(part)}
    return found
