"""The commands: a light file each, the work beside it."""
