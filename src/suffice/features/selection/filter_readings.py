"""What a fitted filter tells of itself: the same for estimators and for loaded models. No scikit-learn."""

from __future__ import annotations

from suffice.estimators.reading import reading
from suffice.features.selection.kept_columns import get_support


class FilterReadings:
    """Scores, p-values, and which columns stay."""

    scores_ = reading("scored.scores", "The score of each column (d,).")
    pvalues_ = reading("scored.p_values", "The p-value of each column (d,); None where the score is no test.")
    get_support = get_support
