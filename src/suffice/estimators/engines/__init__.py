"""Answers for rows that lie on an engine: the model travels as the bytes of its file, the rows stay."""
