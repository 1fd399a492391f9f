"""Trees of clusters: linkages, cuts, constraints."""
