"""How good a clustering is: by itself, against another, and under resampling."""
