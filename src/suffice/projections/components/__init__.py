"""Linear maps and principal components, from moments that add."""
