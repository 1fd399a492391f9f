"""Which rows are near: brute force in tiles, a k-d tree, a ball tree; all exact, and all of one answer."""
