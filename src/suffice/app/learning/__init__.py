"""Models named on the command line, and the ways to train them: by added summaries, in passes, or in memory."""
