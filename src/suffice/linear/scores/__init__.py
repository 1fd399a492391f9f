"""Classifiers by linear scores."""
