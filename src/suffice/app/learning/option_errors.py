"""The error of an option whose value cannot be: the command line cannot be read."""

from __future__ import annotations

import click


def usage(option: str, sentence: str) -> click.BadParameter:
    """An error that names the option and points to the help."""
    return click.BadParameter(sentence, click.get_current_context(silent=True), param_hint=f"'{option}'")
