"""Models named on the command line: `NaiveBayes`, a chain `TableEncoder+Ridge`, and their parameters from --set."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from sklearn.base import BaseEstimator

import suffice
from suffice.app.learning.option_errors import usage
from suffice.compose.chain import Chain, check_steps
from suffice.core.errors import in_our_name

JOINED = "+"  # between the steps of a chain
MEMBERS = "estimators"  # the parameter of ensembles that holds several
WORDS = {"none": None, "true": True, "false": False}
LONGEST = 10_000  # characters of a value
CHECKED: Mapping[str, Callable[[Any], bool]] = {  # by the words of an annotation
    "int": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "float": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "bool": lambda value: isinstance(value, bool),
    "str": lambda value: isinstance(value, str),
    "None": lambda value: value is None,
}


def build(
    named: str, settings: Mapping[str, str], *, kinds: Mapping[str, Any] | None = None, option: str = "--model"
) -> Any:
    """The estimator of a name, or the chain of several names, with the parameters that were set.

    Parameters
    ----------
    named : names of estimators with `+` between them; case and dashes do not matter
    settings : parameter -> value as it was written; of a chain also step__parameter
    kinds : of columns, for the first of them where it takes some
    option : where the name was given, for messages

    >>> build("table-encoder+ridge", {"alpha": "0.5"})
    Chain(TableEncoder(), Ridge(alpha=0.5))
    """
    kinds_of = [find(name, option) for name in named.split(JOINED)]
    given: list[dict[str, Any]] = [{} for _ in kinds_of]
    for name, text in settings.items():
        place, parameter = _placed(kinds_of, name)
        given[place][parameter] = _read(kinds_of[place], parameter, text)
    if kinds and "kinds" in _signature(kinds_of[0]):
        given[0].setdefault("kinds", dict(kinds))
    steps = [_made(cls, parameters) for cls, parameters in zip(kinds_of, given, strict=True)]
    for step in steps:
        with in_our_name(type(step).__name__):
            step._validate_params()
    if len(steps) > 1:
        check_steps(tuple(steps))
    return steps[0] if len(steps) == 1 else Chain(*steps)


def find(name: str, option: str = "--model") -> type[Any]:
    """The class of a name; of one that does not exist, the one most like it is named."""
    known = names()
    found = known.get(_folded(name))
    cls = None if found is None else getattr(suffice, found)
    if isinstance(cls, type) and issubclass(cls, BaseEstimator):
        return cls
    near = [] if found else get_close_matches(_folded(name), known, n=1)
    hint = f" Did you mean {known[near[0]]!r}?" if near else " Its name is that of its class, such as NaiveBayes."
    raise usage(option, f"{name!r} is no model.{hint}")


def names() -> dict[str, str]:
    """The public classes, by their names in small letters without dashes. Imports none of them."""
    return {_folded(name): name for name in suffice.__all__ if name[:1].isupper()}


def read_settings(words: Sequence[str]) -> dict[str, str]:
    """What several --set name=value say; a value may hold commas and `=`."""
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name.strip():
            raise usage("--set", f"{word!r} is not of the form name=value; write it like alpha=0.5.")
        if name.strip() in found:
            raise usage("--set", f"{name.strip()!r} is given twice; give it once.")
        found[name.strip()] = value.strip()
    return found


def shared_settings(named: Sequence[str], settings: Mapping[str, str]) -> list[list[str]]:
    """What is set in each of several models: name=value in all that have the parameter, model__name=value in one.

    >>> shared_settings(["Ridge", "Lasso", "SVC"], {"alpha": "2", "svc__C": "3"})
    [['alpha=2'], ['alpha=2'], ['C=3']]
    """
    classes = [[find(step) for step in name.split(JOINED)] for name in named]
    found: list[list[str]] = [[] for _ in named]
    for name, text in settings.items():
        start, divided, parameter = name.partition("__")
        meant = [i for i, model in enumerate(named) if divided and _folded(model) == _folded(start)]
        places = meant or [i for i, steps in enumerate(classes) if any(_takes(steps, one, name) for one in steps)]
        if not places:
            steps = [cls for some in classes for cls in some]
            raise usage("--set", _unknown(steps, name) if steps else f"{name!r} is of no model; name some by --model.")
        for i in places:
            found[i].append(f"{parameter if meant else name}={text}")
    return found


def _takes(steps: Sequence[type[Any]], cls: type[Any], name: str) -> bool:
    """Whether a step of a chain has a parameter, called by its name or as step__name."""
    step, divided, parameter = name.partition("__")
    mine = bool(divided) and len(steps) > 1 and _folded(cls.__name__) == _folded(step)
    return name in _signature(cls) or (mine and parameter in _signature(cls))


def _folded(name: str) -> str:
    return name.casefold().replace("-", "").replace("_", "")


def _signature(cls: type[Any]) -> Mapping[str, inspect.Parameter]:
    found = dict(inspect.signature(cls.__init__).parameters)
    found.pop("self")
    return {n: p for n, p in found.items() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)}


def _placed(steps: Sequence[type[Any]], name: str) -> tuple[int, str]:
    """The step that a parameter is of, and its name there."""
    step, divided, parameter = name.partition("__")
    if divided and len(steps) > 1:
        places = [i for i, cls in enumerate(steps) if _folded(cls.__name__) == _folded(step)]
    else:
        parameter, places = name, [i for i, cls in enumerate(steps) if name in _signature(cls)]
    if len(places) > 1:
        first = steps[places[0]].__name__.lower()
        raise usage("--set", f"{name!r} is a parameter of several steps; say of which, as {first}__{name}.")
    if not places or parameter not in _signature(steps[places[0]]):
        raise usage("--set", _unknown(steps if not places else [steps[places[0]]], parameter))
    return places[0], parameter


def _unknown(steps: Sequence[type[Any]], parameter: str) -> str:
    known = sorted({name for cls in steps for name in _signature(cls)})
    near = get_close_matches(parameter, known, n=1)
    who = JOINED.join(cls.__name__ for cls in steps)
    hint = f"Did you mean {near[0]!r}?" if near else f"It has {', '.join(known) or 'none'}."
    return f"{who} has no parameter {parameter!r}. {hint}"


def _read(cls: type[Any], name: str, text: str) -> Any:
    """The value of a parameter: a number, a truth value, a list, a model, or else text; checked by the signature."""
    if name == MEMBERS:
        return [(member.lower(), _made(find(member, "--set"), {})) for member in text.split(JOINED)]
    value = _literal(text)
    if isinstance(value, str) and all(_folded(part) in names() for part in value.split(JOINED)):
        value = build(value, {}, option="--set")
    written = _signature(cls)[name].annotation
    words = [word.strip() for word in str(written).split("|")]
    if all(word in CHECKED for word in words) and not any(CHECKED[word](value) for word in words):
        rule = " or ".join(_SPOKEN[word] for word in words)
        raise usage("--set", f"{name} of {cls.__name__} must be {rule}, got {text!r}.")
    return value


_SPOKEN = {"int": "a whole number", "float": "a number", "bool": "true or false", "str": "a word", "None": "none"}


def _literal(text: str) -> Any:
    if text.casefold() in WORDS:
        return WORDS[text.casefold()]
    if len(text) > LONGEST:
        raise usage("--set", f"a value must have at most {LONGEST:,} characters, got {len(text):,}.")
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


def _made(cls: type[Any], parameters: dict[str, Any]) -> Any:
    lacking = [n for n, p in _signature(cls).items() if p.default is p.empty and n not in parameters]
    if cls is Chain:
        raise usage("--model", "a chain is written as its steps with + between them, such as TableEncoder+Ridge.")
    if lacking:
        many = lacking[0] == MEMBERS
        example = f"{lacking[0]}=NaiveBayes{'+Tree' if many else ''}"
        raise usage("--set", f"{cls.__name__} needs {lacking[0]}; say it, such as --set {example}.")
    return cls(**parameters)
