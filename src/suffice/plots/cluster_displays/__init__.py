"""Pictures of clusters: trees, silhouettes, dense regions."""
