"""The command that shows which tiles a hand is fishing for."""

from __future__ import annotations

import json
from typing import TypedDict, Unpack

import click

from scorer.deal import ChangeValue, Deal, Player
from scorer.errors import DealError
from scorer.evaluation.checks import HAND_SIZE
from scorer.evaluation.waits import find_waits
from scorer.messages import say
from scorer.notations import NotationError
from scorer.rules.rulebook import ruleset_ids
from scorer.tiles import SEATS
from webapp.cli.output.dispute import waits_table
from webapp.cli.shared import refuse


class _Table(TypedDict):
    """The options about the melds, the rules and the table of the hand."""

    melds: str
    ruleset: str | None
    changes: tuple[str, ...]
    seat: str
    round_wind: str
    players: int
    goulash: bool


@click.command()
@click.argument("hand")
@click.option("--melds", default="", metavar="SETS", help='Sets laid down: "345m (5555p)".')
@click.option("--ruleset", metavar="ID", help="The ruleset; by default the usual one.")
@click.option("--set", "changes", multiple=True, metavar="OPTION=VALUE", help="A house rule.")
@click.option(
    "--seat",
    type=click.Choice(SEATS),
    default="S",
    show_default=True,
    help="The own wind.",
)
@click.option(
    "--round",
    "round_wind",
    type=click.Choice(SEATS),
    default="E",
    show_default=True,
    help="The round wind.",
)
@click.option(
    "--players",
    type=click.IntRange(3, 4),
    default=4,
    show_default=True,
    help="How many are at the table.",
)
@click.option("--goulash", is_flag=True, help="The hand is played as a goulash.")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object.")
def waits(hand: str, *, as_json: bool, **table: Unpack[_Table]) -> None:
    """Tell whether HAND is fishing, for which tiles, and what each would score.

    HAND is written compactly, such as "345m44p 2f": the tiles not laid down, flowers and seasons
    among them. Sets laid down go under --melds, the concealed ones in brackets.
    """
    try:
        deal = _deal(hand, table)
        found = find_waits(deal, table["seat"])
    except DealError as error:
        refuse(error, as_json=as_json)
    if as_json:
        named = {"ruleset": deal.ruleset, "changes": dict(deal.changes)}
        click.echo(json.dumps({**named, **found.to_json()}, ensure_ascii=False))
    else:
        click.echo(waits_table(deal, found))


def _deal(hand: str, table: _Table) -> Deal:
    """A deal with the hand and with other players whose tiles are not known."""
    try:
        player = Player(table["seat"], hand, table["melds"])
    except NotationError as error:
        words = say("unreadable_hand", fault=error.words)
        raise DealError(table["seat"], "hand", words) from error
    count = len(player.concealed) + 3 * len(player.melds)
    if count != HAND_SIZE:
        told = "tile_to_discard" if count == HAND_SIZE + 1 else "hand_does_not_wait"
        raise DealError(table["seat"], "hand", say(told, count=count, wanted=HAND_SIZE))
    return Deal(
        table["ruleset"] or ruleset_ids()[0],
        seated(player, table["players"]),
        None,
        round_wind=table["round_wind"],
        goulash=table["goulash"],
        changes=dict(read_change(text) for text in table["changes"]),
    )


def seated(player: Player, players: int) -> tuple[Player, ...]:
    """The player with others whose tiles are not known; with three, the farthest seat is empty."""
    empty = {"E": "N", "S": "N", "W": "N", "N": "W"}[player.seat] if players == 3 else ""
    others = (Player(seat, claimed=0) for seat in SEATS if seat not in (player.seat, empty))
    return (player, *others)


def read_change(text: str) -> tuple[str, ChangeValue]:
    """A house rule written as ``option=value``.

    Raises:
        DealError: there is no ``=`` in it.
    """
    option, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not option:
        raise DealError(None, "changes", say("no_option_in_text", text=text[:40]))
    if value in ("true", "false"):
        return option, value == "true"
    return option, int(value) if value.removeprefix("-").isdecimal() else value
