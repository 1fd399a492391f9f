"""Discretizer: columns of numbers cut into bins, by classes or by values alone, from rankings that add.

z = number of limits that are at most x
"""

from __future__ import annotations

from typing import Any, ClassVar

from suffice.core.errors import bad
from suffice.estimators.boundary.doors import NumberRows
from suffice.estimators.boundary.targets import LabelColumn, NoTarget
from suffice.estimators.glue.one_pass_transformer import OnePassSupervisedTransformer
from suffice.features.discretise.bins import BinPlan, BinReadings
from suffice.features.discretise.strategies import read_strategy

SUPERVISED = ("mdl", "recpart", "chimerge")
LABELS, NOTHING = LabelColumn(), NoTarget()
ENCODES, MISSING = ("ordinal", "onehot"), ("own", "propagate", "spread")


class Discretizer(BinReadings, OnePassSupervisedTransformer):
    """Bins that separate classes, or that follow the values alone: one pass, exact, mergeable, forgetting.

    What is kept is the ranking of each column by class, so that cuts from shards equal those of all rows. Any number
    of classes, weights as copies, missing cells.

    Parameters
    ----------
    strategy : "mdl" (recursive partitioning by the description length of Fayyad and Irani), "recpart" (with any
        `objective` and `stop`), "chimerge" (neighbours merge while chi-square is not significant at `p`), "kmeans",
        "kmedians" (exact, by dynamic programming), "ward", "equal_width", "equal_frequency", "deviations" (limits at
        whole standard deviations around the mean)
    n_bins : for the strategies that need a number
    objective : "information_gain", "gini", "root_gini" or "chi_square", of a split in two
    stop : "mdl", or "constant": only where the class shares of a segment are
    p : level of significance of "chimerge"
    max_bins : largest number of bins of the strategies that choose it
    encode : "ordinal" (numbers of bins) or "onehot" (their indicators)
    missing : "own" (a bin of its own, the last), "propagate" (missing stays missing), or "spread" (in the shares of the
        bins; with "onehot")
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    cuts_ : limits of each column
    n_bins_ : number of bins of each column

    Examples
    --------
    >>> from suffice import Discretizer
    >>> bins = Discretizer("chimerge").fit([[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]], [0, 0, 0, 1, 1, 1])
    >>> bins.cuts_, bins.transform([[4.0], [6.0]]).tolist()
    ([array([5.])], [[0.0], [1.0]])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "strategy": "no_validation",
        "n_bins": "no_validation",
        "objective": "no_validation",
        "stop": "no_validation",
        "p": "no_validation",
        "max_bins": "no_validation",
        "encode": "no_validation",
        "missing": "no_validation",
        "ledger": "no_validation",
        "threads": "no_validation",
    }
    _door = NumberRows({"dtype": ["float64", "float32"], "ensure_all_finite": "allow-nan"})

    def __init__(
        self,
        strategy: str = "mdl",
        *,
        n_bins: int = 5,
        objective: str = "information_gain",
        stop: str = "mdl",
        p: float = 0.05,
        max_bins: int | None = None,
        encode: str = "ordinal",
        missing: str = "own",
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.strategy = strategy
        self.n_bins = n_bins
        self.objective = objective
        self.stop = stop
        self.p = p
        self.max_bins = max_bins
        self.encode = encode
        self.missing = missing
        self.threads = threads
        self.ledger = ledger

    @property
    def _target(self) -> Any:  # type: ignore[override]
        return LABELS if self.strategy in SUPERVISED else NOTHING

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self.strategy in SUPERVISED
        return tags

    def _plan(self) -> BinPlan:
        names = ("n_bins", "objective", "stop", "p", "max_bins")
        strategy = read_strategy(self._owner, self.strategy, {name: getattr(self, name) for name in names})
        for name, known in (("encode", ENCODES), ("missing", MISSING)):
            if getattr(self, name) not in known:
                raise bad(self._owner, name, f"one of {known}", getattr(self, name))
        if self.missing == "spread" and self.encode != "onehot":
            raise bad(self._owner, "encode", "'onehot' where missing cells are spread", self.encode, "Use 'onehot'.")
        return BinPlan(self._owner, strategy, self.encode, self.missing)
