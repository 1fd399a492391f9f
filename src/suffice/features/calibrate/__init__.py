"""Feature calibration: columns as probabilities or log odds of a class, learned from rows with labels."""
