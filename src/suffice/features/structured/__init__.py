"""Features of cases with parts: sequences, texts, trees, related tables."""
