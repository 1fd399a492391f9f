"""Commands whose rows are read by the workers of Dask and Spark."""
