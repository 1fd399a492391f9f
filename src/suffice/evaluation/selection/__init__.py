"""Cross-validation, searches, hold-outs: rows that a model has not seen."""
