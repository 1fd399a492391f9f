"""SelectKBest and SelectPercentile: the columns with the best scores, each scored alone, in one pass."""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval, StrOptions

from suffice.core.errors import bad
from suffice.estimators.boundary.doors import ArrayOrSparseRows
from suffice.estimators.boundary.targets import LabelColumn, NumberColumn, Target
from suffice.estimators.glue.one_pass_transformer import OnePassSupervisedTransformer
from suffice.features.selection.column_scores import SCORES
from suffice.features.selection.filter_plan import FilterPlan
from suffice.features.selection.filter_readings import FilterReadings
from suffice.features.selection.number_scores import NUMBER_SCORES

NAMES = {*SCORES, *NUMBER_SCORES}
PEERS = ("f_classif", "chi2", "f_regression")  # functions of scikit-learn that are known here
CONSTRAINTS: dict[str, Any] = {
    "score_func": [StrOptions(NAMES), callable],
    "bins": [Interval(Integral, 2, None, closed="left"), None],
    "ledger": "no_validation",
    "threads": [Interval(Integral, 1, None, closed="left"), None],
}
ROWS = ArrayOrSparseRows()
LARGE = ArrayOrSparseRows(multiplied=1 << 30)  # infinite cells of large tables are met by the pass itself


def score_name(owner: str, given: Any) -> str:
    """A score by its name, or by scikit-learn's function of that name."""
    if isinstance(given, str):
        return given
    name = getattr(given, "__name__", "")
    if name in PEERS and getattr(given, "__module__", "").startswith("sklearn."):
        return str(name)
    rule = f"one of {sorted(NAMES)}, or scikit-learn's {', '.join(PEERS)}"
    raise bad(owner, "score_func", rule, given, "Other functions need all rows at once: use scikit-learn's selector.")


def target_of(name: str) -> Target:
    """How y is read for a score."""
    return NumberColumn() if name in NUMBER_SCORES else LabelColumn()


def door_of(name: str) -> ArrayOrSparseRows:
    """How X is read for a score."""
    return ROWS if name in NUMBER_SCORES else LARGE


def _tags(selector: Any) -> Any:
    """What scikit-learn may expect of a selector: columns as they are."""
    tags = OnePassSupervisedTransformer.__sklearn_tags__(selector)
    tags.transformer_tags.preserves_dtype = ["float64", "float32"]
    return tags


class SelectKBest(FilterReadings, OnePassSupervisedTransformer):
    """The k columns with the best scores, for scikit-learn users: one pass, exact, mergeable, forgetting.

    Parameters
    ----------
    score_func : of classes "f_classif", "chi_square", "chi2", "information_gain", "gain_ratio", "mutual_information";
        of numbers "f_regression", "correlation"; or scikit-learn's f_classif, chi2, f_regression. Those are read from
        moments; chi_square, gains and mutual information from the distinct values of each column, which are kept
    k : how many columns stay; "all"
    bins : of values, for scores of tables; None: each value is one
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    scores_, pvalues_, n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import SelectKBest
    >>> best = SelectKBest(k=1).fit([[1.0, 5.0], [2.0, 4.0]], ["a", "a"])
    >>> best = best.partial_fit([[8.0, 5.0], [9.0, 4.0]], ["b", "b"])
    >>> best.scores_.tolist(), best.get_support().tolist()
    ([98.0, 0.0], [True, False])
    """

    __sklearn_tags__ = _tags
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **CONSTRAINTS,
        "k": [StrOptions({"all"}), Interval(Integral, 0, None, closed="left")],
    }

    @property
    def _door(self) -> Any:
        return door_of(score_name(self._owner, self.score_func))

    @property
    def _target(self) -> Any:  # type: ignore[override]
        return target_of(score_name(self._owner, self.score_func))

    def __init__(
        self,
        score_func: Any = "f_classif",
        *,
        k: Any = 10,
        bins: int | None = None,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.score_func = score_func
        self.k = k
        self.bins = bins
        self.threads = threads
        self.ledger = ledger

    def _plan(self) -> FilterPlan:
        width = vars(self).get("n_features_in_")
        if width is not None and self.k != "all" and self.k > width:
            told = f"k={self.k} is greater than n_features={width}. All the features will be returned."
            warnings.warn(f"{self._owner}: {told}", UserWarning, stacklevel=6)
        amount = None if self.k == "all" else float(self.k)
        return FilterPlan(self._owner, score_name(self._owner, self.score_func), self.bins, "count", amount)

    def _parameters(self) -> dict[str, Any]:
        return {**super()._parameters(), "score_func": score_name(self._owner, self.score_func)}


class SelectPercentile(FilterReadings, OnePassSupervisedTransformer):
    """A share of the columns, those with the best scores: one pass, exact, mergeable, forgetting.

    Parameters
    ----------
    score_func, bins, threads, ledger : as of `SelectKBest`
    percentile : how many per cent of the columns stay

    Attributes
    ----------
    scores_, pvalues_, n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import SelectPercentile
    >>> X, y = [[1.0, 5.0], [2.0, 4.0], [8.0, 5.0], [9.0, 4.0]], ["a", "a", "b", "b"]
    >>> SelectPercentile("information_gain", percentile=50).fit_transform(X, y).ravel().tolist()
    [1.0, 2.0, 8.0, 9.0]
    """

    __sklearn_tags__ = _tags
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **CONSTRAINTS,
        "percentile": [Interval(Real, 0, 100, closed="both")],
    }

    @property
    def _door(self) -> Any:
        return door_of(score_name(self._owner, self.score_func))

    @property
    def _target(self) -> Any:  # type: ignore[override]
        return target_of(score_name(self._owner, self.score_func))

    def __init__(
        self,
        score_func: Any = "f_classif",
        *,
        percentile: float = 10,
        bins: int | None = None,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.score_func = score_func
        self.percentile = percentile
        self.bins = bins
        self.threads = threads
        self.ledger = ledger

    def _plan(self) -> FilterPlan:
        name = score_name(self._owner, self.score_func)
        return FilterPlan(self._owner, name, self.bins, "percent", float(self.percentile))

    def _parameters(self) -> dict[str, Any]:
        return {**super()._parameters(), "score_func": score_name(self._owner, self.score_func)}
