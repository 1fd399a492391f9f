"""Pictures of features: calibrated grids, and cuts on a ranking."""
