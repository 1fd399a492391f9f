"""Rows from files and streams, chunk by chunk: CSV, JSON lines, Excel, Parquet, Arrow."""
