"""Benchmarks: ours and the best peer, on the same data in one process, both warmed; ratios count, not seconds."""
