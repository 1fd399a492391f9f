"""Maps of distances: multidimensional scaling, Isomap, t-SNE, and how far a map can be trusted."""
