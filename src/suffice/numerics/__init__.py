"""Arithmetic below learning: double-double numbers, compiled loops, tiles, threads, exponentials."""
