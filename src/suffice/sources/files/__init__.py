"""Rows from files and streams, chunk by chunk: CSV, Parquet, Arrow."""
