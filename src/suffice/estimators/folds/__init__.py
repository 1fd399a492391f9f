"""Folds: how rows are divided, the models of folds, any scorer."""
