"""Pictures, one Display each, as in scikit-learn; drawn by matplotlib: pip install 'suffice[plot]'."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "AndrewsCurvesDisplay": "suffice.plots.andrews",
    "BoxDisplay": "suffice.plots.box",
    "CalibrationMapDisplay": "suffice.plots.calibration_map",
    "CoefficientPathDisplay": "suffice.plots.coefficient_path",
    "ConfusionDisplay": "suffice.plots.confusion",
    "ContourDisplay": "suffice.plots.contour",
    "CostCurveDisplay": "suffice.plots.cost_curve",
    "CoverageDisplay": "suffice.plots.coverage",
    "DecisionRegionDisplay": "suffice.plots.decision_region",
    "DensityDisplay": "suffice.plots.density",
    "HistogramDisplay": "suffice.plots.histogram",
    "MarginPanelDisplay": "suffice.plots.margin_panels",
    "ParallelCoordinatesDisplay": "suffice.plots.parallel_coordinates",
    "PercentileDisplay": "suffice.plots.percentile",
    "PrecisionRecallDisplay": "suffice.plots.precision_recall",
    "ProbabilitySurfaceDisplay": "suffice.plots.probability_surface",
    "RadvizDisplay": "suffice.plots.radviz",
    "RejectCurveDisplay": "suffice.plots.reject_curve",
    "ReliabilityDisplay": "suffice.plots.reliability",
    "RocDisplay": "suffice.plots.roc",
    "ScatterMatrixDisplay": "suffice.plots.scatter_matrix",
    "SelectionDisplay": "suffice.plots.selection",
    "SpyDisplay": "suffice.plots.spy",
    "WordProfileDisplay": "suffice.plots.word_profile",
}

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
