"""Streams, signals, progress: the command and its terminal."""
