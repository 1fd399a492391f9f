"""Encoding: symbols as numbers, and columns as more columns."""
