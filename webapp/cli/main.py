"""The ``kongbox`` command and the list of its subcommands."""

from __future__ import annotations

from pkgutil import resolve_name
from types import MappingProxyType
from typing import Any, Final

import click

from webapp.folders import data_folder, name_rulesets
from webapp.systems import speak_every_language
from webapp.terminal.examples import START, example_of

COMMANDS: Final = MappingProxyType(
    {
        "backup": "webapp.cli.club.backup:backup",
        "board": "webapp.cli.club.book:board",
        "check": "webapp.cli.club.check:check",
        "compare": "webapp.cli.scoring.compare:compare_deal",
        "demo": "webapp.cli.club.book:demo",
        "export": "webapp.cli.club.book:export_all",
        "game": "webapp.cli.scoring.game:game",
        "import": "webapp.cli.club.book:import_all",
        "photos": "webapp.cli.club.book:photos",
        "players": "webapp.cli.club.players:players",
        "read": "webapp.cli.photos.read:read",
        "reread": "webapp.cli.photos.reread:reread",
        "restore": "webapp.cli.club.backup:restore",
        "rules": "webapp.cli.scoring.rules:rules",
        "score": "webapp.cli.scoring.score:score",
        "seat": "webapp.cli.club.seat:seat",
        "serve": "webapp.cli.serve:serve",
        "sets": "webapp.cli.photos.sets:sets",
        "users": "webapp.cli.club.users:users",
        "waits": "webapp.cli.scoring.waits:waits",
        "watch": "webapp.cli.photos.watch:watch",
        "why": "webapp.cli.scoring.compare:why",
        "worker": "webapp.cli.worker:worker",
    }
)
"""All subcommands, each with the module and the name in it under which it is found."""


class _Subcommands(click.Group):
    """The subcommands, each imported when it is asked for."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """The names of all subcommands, as the help lists them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand; for a name that none has, all are imported, to tell which was meant."""
        for name in [cmd_name] if cmd_name in COMMANDS else COMMANDS:
            self.add_command(resolve_name(COMMANDS[name]))
        found = super().get_command(ctx, cmd_name)
        if found is not None:
            _complete_help(found, cmd_name)
        return found

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - as click declares it
        """Run a subcommand; a disk or database that cannot be used is told as what it is."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            told = None if isinstance(error, click.ClickException) else _trouble_words(error)
            if told is None:
                raise
            raise click.ClickException(told) from error


def _complete_help(command: click.Command, words: str) -> None:
    """Let the help of a command end with an example, and lists of commands tell whole sentences."""
    command.epilog = example_of(words)
    command.short_help = (command.help or "").partition("\n\n")[0]
    if isinstance(command, click.Group):
        for name, inner in command.commands.items():
            _complete_help(inner, f"{words} {name}")


def _trouble_words(error: Exception) -> str | None:
    """The trouble that an error comes from, in words; None if it is something else."""
    from webapp.database.trouble import DETAILS, trouble_of

    trouble = trouble_of(error)
    return None if trouble is None else str(DETAILS[trouble])


@click.group(
    cls=_Subcommands,
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
    epilog=START,
)
@click.version_option(package_name="kongbox", prog_name="kongbox")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Read mahjong tiles from photos, score every hand, settle the payments.

    Without a command Kongbox serves its page on this computer and opens it in the browser. If it is
    served already, it is only opened.
    """
    speak_every_language()
    name_rulesets(data_folder())
    if ctx.invoked_subcommand is None:
        resolve_name("webapp.cli.serve:start")()
