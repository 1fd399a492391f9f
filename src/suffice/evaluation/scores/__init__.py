"""Scores that add, each with an interval, and what they are made of."""
