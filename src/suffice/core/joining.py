"""A summary together with its schema adds too: kinds join, summaries are lifted to the joined schema, then added.

So files whose columns show their kinds late, shards that disagree and models that merge take one path.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from suffice.core.schema import Schema


def add_joined(parts: Sequence[tuple[Schema, Any]], lift: Callable[[Any, Schema, Schema], Any]) -> tuple[Schema, Any]:
    """The joined schema and the sum of at least one summary, each over its own schema."""
    schema = reduce(Schema.join, (schema for schema, _ in parts[1:]), parts[0][0])
    lifted = [lift(summary, old, schema) for old, summary in parts]
    return schema, lifted[0] if len(lifted) == 1 else type(lifted[0]).sum(lifted)
