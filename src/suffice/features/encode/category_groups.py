"""OrderCategories and GroupCategories: an order for categories, and fewer of them.

z = rank of the category,     z = number of its group
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from suffice.core.errors import bad
from suffice.estimators.boundary.doors import AnyTable
from suffice.estimators.boundary.targets import LabelColumn, NoTarget
from suffice.estimators.glue.one_pass_transformer import OnePassSupervisedTransformer
from suffice.features.encode.symbol_codes import AlikeTogether, ByRate, CodePlan, CodeReadings, InOrder, RareTogether

LABELS, NOTHING = LabelColumn(), NoTarget()


class OrderCategories(CodeReadings, OnePassSupervisedTransformer):
    """An order without a scale: categories as ranks, given, by how frequent they are, or by the rate of a class.

    Parameters
    ----------
    order : "target" (rising share of the last class), "frequency", or one list of categories a column, lowest first
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    categories_ : of each column, in order

    Examples
    --------
    >>> from suffice import OrderCategories
    >>> X, y = [["a"], ["a"], ["b"], ["b"], ["c"]], [1, 1, 0, 1, 0]
    >>> OrderCategories().fit(X, y).categories_[0].tolist()
    ['c', 'b', 'a']
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "order": "no_validation",
        "ledger": "no_validation",
        "threads": "no_validation",
    }
    _door = AnyTable(allow_nan=True)

    def __init__(self, order: Any = "target", *, threads: int | None = None, ledger: Any = None) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.order = order
        self.threads = threads
        self.ledger = ledger

    @property
    def _target(self) -> Any:  # type: ignore[override]
        return LABELS if isinstance(self.order, str) and self.order == "target" else NOTHING

    def _plan(self) -> CodePlan:
        if isinstance(self.order, str):
            if self.order not in ("target", "frequency"):
                raise bad(self._owner, "order", "'target', 'frequency' or one list a column", self.order)
            return CodePlan(self._owner, ByRate(self.order == "target"), np.nan)
        if not isinstance(self.order, (list, tuple)) or not all(isinstance(some, (list, tuple)) for some in self.order):
            raise bad(self._owner, "order", "'target', 'frequency' or one list a column", self.order)
        if any(len(set(map(repr, some))) < len(some) for some in self.order):
            raise bad(self._owner, "order", "different categories, lowest first", self.order)
        return CodePlan(self._owner, InOrder(tuple(tuple(some) for some in self.order)), np.nan)

    def _parameters(self) -> dict[str, Any]:
        order = self.order if isinstance(self.order, str) else [list(some) for some in self.order]
        return {**super()._parameters(), "order": order}

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        tags.target_tags.required = self._target is LABELS
        tags.transformer_tags.preserves_dtype = []
        return tags


class GroupCategories(CodeReadings, OnePassSupervisedTransformer):
    """Fewer categories: rare ones together, or those whose classes do not differ significantly.

    Parameters
    ----------
    by : "rare" (categories of fewer than `min_share` of the rows are the last group, which takes unseen ones too) or
        "target" (in the order of the share of the last class, neighbours merge while chi-square is not significant)
    min_share : of "rare"
    p : level of significance of "target"
    max_groups : largest number of groups; None: any
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    groups_ : the categories of each group, column by column

    Examples
    --------
    >>> from suffice import GroupCategories
    >>> X = [["a"]] * 5 + [["b"]] * 4 + [["c"], ["d"]]
    >>> GroupCategories(min_share=0.2).fit(X).groups_
    [[['a'], ['b'], ['c', 'd']]]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = dict.fromkeys(
        ("by", "min_share", "p", "max_groups", "threads", "ledger"), "no_validation"
    )
    _door = AnyTable(allow_nan=True)

    def __init__(
        self,
        by: str = "rare",
        *,
        min_share: float = 0.01,
        p: float = 0.05,
        max_groups: int | None = None,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.by = by
        self.min_share = min_share
        self.p = p
        self.max_groups = max_groups
        self.threads = threads
        self.ledger = ledger

    @property
    def _target(self) -> Any:  # type: ignore[override]
        return LABELS if self.by == "target" else NOTHING

    def _plan(self) -> CodePlan:
        if self.by not in ("rare", "target"):
            raise bad(self._owner, "by", "'rare' or 'target'", self.by)
        for name in ("min_share", "p"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, float, np.number)) or not 0 < value < 1:
                raise bad(self._owner, name, "a share between 0 and 1", value)
        most = self.max_groups
        if most is not None and (isinstance(most, bool) or not isinstance(most, (int, np.integer)) or most < 1):
            raise bad(self._owner, "max_groups", "a whole number of at least 1", most)
        if self.by == "target":
            return CodePlan(self._owner, AlikeTogether(float(self.p), most), np.nan)
        return CodePlan(self._owner, RareTogether(float(self.min_share), most), np.nan)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        tags.target_tags.required = self._target is LABELS
        tags.transformer_tags.preserves_dtype = []
        return tags
