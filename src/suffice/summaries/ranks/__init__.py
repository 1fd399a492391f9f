"""What rankings of columns are made of."""
