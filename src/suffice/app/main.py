"""The `suffice` command: the group of all commands; whatever fails is one sentence. Nothing here imports NumPy."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches

import click
from click.shell_completion import shell_complete

from suffice import __version__
from suffice.app.cli.commands import COMMANDS
from suffice.app.terminal.ending import heed
from suffice.app.terminal.guard import guarded
from suffice.app.terminal.standard_streams import settle

COMPLETE = "_SUFFICE_COMPLETE"  # set by the scripts that shells complete with

NAMES = [str(command.name) for command in COMMANDS]


class Commands(click.Group):
    """Commands in the order in which they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names."""
        return NAMES

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is asked for; of one that does not exist, the one most like it is named."""
        near = get_close_matches(args[0].casefold(), NAMES, n=1) if args[0] not in NAMES else []
        if near:
            ctx.fail(f"No such command {args[0]!r}. Did you mean {near[0]!r}?")
        return super().resolve_command(ctx, args)


@click.group(
    cls=Commands, commands=COMMANDS, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="suffice", message="%(prog)s %(version)s")
def suffice() -> None:
    """Learn from tables of any size, merge what was learned, forget rows, and decide.

    Files are CSV or JSON lines (also compressed), Parquet, Arrow or Excel, or folders of them; they stream through,
    whatever their size.

    Exit codes: 0 all is well, 1 the data or the model says no, 2 the command line cannot be read, 70 a mistake of
    ours, 129, 130 and 143 interrupted or told to end, 141 nobody reads what is written.
    """


def run(arguments: Sequence[str]) -> int:
    """Run a command line; its exit code."""

    def work() -> None:
        if instruction := os.environ.get(COMPLETE):
            return _complete(instruction)
        with suffice.make_context("suffice", list(arguments)) as context:
            suffice.invoke(context)

    return guarded(work)


def _complete(instruction: str) -> None:
    """Answer a shell that asks what a word may become, or how to ask that."""
    try:
        code = shell_complete(suffice, {}, "suffice", COMPLETE, instruction)
    except (KeyError, ValueError):  # the words to complete, and which of them, are in variables too
        code = 1
    if code:
        raise click.UsageError(f"{COMPLETE} must be set by a shell that completes, got {instruction!r}. Unset it.")


def main() -> None:
    """The entry point."""
    settle()
    heed()
    sys.exit(run(sys.argv[1:]))
