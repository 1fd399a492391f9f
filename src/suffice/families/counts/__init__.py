"""Distributions of labels, words and counts, and the pseudo-counts they start from."""
