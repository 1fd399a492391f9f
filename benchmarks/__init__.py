"""Benchmarks: ours and the best peer, same data, same process, same threads, both warmed; ratios, not seconds, count."""
