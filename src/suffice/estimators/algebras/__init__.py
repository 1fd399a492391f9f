"""How an estimator learns: in one pass, in passes, row after row, or from rows in memory. No scikit-learn."""
