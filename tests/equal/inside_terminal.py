"""Every way in which this package reaches into the ``kongbox`` command."""

from __future__ import annotations

from collections.abc import Iterator

import click
from click.testing import CliRunner

from webapp.cli.main import main


def run(arguments: list[str], given: str | bytes = "") -> tuple[int, str, str]:
    """Exit status, output and errors of the command."""
    done = CliRunner().invoke(main, arguments, input=given, prog_name="kongbox")
    fault = "" if done.exception is None else repr(done.exception)
    unforeseen = "" if fault.startswith("SystemExit") else fault
    return done.exit_code, done.stdout, done.stderr + unforeseen


def commands() -> Iterator[list[str]]:
    """The words of every command and command within a command, none for the whole."""
    yield []
    yield from _within(main, [])


def _within(group: click.Group, words: list[str]) -> Iterator[list[str]]:
    for name in sorted(group.commands):
        command = group.commands[name]
        yield [*words, name]
        if isinstance(command, click.Group):
            yield from _within(command, [*words, name])
