"""Passes over rows: what expectation-maximisation sums."""
