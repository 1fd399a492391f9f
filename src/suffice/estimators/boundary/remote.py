"""Tables that lie on a cluster: refused by who wants them in memory, instead of gathered unasked."""

from __future__ import annotations

from typing import Any

from suffice.core.errors import bad

REMOTE = frozenset({"dask", "dask_expr", "distributed", "pyspark", "ray", "modin"})


def refuse_remote(owner: str, X: Any) -> None:
    """Refuse a collection of an engine."""
    library = type(X).__module__.partition(".")[0]
    if library in REMOTE:
        remedy = "Write it to files and pass their names, or gather it yourself by compute()."
        raise bad(owner, "X", "a table in memory, or files", f"a {type(X).__name__} of {library}", remedy)
