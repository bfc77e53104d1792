"""The ``kongbox`` command and the list of its subcommands."""

from __future__ import annotations

from importlib.metadata import version
from typing import Final

import click

from webapp.cli.backup import backup, restore
from webapp.cli.book import board, demo, export_all, import_all, photos
from webapp.cli.compare import compare_deal, why
from webapp.cli.game import game
from webapp.cli.players import players
from webapp.cli.read import read
from webapp.cli.rules import rules
from webapp.cli.score import score
from webapp.cli.serve import check, serve
from webapp.cli.sets import sets
from webapp.cli.users import users
from webapp.cli.waits import waits
from webapp.cli.watch import watch
from webapp.database.engine import data_folder
from webapp.rulesets.files import use_folder

_COMMANDS: Final = (
    backup,
    board,
    check,
    compare_deal,
    demo,
    export_all,
    game,
    import_all,
    photos,
    players,
    read,
    restore,
    rules,
    score,
    serve,
    sets,
    users,
    waits,
    watch,
    why,
)
"""All subcommands; the help lists them by name."""


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version("kongbox"), prog_name="kongbox")
def main() -> None:
    """Read mahjong tiles from photos, score every hand, settle the payments."""
    use_folder(data_folder())


for _command in _COMMANDS:
    main.add_command(_command)
