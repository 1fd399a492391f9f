"""Help and guide name every command and every option."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from suffice.app.main import NAMES, suffice
from tests.app.conftest import Cli

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "command_line.md"


def command(name: str) -> click.Command:
    found = suffice.get_command(click.Context(suffice), name)
    assert found is not None
    return found


@pytest.mark.parametrize("name", NAMES)
def test_help_shows_every_option_and_an_example(cli: Cli, name: str) -> None:
    result = cli(name, "--help")
    assert (result.code, result.err) == (0, "")
    assert f"suffice {name} " in result.out.split("Options:")[0].split("\n", 1)[1]
    for parameter in command(name).params:
        if isinstance(parameter, click.Option):
            assert parameter.help
            assert parameter.opts[0] in result.out


@pytest.mark.parametrize("name", NAMES)
def test_the_guide_speaks_of_every_option(name: str) -> None:
    guide = GUIDE.read_text(encoding="utf-8")
    assert f"`{name} " in guide
    options = [p for p in command(name).params if isinstance(p, click.Option)]
    silent = [p.opts[0] for p in options if not any(word in guide for word in (*p.opts, *p.secondary_opts))]
    assert set(silent) <= {"--model", "--help"}


def test_the_group_lists_the_commands_in_the_order_they_are_used(cli: Cli) -> None:
    out = cli("--help").out
    assert [line.split()[0] for line in out.split("Commands:\n")[1].splitlines()] == NAMES
