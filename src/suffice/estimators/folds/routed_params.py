"""What users hand to `fit` of a search for its splitter and its scorer: scikit-learn's metadata routing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.utils import Bunch
from sklearn.utils.metadata_routing import (
    MetadataRouter,
    MethodMapping,
    _raise_for_params,
    _routing_enabled,
    process_routing,
)
from sklearn.utils.validation import _check_method_params as params_of_rows

from suffice.core.block import Array
from suffice.core.errors import in_our_name


def routing_enabled() -> bool:
    """Whether scikit-learn's metadata routing is on."""
    return bool(_routing_enabled())


def refuse_params(params: dict[str, Any], estimator: Any, verb: str) -> None:
    """Refuse parameters that would have to be routed where routing is off."""
    _raise_for_params(params, estimator, verb)


@dataclass(frozen=True)
class Routed:
    """What goes to the splitter, what to the scorer, and whether scores take the weights of the rows."""

    split: Mapping[str, Any] = field(default_factory=dict)  # groups, mostly
    score: Mapping[str, Any] = field(default_factory=dict)  # all but weights
    weighed: bool = True

    def to_score(self, rows: Array, n: int) -> dict[str, Any]:
        """What the scorer gets beside some of n rows."""
        return dict(params_of_rows(np.zeros((n, 1)), dict(self.score), indices=rows)) if self.score else {}


def routed_params(estimator: Any, sample_weight: Any, params: Mapping[str, Any]) -> Routed:
    """The parameters of `fit` by where they go. Without routing, weights go to the scorer and no other is taken."""
    if not params and (sample_weight is None or not routing_enabled()):  # nothing to be sent
        return Routed()
    with in_our_name(estimator._owner):
        refuse_params(dict(params), estimator, "fit")
        given = {} if sample_weight is None else {"sample_weight": sample_weight}
        sent = process_routing(estimator, "fit", **given, **params)
    scorer = dict(getattr(sent, "scorer", Bunch(score={})).score)
    weighed = scorer.pop("sample_weight", None) is not None
    return Routed(dict(sent.splitter.split), scorer, weighed)


def search_router(estimator: Any, splitter: Any, scorer: Any = None) -> MetadataRouter:
    """Who asks for what: the estimator itself, its splitter, and its scorer if it has one."""
    fits = MethodMapping().add(caller="fit", callee="split")
    router = MetadataRouter(owner=estimator).add_self_request(estimator).add(splitter=splitter, method_mapping=fits)
    if scorer is not None:
        scores = MethodMapping().add(caller="fit", callee="score")
        if hasattr(type(estimator), "_scores_by_choice"):
            scores = scores.add(caller="score", callee="score")
        router = router.add(scorer=scorer, method_mapping=scores)
    return router
