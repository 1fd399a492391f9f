"""Clusters around centres: k-means and its kin."""
