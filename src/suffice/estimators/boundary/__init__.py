"""How X, y and weights are read: objects that an estimator holds."""
