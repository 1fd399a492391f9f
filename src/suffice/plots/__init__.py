"""Pictures, one Display each, as in scikit-learn; drawn by matplotlib: pip install 'suffice[plot]'."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "AndrewsCurvesDisplay": "suffice.plots.displays.andrews_display",
    "BoundDisplay": "suffice.plots.learning.bound_display",
    "BoxDisplay": "suffice.plots.displays.box_display",
    "CalibratedGridDisplay": "suffice.plots.features.calibrated_grid_display",
    "CalibrationMapDisplay": "suffice.plots.displays.calibration_map_display",
    "CoefficientPathDisplay": "suffice.plots.displays.coefficient_path_display",
    "ComparisonDisplay": "suffice.plots.learning.comparison_display",
    "ConfusionDisplay": "suffice.plots.displays.confusion_display",
    "ContourDisplay": "suffice.plots.displays.contour_display",
    "CostCurveDisplay": "suffice.plots.displays.cost_curve_display",
    "CoverageDisplay": "suffice.plots.displays.coverage_display",
    "CutsDisplay": "suffice.plots.features.cuts_display",
    "DecisionRegionDisplay": "suffice.plots.displays.decision_region_display",
    "DendrogramDisplay": "suffice.plots.cluster_displays.dendrogram_display",
    "DenseRegionDisplay": "suffice.plots.cluster_displays.dense_region_display",
    "DensityDisplay": "suffice.plots.displays.density_display",
    "EpochDisplay": "suffice.plots.learning.epoch_display",
    "HiddenOutputDisplay": "suffice.plots.learning.hidden_output_display",
    "HistogramDisplay": "suffice.plots.displays.histogram_display",
    "MarginPanelDisplay": "suffice.plots.displays.margin_panels_display",
    "ParallelCoordinatesDisplay": "suffice.plots.displays.parallel_coordinates_display",
    "PercentileDisplay": "suffice.plots.displays.percentile_display",
    "PrecisionRecallDisplay": "suffice.plots.displays.precision_recall_display",
    "ProbabilitySurfaceDisplay": "suffice.plots.displays.probability_surface_display",
    "RadvizDisplay": "suffice.plots.displays.radviz_display",
    "RejectCurveDisplay": "suffice.plots.displays.reject_curve_display",
    "ReliabilityDisplay": "suffice.plots.displays.reliability_display",
    "RocDisplay": "suffice.plots.displays.roc_display",
    "ScatterMatrixDisplay": "suffice.plots.displays.scatter_matrix_display",
    "SelectionDisplay": "suffice.plots.displays.selection_display",
    "SilhouetteDisplay": "suffice.plots.cluster_displays.silhouette_display",
    "SpyDisplay": "suffice.plots.displays.spy_display",
    "WordProfileDisplay": "suffice.plots.displays.word_profile_display",
}

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
