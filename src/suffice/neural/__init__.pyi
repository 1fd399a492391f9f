"""Made by `make registry` from the sources: do not edit."""

# ruff: noqa: I001

from suffice.neural.autoassociator import Autoassociator as Autoassociator
from suffice.neural.epoch_curve import EpochCurve as EpochCurve
from suffice.neural.flat_weights import FlatWeights as FlatWeights
from suffice.neural.logistic_neuron import LogisticNeuron as LogisticNeuron
from suffice.neural.mlp_classifier import MLPClassifier as MLPClassifier
from suffice.neural.mlp_regressor import MLPRegressor as MLPRegressor
from suffice.neural.net_weights import NetWeights as NetWeights
from suffice.neural.backpropagation import backpropagate as backpropagate
from suffice.neural.epoch_curve import error_by_epoch as error_by_epoch
from suffice.neural.backpropagation import finite_differences as finite_differences

__all__ = [
    "Autoassociator",
    "EpochCurve",
    "FlatWeights",
    "LogisticNeuron",
    "MLPClassifier",
    "MLPRegressor",
    "NetWeights",
    "backpropagate",
    "error_by_epoch",
    "finite_differences",
]
