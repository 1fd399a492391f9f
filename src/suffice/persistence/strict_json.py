"""JSON from a stranger: what is ambiguous, infinite or bottomless is refused."""

from __future__ import annotations

import json
import math
from typing import Any

from suffice.core.errors import BadFile, shown


def parse(text: str | bytes, what: str) -> Any:
    """Parse JSON; refuses a name given twice, numbers that are not finite, and nesting without end."""
    try:
        decoded = text if isinstance(text, str) else text.decode("utf-8")
        return json.loads(decoded, object_pairs_hook=_distinct, parse_constant=_finite, parse_float=_finite)
    except UnicodeDecodeError:
        raise BadFile(f"its {what} is not UTF-8 text") from None
    except RecursionError:
        raise BadFile(f"its {what} is nested too deeply") from None
    except ValueError as error:
        raise BadFile(f"its {what} is not proper JSON ({shown(str(error))})") from None


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise ValueError("a name occurs twice")
    return table


def _finite(text: str) -> float:
    number = float(text)  # also NaN and Infinity, which are not JSON but which the parser knows
    if not math.isfinite(number):
        raise ValueError(f"{text[:20]} is not a finite number")
    return number
