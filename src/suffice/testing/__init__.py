"""Laws that what adds must keep, nasty tables to hold them on, and the discovery of what is under law.

Needs hypothesis, for the tables alone: `tables`, `model_tables` and `check`.
"""
