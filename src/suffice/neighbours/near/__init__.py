"""Rows that are kept to be searched: who is near, how much each counts, and what they say together."""
