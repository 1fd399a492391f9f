"""Made by `make registry` from the sources: do not edit."""

# ruff: noqa: I001

from suffice.summaries.counts import Counts as Counts
from suffice.summaries.full_moments import FullMoments as FullMoments
from suffice.summaries.least_squares import LeastSquaresSummary as LeastSquaresSummary
from suffice.summaries.moments import Moments as Moments
from suffice.summaries.pattern_moments import PatternMoments as PatternMoments
from suffice.summaries.quartic_moments import QuarticMoments as QuarticMoments
from suffice.summaries.rankings import Rankings as Rankings
from suffice.summaries.rows_summary import RowsSummary as RowsSummary
from suffice.summaries.start_rows import StartRows as StartRows
from suffice.summaries.triangular import TriangularFactor as TriangularFactor
from suffice.summaries.wide_moments import WideMoments as WideMoments

__all__ = [
    "Counts",
    "FullMoments",
    "LeastSquaresSummary",
    "Moments",
    "PatternMoments",
    "QuarticMoments",
    "Rankings",
    "RowsSummary",
    "StartRows",
    "TriangularFactor",
    "WideMoments",
]
