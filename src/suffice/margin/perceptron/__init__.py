"""Perceptrons: primal, dual, kernel, regression."""
