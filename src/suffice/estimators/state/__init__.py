"""The fitted value, where its rows came from, and its file form."""
