"""Linear and quadratic discriminant analysis."""
