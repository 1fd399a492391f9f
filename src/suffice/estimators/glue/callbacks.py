"""scikit-learn's callbacks: whoever watches a fit is told when it begins and ends.

A fit is one task, whatever passes it takes: they may run in threads, or on an engine where no callback is.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from sklearn.callback import with_callbacks

VERBS = ("fit", "partial_fit")
WATCHED = {"_skl_callbacks", "_parent_callback_ctx"}  # what an estimator has that is watched, by itself or from around
TOLD = "_callback_fit_ctx"  # and while it tells


def told(estimator: Any, verb: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """What a verb gives, and its callbacks told of it."""
    given = inspect.signature(verb).bind_partial(estimator, *args, **kwargs).arguments
    task: dict[str, Any] = {
        "estimator": estimator,
        "X": given.get("X"),
        "y": given.get("y"),
        "metadata": {"sample_weight": given.get("sample_weight")},
    }

    def watched(estimator: Any) -> Any:
        context = estimator._init_callback_context(task_name=verb.__name__)
        context.call_on_fit_task_begin(**task)
        found = verb(estimator, *args, **kwargs)
        context.call_on_fit_task_end(**task, reconstruction_attributes={})
        return found

    return with_callbacks(watched)(estimator)
