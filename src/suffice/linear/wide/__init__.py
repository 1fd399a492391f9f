"""Linear models of tables with more columns than rows, or with sparse rows: nothing of columns x columns is made."""
