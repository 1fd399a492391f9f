"""Classifiers of many classes from classifiers of two."""
