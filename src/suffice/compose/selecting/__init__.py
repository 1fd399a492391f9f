"""Columns chosen by what an estimator makes of them."""
