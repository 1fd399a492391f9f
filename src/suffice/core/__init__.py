"""The algebra: blocks, shares, summaries that add, learners and sources, kinds and schema, errors."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "Always": "suffice.core.learner",
    "BadFile": "suffice.core.errors",
    "BadInput": "suffice.core.errors",
    "BadType": "suffice.core.errors",
    "Block": "suffice.core.block",
    "ByClass": "suffice.core.by_class",
    "Coded": "suffice.core.block",
    "Column": "suffice.core.schema",
    "Kind": "suffice.core.kinds",
    "Learner": "suffice.core.learner",
    "NegativeCounts": "suffice.core.errors",
    "NeverAdded": "suffice.core.errors",
    "NotASummary": "suffice.core.errors",
    "Pair": "suffice.core.double_double",
    "PassLearner": "suffice.core.learner",
    "Passes": "suffice.core.learner",
    "Schema": "suffice.core.schema",
    "Shares": "suffice.core.shares",
    "Source": "suffice.core.learner",
    "Storage": "suffice.core.kinds",
    "SufficeError": "suffice.core.errors",
    "Summary": "suffice.core.summary",
    "Tally": "suffice.core.tally",
    "Together": "suffice.core.summary",
    "Words": "suffice.core.block",
    "iterate": "suffice.core.learner",
    "learn": "suffice.core.learner",
    "learn_folds": "suffice.core.learner",
}

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
