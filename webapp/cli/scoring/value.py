"""The command that says what one hand is worth, from a photo or from its tiles."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from scorer import DealError, PlayerResult, score_hand
from scorer.deal import CLAIMED_SOURCES, SOURCES, Deal, Meld, Player, Win
from scorer.messages import say
from scorer.notations import NotationError
from scorer.rules.rulebook import ruleset_ids
from scorer.tiles import SEATS, TILES, parse_tiles
from webapp.cli.output.photo_files import PhotoFault, in_one_line, read_photo_file
from webapp.cli.output.score import hand_table
from webapp.cli.scoring.waits import read_change, seated
from webapp.cli.shared import refuse, require_vision

if TYPE_CHECKING:
    from vision import Reading

WHOLE = 14
"""Number of tiles of a hand that goes out, each meld counted as three."""

USUAL_SOURCES = ("wall", "discard")
"""The ways of going out that are tried where none was named."""


class _Asked(TypedDict):
    """The options about the hand and how it was won."""

    melds: str
    wind: str
    round_wind: str
    win: str | None
    source: str | None
    ruleset: str | None
    changes: tuple[str, ...]


@click.command()
@click.argument("hand", metavar="PHOTO|HAND")
@click.option("--melds", default="", metavar="SETS", help='Sets laid down: "345m (5555p)".')
@click.option(
    "--wind", type=click.Choice(SEATS), default="S", show_default=True, help="The own wind."
)
@click.option(
    "--round",
    "round_wind",
    type=click.Choice(SEATS),
    default="E",
    show_default=True,
    help="The round wind.",
)
@click.option("--win", metavar="TILE", help="The winning tile, such as 5p.")
@click.option("--source", type=click.Choice(SOURCES), help="Where the winning tile came from.")
@click.option("--ruleset", metavar="ID", help="The ruleset; by default the usual one.")
@click.option("--set", "changes", multiple=True, metavar="OPTION=VALUE", help="A house rule.")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object.")
def value(hand: str, *, as_json: bool, **asked: Unpack[_Asked]) -> None:
    """Say what one hand is worth: a PHOTO of it, or its tiles such as "123m 55p 777z 2f".

    No other player and no table is needed. A hand of 14 tiles is taken as one that goes out; name
    the winning tile with --win and where it came from with --source for its exact total.
    """
    try:
        player = _player(hand, asked)
        results = [(deal, score_hand(deal, asked["wind"])) for deal in _deals(player, asked)]
    except DealError as error:
        refuse(error, as_json=as_json)
    totals = [result.total for _, result in results]
    if as_json:
        _tell_json(results, totals)
    elif min(totals) == max(totals):
        click.echo(hand_table(*results[0]))
    else:
        click.echo(
            f"Complete: {min(totals)} to {max(totals)}. For the exact total name the winning tile "
            "(--win 5p) and where it came from (--source wall)."
        )


def _tell_json(results: list[tuple[Deal, PlayerResult]], totals: list[int]) -> None:
    deal, result = results[0]
    exact = result.to_json() if min(totals) == max(totals) else None
    known = {"ruleset": deal.ruleset, "least": min(totals), "most": max(totals), "result": exact}
    click.echo(json.dumps(known, ensure_ascii=False))


def _player(hand: str, asked: _Asked) -> Player:
    """The player with the tiles of a photo, or with those that were written.

    Raises:
        DealError: what was written is no hand.
        ClickException: the photo cannot be read, or shows no hand.
    """
    try:
        return Player(asked["wind"], hand, asked["melds"])
    except NotationError as error:
        if "." not in hand:
            words = say("unreadable_hand", fault=error.words)
            raise DealError(asked["wind"], "hand", words) from error
    return _on_photo(hand, asked["wind"])


def _on_photo(path: str, wind: str) -> Player:
    require_vision()
    from vision import ModelError, PhotoError, read_photo

    try:
        reading = read_photo(read_photo_file(path))
    except PhotoFault as fault:
        raise click.ClickException(f"{path}: {fault}") from fault
    except (ModelError, PhotoError) as error:
        raise click.ClickException(f"{path}: {in_one_line(error)}") from error
    return _first_hand(path, reading, wind)


def _first_hand(path: str, reading: Reading, wind: str) -> Player:
    """The tiles of the first hand of a photo; what should be checked goes to standard error."""
    from webapp.cli.output.reading import reading_summary

    click.echo(reading_summary(path, reading), err=True)
    hands = [hand for hand in reading.hands if hand.concealed or hand.melds]
    if not hands:
        raise click.ClickException(
            f"{path}: no hand was found. Lay the tiles in rows, or type them."
        )
    found = hands[0]
    unnamed = [label for label in found.concealed if label not in TILES]
    if unnamed:
        raise click.ClickException(
            f"{path}: {len(unnamed)} of the tiles cannot be named. Type the hand instead."
        )
    melds = tuple(Meld(meld.kind, tuple(meld.tiles), meld.concealed) for meld in found.melds)
    return Player(wind, tuple(found.concealed), melds, tuple(found.bonus))


def _deals(player: Player, asked: _Asked) -> Iterator[Deal]:
    """A deal for each way in which the hand may have gone out; one in which it did not.

    Raises:
        DealError: the winning tile or a house rule cannot be read.
    """
    changes = dict(read_change(text) for text in asked["changes"])
    players = seated(player, 4)
    for win in _wins(player, players[1].seat, asked):
        yield Deal(
            asked["ruleset"] or ruleset_ids()[0],
            players,
            win,
            round_wind=asked["round_wind"],
            changes=changes,
        )


def _wins(player: Player, other: str, asked: _Asked) -> Iterator[Win]:
    count = len(player.concealed) + 3 * len(player.melds)
    if count < WHOLE and asked["win"] is None:
        yield Win(other, None, "wall")
        return
    tiles = [_tile(asked["win"], player.seat)] if asked["win"] else sorted(set(player.concealed))
    for source in [asked["source"]] if asked["source"] else USUAL_SOURCES:
        for tile in tiles:
            yield Win(player.seat, tile, source, other if source in CLAIMED_SOURCES else None)


def _tile(text: str, seat: str) -> str:
    try:
        return "".join(parse_tiles(text))
    except NotationError as error:
        raise DealError(seat, "win", say("unreadable_hand", fault=error.words)) from error
