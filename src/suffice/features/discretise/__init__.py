"""Discretisation: where to cut a column of numbers into bins, from its ranking."""
