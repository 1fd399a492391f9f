"""What is kept of the rows: moments (of columns, of pairs of columns), counts (of symbols, of words), rankings."""

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
    "TriangularFactor": "suffice.summaries.triangular",
}

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
