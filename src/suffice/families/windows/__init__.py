"""Densities without a parametric form: histograms, window densities, bandwidths."""
