"""How trees grow: bins of columns, sums by bin, splits, node by node in memory or level by level in passes."""
