"""Made by `make registry` from the sources: do not edit."""

# ruff: noqa: I001

from suffice.plots.table_displays.andrews_display import AndrewsCurvesDisplay as AndrewsCurvesDisplay
from suffice.plots.learning.bound_display import BoundDisplay as BoundDisplay
from suffice.plots.table_displays.box_display import BoxDisplay as BoxDisplay
from suffice.plots.features.calibrated_grid_display import CalibratedGridDisplay as CalibratedGridDisplay
from suffice.plots.displays.calibration_map_display import CalibrationMapDisplay as CalibrationMapDisplay
from suffice.plots.model_displays.coefficient_path_display import CoefficientPathDisplay as CoefficientPathDisplay
from suffice.plots.learning.comparison_display import ComparisonDisplay as ComparisonDisplay
from suffice.plots.displays.confusion_display import ConfusionDisplay as ConfusionDisplay
from suffice.plots.model_displays.contour_display import ContourDisplay as ContourDisplay
from suffice.plots.displays.cost_curve_display import CostCurveDisplay as CostCurveDisplay
from suffice.plots.displays.coverage_display import CoverageDisplay as CoverageDisplay
from suffice.plots.features.cuts_display import CutsDisplay as CutsDisplay
from suffice.plots.model_displays.decision_region_display import DecisionRegionDisplay as DecisionRegionDisplay
from suffice.plots.cluster_displays.dendrogram_display import DendrogramDisplay as DendrogramDisplay
from suffice.plots.cluster_displays.dense_region_display import DenseRegionDisplay as DenseRegionDisplay
from suffice.plots.table_displays.density_display import DensityDisplay as DensityDisplay
from suffice.plots.table_displays.description_display import DescriptionDisplay as DescriptionDisplay
from suffice.plots.learning.epoch_display import EpochDisplay as EpochDisplay
from suffice.plots.learning.hidden_output_display import HiddenOutputDisplay as HiddenOutputDisplay
from suffice.plots.table_displays.histogram_display import HistogramDisplay as HistogramDisplay
from suffice.plots.learning.importance_display import ImportanceDisplay as ImportanceDisplay
from suffice.plots.map_displays.map_display import MapDisplay as MapDisplay
from suffice.plots.model_displays.margin_panels_display import MarginPanelDisplay as MarginPanelDisplay
from suffice.plots.table_displays.parallel_coordinates_display import ParallelCoordinatesDisplay as ParallelCoordinatesDisplay
from suffice.plots.table_displays.percentile_display import PercentileDisplay as PercentileDisplay
from suffice.plots.displays.precision_recall_display import PrecisionRecallDisplay as PrecisionRecallDisplay
from suffice.plots.model_displays.probability_surface_display import ProbabilitySurfaceDisplay as ProbabilitySurfaceDisplay
from suffice.plots.table_displays.radviz_display import RadvizDisplay as RadvizDisplay
from suffice.plots.displays.reject_curve_display import RejectCurveDisplay as RejectCurveDisplay
from suffice.plots.displays.reliability_display import ReliabilityDisplay as ReliabilityDisplay
from suffice.plots.displays.residual_display import ResidualDisplay as ResidualDisplay
from suffice.plots.displays.roc_display import RocDisplay as RocDisplay
from suffice.plots.learning.round_weights_display import RoundWeightsDisplay as RoundWeightsDisplay
from suffice.plots.table_displays.scatter_matrix_display import ScatterMatrixDisplay as ScatterMatrixDisplay
from suffice.plots.displays.selection_display import SelectionDisplay as SelectionDisplay
from suffice.plots.map_displays.shepard_display import ShepardDisplay as ShepardDisplay
from suffice.plots.cluster_displays.silhouette_display import SilhouetteDisplay as SilhouetteDisplay
from suffice.plots.table_displays.spy_display import SpyDisplay as SpyDisplay
from suffice.plots.learning.tree_display import TreeDisplay as TreeDisplay
from suffice.plots.map_displays.unit_grid_display import UnitGridDisplay as UnitGridDisplay
from suffice.plots.model_displays.word_profile_display import WordProfileDisplay as WordProfileDisplay

__all__ = [
    "AndrewsCurvesDisplay",
    "BoundDisplay",
    "BoxDisplay",
    "CalibratedGridDisplay",
    "CalibrationMapDisplay",
    "CoefficientPathDisplay",
    "ComparisonDisplay",
    "ConfusionDisplay",
    "ContourDisplay",
    "CostCurveDisplay",
    "CoverageDisplay",
    "CutsDisplay",
    "DecisionRegionDisplay",
    "DendrogramDisplay",
    "DenseRegionDisplay",
    "DensityDisplay",
    "DescriptionDisplay",
    "EpochDisplay",
    "HiddenOutputDisplay",
    "HistogramDisplay",
    "ImportanceDisplay",
    "MapDisplay",
    "MarginPanelDisplay",
    "ParallelCoordinatesDisplay",
    "PercentileDisplay",
    "PrecisionRecallDisplay",
    "ProbabilitySurfaceDisplay",
    "RadvizDisplay",
    "RejectCurveDisplay",
    "ReliabilityDisplay",
    "ResidualDisplay",
    "RocDisplay",
    "RoundWeightsDisplay",
    "ScatterMatrixDisplay",
    "SelectionDisplay",
    "ShepardDisplay",
    "SilhouetteDisplay",
    "SpyDisplay",
    "TreeDisplay",
    "UnitGridDisplay",
    "WordProfileDisplay",
]
