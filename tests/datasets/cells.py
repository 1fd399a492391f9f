"""What the tests of the clinic share: the kinds of its columns, and which cells are missing."""

from __future__ import annotations

import numpy as np

KINDS = {
    "patient": "identifier",
    "admitted": "date",
    "age": "quantitative",
    "temperature": "quantitative",
    "systolic": "quantitative",
    "crp": "quantitative",
    "visits": "count",
    "medicines": "count",
    "cough": "boolean",
    "breathless": "boolean",
    "chills": "boolean",
    "smoker": "boolean",
    "vaccinated": "boolean",
    "ward": "categorical",
    "blood": "categorical",
    "severity": "ordinal",
    "notes": "text",
}


def unseen(column):
    """Where a column has no cell."""
    if column.dtype == object:
        return np.array([cell is None for cell in column], dtype=bool)
    return np.isnat(column) if column.dtype.kind == "M" else column != column
