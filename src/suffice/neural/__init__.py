"""Neural nets: the logistic neuron, multilayer perceptrons, autoassociators. NumPy and loops only."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "Autoassociator": "suffice.neural.autoassociator",
    "EpochCurve": "suffice.neural.epoch_curve",
    "FlatWeights": "suffice.neural.flat_weights",
    "LogisticNeuron": "suffice.neural.logistic_neuron",
    "MLPClassifier": "suffice.neural.mlp_classifier",
    "MLPRegressor": "suffice.neural.mlp_regressor",
    "NetWeights": "suffice.neural.net_weights",
    "backpropagate": "suffice.neural.backpropagation",
    "error_by_epoch": "suffice.neural.epoch_curve",
    "finite_differences": "suffice.neural.backpropagation",
}

_TOP = {"Autoassociator", "LogisticNeuron", "MLPClassifier", "MLPRegressor"}  # names of `suffice` too

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
