"""A comparison of models as text and as HTML: one table, and the sentences below it."""

from __future__ import annotations

from html import escape
from typing import Any

from suffice.evaluation.scores.confusion import aligned, label_text
from suffice.evaluation.scores.named_scores import LARGER_IS_BETTER

SHOWN = 10  # rows that are listed
FEW = 5  # splits below which a test over splits finds little
BESIDE = {True: ("accuracy", "log_loss"), False: ("root_mean_squared_error", "r2")}  # shown besides


def columns(found: Any) -> tuple[str, ...]:
    """The names of the columns."""
    return ("model", found.scoring, "low", "high", *_beside(found), "behind", "p", "verdict", "seconds", "folds")


def lines(found: Any) -> list[tuple[Any, ...]]:
    """A line a model, the best first: its scores, how far behind the best it is, and whether that may be chance."""
    out = []
    for model in found.models:
        value, low, high, _ = found.estimate(model.name)
        more = [_value(found.estimate(model.name, name).value) for name in _beside(found)]
        behind: tuple[Any, ...] = (None, None, "best")
        if model is not found.best:
            pair = found.pair(found.best.name, model.name)
            behind = (_gap(pair), _value(pair.p), "tie" if pair.tied else "worse")
        out.append((model.name, value, low, high, *more, *behind, model.seconds, model.result.path))
    return out


def sentences(found: Any) -> list[str]:
    """What the numbers mean."""
    told = [_about_test(found)]
    if len(found.models) > 1 and found.splits < FEW:
        told.append(
            f"With {found.splits} splits the test has {found.splits - 1} degrees of freedom and tells little; take 10."
        )
    if len(found.ties) > 1:
        told.append(f"Tied, as these rows do not tell which is better: {', '.join(found.ties)}.")
    if len(found.models) > 1 and all(model.answers is not None for model in found.models):
        told.append(_about_rows(found))
    told += [f"Left out: {name} ({why.rstrip('.')})." for name, why in found.left_out.items()]
    return told


def as_text(found: Any) -> str:
    """For people."""
    cells = [[label_text(_text(cell)) for cell in line] for line in (columns(found), *lines(found))]
    return "\n\n".join((aligned(cells), "\n".join(sentences(found))))


def as_html(found: Any) -> str:
    """The same as a table of HTML, every cell escaped."""
    head = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in columns(found))
    body = "".join(f"<tr>{''.join(f'<td>{escape(_text(cell))}</td>' for cell in line)}</tr>" for line in lines(found))
    below = "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences(found))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}"


def _beside(found: Any) -> tuple[str, ...]:
    return tuple(name for name in BESIDE[found.classes] if name != found.scoring)


def _gap(pair: Any) -> float | None:
    return None if pair.test is None else float(pair.test.difference)


def _about_test(found: Any) -> str:
    way = "larger" if found.scoring in LARGER_IS_BETTER else "smaller"
    name = found.scoring.replace("_", " ")
    start = f"{name[:1].upper()}{name[1:]} ({way} is better) over all tested rows with its 95 % interval"
    if len(found.models) < 2:
        return f"{start}, {found.splits} splits."
    return (
        f"{start}, {found.splits} splits; p of a paired t test over the splits, corrected for shared training rows, "
        f"and by Holm for {len(found.pairs)} pairs."
    )


def _about_rows(found: Any) -> str:
    """The rows that would tell those apart that the tests do not; of a single best one, all of them."""
    some = found.ties if len(found.ties) > 1 else ()
    who = "the tied models" if some else "the models"
    rows = found.disagreements(*some)
    first = ", ".join(map(str, rows[:SHOWN].tolist()))
    if not found.classes:
        return f"Rows on which the predictions of {who} are widest apart: {first or 'none'}."
    if not len(rows):
        return f"There is no row that {who} answer differently."
    more = "first " if len(rows) > SHOWN else ""
    return f"Rows that {who} answer differently: {len(rows):,} of {len(found.truth):,} ({more}{first})."


def _value(number: float) -> float | None:
    return None if number != number else float(number)


def _text(cell: Any) -> str:
    if cell is None:
        return ""
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell).replace("_", " ")
