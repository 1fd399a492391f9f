"""Naive Bayes for tables of every kind, and scikit-learn's."""
