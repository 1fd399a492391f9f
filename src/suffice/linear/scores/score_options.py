"""Parameters that all classifiers by linear scores have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sklearn.utils._param_validation import StrOptions

from suffice.estimators.design.missing_option import MISSING_RULE
from suffice.estimators.glue.one_pass_classifier import CONSTRAINTS
from suffice.linear.scores.linear_scores import TIES

SCORER_CONSTRAINTS: dict[str, Any] = {
    **CONSTRAINTS,
    "kinds": [Mapping, None],
    "missing": MISSING_RULE,
    "ties": [StrOptions(set(TIES))],
}
