"""The command that draws who plays at which table with whom."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

import click

from webapp.cli.shared import INPUT_ERROR
from webapp.draw.drawing import Drawing, draw
from webapp.draw.entrants import DrawRefused, Entrant, Odd, Pair, Wishes
from webapp.draw.shortcomings import Shortcoming, shortcomings
from webapp.draw.sizes import FEWEST
from webapp.draw.words import refusal_words, shortcoming_words

_MOST: Final = 200
"""Largest number of players that is drawn."""

_MOST_ROUNDS: Final = 20
"""Largest number of rounds that is drawn."""


@click.command()
@click.option(
    "--players",
    required=True,
    metavar="NUMBER|FILE",
    help="How many play, or a file with a name on each line.",
)
@click.option(
    "--rounds",
    type=click.IntRange(1, _MOST_ROUNDS),
    default=1,
    show_default=True,
    help="How many times tables and seats are drawn in the evening.",
)
@click.option("--apart", nargs=2, multiple=True, metavar="NAME NAME", help="Two not to meet.")
@click.option(
    "--together", nargs=2, multiple=True, metavar="NAME NAME", help="Two who sit together."
)
@click.option(
    "--at",
    nargs=2,
    multiple=True,
    type=(str, click.IntRange(1, _MOST)),
    metavar="NAME TABLE",
    help="Somebody who always sits at this table.",
)
@click.option(
    "--odd",
    type=click.Choice([str(odd) for odd in Odd]),
    default=str(Odd.FIVES),
    show_default=True,
    help="What is done with those left over: a table of five, tables of three, or a rest.",
)
@click.option("--seed", type=click.IntRange(0), help="Draws again what was drawn with this number.")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object.")
def seat(
    *,
    players: str,
    rounds: int,
    apart: tuple[tuple[str, str], ...],
    together: tuple[tuple[str, str], ...],
    at: tuple[tuple[str, int], ...],
    odd: str,
    seed: int | None,
    as_json: bool,
) -> None:
    """Draw tables and seats, so that nobody meets twice while it can be avoided.

    Wishes go before new faces, new faces before fair turns. What could not be given is told below
    the tables.
    """
    wishes = Wishes(_pairs(apart), _pairs(together), odd=Odd(odd))
    try:
        entrants = _entrants(_names(players), dict(at))
        drawing = draw(entrants, rounds, seed, wishes)
    except DrawRefused as refusal:
        click.echo(f"kongbox: {refusal_words(refusal)}", err=True)
        if as_json:
            told = {"error": {"message": refusal_words(refusal)}}
            click.echo(json.dumps(told, ensure_ascii=False))
        sys.exit(INPUT_ERROR)
    lacking = shortcomings(drawing, entrants, wishes)
    click.echo(_document(drawing, lacking) if as_json else _text(drawing, lacking))


def _names(players: str) -> list[str]:
    if players.isdecimal():
        if not FEWEST <= int(players[:9]) <= _MOST:
            raise click.ClickException(f"Tables are drawn for {FEWEST} to {_MOST} players.")
        return [f"Player {number}" for number in range(1, int(players) + 1)]
    try:
        lines = Path(players).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, ValueError) as error:
        raise click.ClickException(
            f"{players} is neither a number nor a file of names that can be read."
        ) from error
    return [name for line in lines if (name := " ".join(line.split()))]


def _entrants(names: list[str], tables: dict[str, int]) -> list[Entrant]:
    if unknown := sorted(tables.keys() - set(names)):
        raise DrawRefused("unknown", unknown)
    return [Entrant(name, table=tables.get(name)) for name in names]


def _pairs(given: tuple[tuple[str, str], ...]) -> frozenset[Pair]:
    return frozenset(map(frozenset, given))


def _document(drawing: Drawing, lacking: tuple[Shortcoming, ...]) -> str:
    told: dict[str, Any] = drawing.to_json()
    told["lacking"] = [
        {**found.to_json(), "message": shortcoming_words(found)} for found in lacking
    ]
    return json.dumps(told, ensure_ascii=False)


def _text(drawing: Drawing, lacking: tuple[Shortcoming, ...]) -> str:
    lines = []
    for number, round_ in enumerate(drawing.rounds, 1):
        lines.append(f"Round {number}")
        for at, table in enumerate(round_.tables, 1):
            seats = ", ".join(f"{wind} {name}" for wind, name in table.seats.items())
            out = f", {table.out} sits out the first hand" if table.out else ""
            lines.append(f"  table {at}: {seats}{out}")
        if round_.resting:
            lines.append(f"  resting: {', '.join(round_.resting)}")
    lines += [f"Not given: {shortcoming_words(found)}" for found in lacking]
    lines.append(f"Drawn with --seed {drawing.seed}")
    return "\n".join(lines)
