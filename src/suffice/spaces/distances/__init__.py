"""Distances as values: what lies between two rows, and which search they allow."""
