"""Feature selection: filters on summaries that add, Relief, searches for subsets around any estimator."""
