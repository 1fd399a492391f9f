"""Which tables of costs are refused, in plain loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def free(tables: Sequence[Sequence[Sequence[Any]]]) -> bool:
    """Whether some action costs nothing in any of the tables, whatever the truth, and nothing is a benefit."""
    costs = [cost for table in tables for row in table for cost in row]
    if min(costs) < 0:
        return False
    return any(all(row[action] == 0 for table in tables for row in table) for action in range(len(tables[0])))
