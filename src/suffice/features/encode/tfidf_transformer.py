"""TfidfTransformer: counts of words weighted by how few rows have the word, from counts that add.

z_j = tf_j idf_j / |z|,     idf_j = log((1 + n) / (1 + rows that have word j)) + 1
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.core.block import Array, Block, Words
from suffice.core.kinds import Kind
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.core.shares import Shares
from suffice.core.sparse import is_sparse, with_cells
from suffice.core.summary import Together
from suffice.core.tally import Tally
from suffice.estimators.boundary.doors import ArrayOrSparseRows
from suffice.estimators.faces.transformer import Transformer
from suffice.estimators.glue.one_pass_transformer import OnePassTransformer
from suffice.features.column_plan import ColumnLearner, NumberCells, pooled
from suffice.features.encode.row_norms import unit_rows
from suffice.summaries.counts import Counts


class TfidfReadings:
    """Weights of the words."""

    @property
    def idf_(self: Any) -> Array:
        """What the counts of each column are multiplied by (d,)."""
        return np.array(self._state()[0].model.idf)


class TfidfTransformer(TfidfReadings, OnePassTransformer):
    """Term frequency times inverse document frequency, for scikit-learn users: one pass, mergeable, forgetting.

    Parameters
    ----------
    norm : "l1", "l2", or None: rows are not divided by their length
    use_idf : whether counts are weighted; otherwise only divided
    smooth_idf : whether one more row with every word is counted, so that no weight is infinite
    sublinear_tf : whether a count c becomes 1 + log(c)
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    idf_, n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from suffice import TfidfTransformer
    >>> model = TfidfTransformer(norm=None).fit(csr_array([[1.0, 0.0], [2.0, 3.0]]))
    >>> model.idf_.round(4).tolist()
    [1.0, 1.4055]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "norm": [StrOptions({"l1", "l2"}), None],
        "use_idf": ["boolean"],
        "smooth_idf": ["boolean"],
        "sublinear_tf": ["boolean"],
        "ledger": "no_validation",
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }
    _door = ArrayOrSparseRows({"dtype": ["float64", "float32"], "accept_sparse": "csr"})

    def __init__(
        self,
        *,
        norm: str | None = "l2",
        use_idf: bool = True,
        smooth_idf: bool = True,
        sublinear_tf: bool = False,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.norm = norm
        self.use_idf = use_idf
        self.smooth_idf = smooth_idf
        self.sublinear_tf = sublinear_tf
        self.threads = threads
        self.ledger = ledger

    def transform(self, X: Any, copy: bool | None = None) -> Any:
        """Weighted counts (n, d), always sparse.

        Parameters
        ----------
        X : table of counts
        copy : taken for the sake of scikit-learn's interface; X is never changed
        """
        return Transformer.transform(self, X)

    def _plan(self) -> TfidfPlan:
        options = bool(self.use_idf), bool(self.smooth_idf), bool(self.sublinear_tf)
        return TfidfPlan(self._owner, self.norm, *options)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


@saved
@dataclass(frozen=True)
class TfidfPlan(NumberCells):
    """How counts are weighted and divided."""

    norm: str | None = "l2"
    weighted: bool = True
    smooth: bool = True
    sublinear: bool = False

    allow_nan: ClassVar[bool] = False

    def check_sparse(self) -> None:
        """Zeros stay zeros."""

    def learner(self, schema: Schema) -> TfidfLearner:
        """The learner."""
        return TfidfLearner(self, schema)

    def readings(self) -> tuple[type[Any], ...]:
        """Weights of the words."""
        return (TfidfReadings,)


@dataclass(frozen=True)
class TfidfLearner(ColumnLearner):
    """Counts rows, and those that have each word."""

    by_columns = False

    def shared(self, block: Block, R: Shares) -> Together:
        """Of the rows of each component."""
        X = block.parts[0] if block.parts else np.zeros((0, len(self.schema.columns)))
        return Together((Tally.of(R), Counts.of_words(Words(X, range(X.shape[1]), owner=self.plan.owner), R, 0.0)))

    def estimate(self, summary: Any, model: Any = None) -> TfidfWeights:
        """Weights of the words."""
        kept: Any = summary if len(summary.parts[0].rows) == 1 else pooled(summary)
        tally, counts = kept.parts
        n, having = float(tally.weight.value[0]), np.zeros(len(self.schema.columns))
        having[list(counts.labels[0])] = counts.weight[0]
        more = float(self.plan.smooth)
        with np.errstate(divide="ignore"):  # a word of no row, where that is not smoothed
            return TfidfWeights(self.plan, np.log((n + more) / (having + more)) + 1.0)


@dataclass(frozen=True)
class TfidfWeights:
    """What the counts of each word are multiplied by."""

    plan: TfidfPlan
    idf: Array  # (d,)

    def map(self, block: Block) -> Block:
        """Weighted counts of the rows, sparse."""
        X = block.parts[0]
        if not is_sparse(X):
            from scipy.sparse import csr_matrix

            X = csr_matrix(X)
        cells = X.data.astype(np.float64)
        if self.plan.sublinear:
            with np.errstate(divide="ignore", invalid="ignore"):  # counts are at least 0, and those stored above it
                cells = np.log(cells) + 1.0
        if self.plan.weighted:
            cells = cells * self.idf[X.indices]
        rows = with_cells(X, cells)
        rows = rows if self.plan.norm is None else unit_rows(rows, self.plan.norm)
        return block._replace(parts=(rows.astype(X.dtype if X.dtype == np.float32 else np.float64, copy=False),))

    def map_schema(self, schema: Schema) -> Schema:
        """The same columns, of which numbers are what any other number may be."""
        return Schema(tuple(replace(column, kind=Kind.QUANTITATIVE) for column in schema.columns))

    def names_out(self, names: tuple[Any, ...]) -> tuple[Any, ...]:
        """The names of the columns stay."""
        return names
