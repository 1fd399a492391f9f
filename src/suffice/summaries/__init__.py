"""What is kept of the rows: moments (of columns, of pairs of them), counts (of symbols, of words), rankings, starts."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "Counts": "suffice.summaries.counts",
    "FullMoments": "suffice.summaries.full_moments",
    "LeastSquaresSummary": "suffice.summaries.least_squares",
    "Moments": "suffice.summaries.moments",
    "PatternMoments": "suffice.summaries.pattern_moments",
    "QuarticMoments": "suffice.summaries.quartic_moments",
    "Rankings": "suffice.summaries.rankings",
    "RowsSummary": "suffice.summaries.rows_summary",
    "StartRows": "suffice.summaries.start_rows",
    "TriangularFactor": "suffice.summaries.triangular",
    "WideMoments": "suffice.summaries.wide_moments",
}

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
