"""Triangles T with T'T = S: of products in float64 and in pairs, and whether they keep their digits."""
