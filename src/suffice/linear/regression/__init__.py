"""Least squares and its penalties."""
