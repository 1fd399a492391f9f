"""The scikit-learn glue: one-pass classifiers, and what they share with models loaded from files."""
