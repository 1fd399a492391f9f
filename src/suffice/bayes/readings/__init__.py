"""What a generative classifier tells beside its answers: evidence, explanations, tables."""
