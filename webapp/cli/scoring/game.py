"""The command that follows a whole game: its hands, what is next, and the score sheets."""

from __future__ import annotations

import json
import sys
from typing import Any, BinaryIO

import click

from scorer.errors import DealError, GameError
from scorer.game.game import Game
from scorer.game.scoresheet import player_sheets, table_sheet
from scorer.text.game_json import parse_game
from webapp.cli.output.game import game_table, reseated_line, sheet_text
from webapp.cli.shared import INPUT_ERROR, refuse
from webapp.deal.documents import decode


@click.command()
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--sheets", is_flag=True, help="Write every player's score sheets too.")
@click.option(
    "--reseat",
    is_flag=True,
    help="Give deals whose players are named the winds to which the hands before them lead, "
    "after one of those was corrected, instead of refusing them.",
)
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object, sheets included.")
def game(file: BinaryIO, *, sheets: bool, reseat: bool, as_json: bool) -> None:
    """Follow a game from FILE, or from standard input.

    FILE holds a JSON object: the ruleset, the players by their winds in the first hand, and the
    hands. Each hand is a deal, {"drawn": true}, or a winner with the payments agreed on. Winds,
    round, goulashes and totals follow. A hand that cannot stand is reported on standard error and
    makes the exit status 2.
    """
    try:
        read = parse_game(decode(file.read()), reseat=reseat)
    except DealError as error:
        refuse(GameError(None, error.player, error.field, error.words), as_json=as_json)
    except GameError as error:
        refuse(error, as_json=as_json)
    for state in read.hands:
        if state.reseated:
            click.echo(f"kongbox: {reseated_line(state)}", err=True)
    for fault in read.faults:
        click.echo(f"kongbox: {fault}", err=True)
    click.echo(json.dumps(_document(read), ensure_ascii=False) if as_json else game_table(read))
    if sheets and not as_json:
        for name in read.setup.names:
            for sheet in player_sheets(read, name):
                click.echo(f"\n{sheet_text(sheet)}")
    sys.exit(INPUT_ERROR if read.faults else 0)


def _document(read: Game) -> dict[str, Any]:
    """The game, the deal to be filled in next, and all score sheets."""
    return {
        **read.to_json(),
        "next_deal": None if read.next is None else read.blank_deal().to_json(),
        "table_sheet": table_sheet(read).to_json(),
        "player_sheets": [
            sheet.to_json() for name in read.setup.names for sheet in player_sheets(read, name)
        ],
    }
