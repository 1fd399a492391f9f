"""Sources: where rows come from, one class each: memory, files."""
