"""How any table becomes a matrix of numbers: one column a number, one a level of a symbol, one for missing cells."""
