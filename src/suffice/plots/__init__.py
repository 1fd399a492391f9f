"""Pictures, one Display each, as in scikit-learn; drawn by matplotlib: pip install 'suffice[plot]'."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "AndrewsCurvesDisplay": "suffice.plots.table_displays.andrews_display",
    "BoundDisplay": "suffice.plots.learning.bound_display",
    "BoxDisplay": "suffice.plots.table_displays.box_display",
    "CalibratedGridDisplay": "suffice.plots.features.calibrated_grid_display",
    "CalibrationMapDisplay": "suffice.plots.displays.calibration_map_display",
    "CoefficientPathDisplay": "suffice.plots.model_displays.coefficient_path_display",
    "ComparisonDisplay": "suffice.plots.learning.comparison_display",
    "ConfusionDisplay": "suffice.plots.displays.confusion_display",
    "ContourDisplay": "suffice.plots.model_displays.contour_display",
    "CostCurveDisplay": "suffice.plots.displays.cost_curve_display",
    "CoverageDisplay": "suffice.plots.displays.coverage_display",
    "CutsDisplay": "suffice.plots.features.cuts_display",
    "DecisionRegionDisplay": "suffice.plots.model_displays.decision_region_display",
    "DendrogramDisplay": "suffice.plots.cluster_displays.dendrogram_display",
    "DenseRegionDisplay": "suffice.plots.cluster_displays.dense_region_display",
    "DensityDisplay": "suffice.plots.table_displays.density_display",
    "DescriptionDisplay": "suffice.plots.table_displays.description_display",
    "EpochDisplay": "suffice.plots.learning.epoch_display",
    "HiddenOutputDisplay": "suffice.plots.learning.hidden_output_display",
    "HistogramDisplay": "suffice.plots.table_displays.histogram_display",
    "ImportanceDisplay": "suffice.plots.learning.importance_display",
    "MapDisplay": "suffice.plots.map_displays.map_display",
    "MarginPanelDisplay": "suffice.plots.model_displays.margin_panels_display",
    "ParallelCoordinatesDisplay": "suffice.plots.table_displays.parallel_coordinates_display",
    "PercentileDisplay": "suffice.plots.table_displays.percentile_display",
    "PrecisionRecallDisplay": "suffice.plots.displays.precision_recall_display",
    "ProbabilitySurfaceDisplay": "suffice.plots.model_displays.probability_surface_display",
    "RadvizDisplay": "suffice.plots.table_displays.radviz_display",
    "RejectCurveDisplay": "suffice.plots.displays.reject_curve_display",
    "ReliabilityDisplay": "suffice.plots.displays.reliability_display",
    "ResidualDisplay": "suffice.plots.displays.residual_display",
    "RocDisplay": "suffice.plots.displays.roc_display",
    "RoundWeightsDisplay": "suffice.plots.learning.round_weights_display",
    "ScatterMatrixDisplay": "suffice.plots.table_displays.scatter_matrix_display",
    "SelectionDisplay": "suffice.plots.displays.selection_display",
    "ShepardDisplay": "suffice.plots.map_displays.shepard_display",
    "SilhouetteDisplay": "suffice.plots.cluster_displays.silhouette_display",
    "SpyDisplay": "suffice.plots.table_displays.spy_display",
    "TreeDisplay": "suffice.plots.learning.tree_display",
    "UnitGridDisplay": "suffice.plots.map_displays.unit_grid_display",
    "WordProfileDisplay": "suffice.plots.model_displays.word_profile_display",
}

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
