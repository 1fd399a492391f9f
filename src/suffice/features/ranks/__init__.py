"""Scaling by ranks: extremes and quantiles, from rankings."""
