"""The command that scores deals from a file or from standard input."""

from __future__ import annotations

import json
import sys
from typing import BinaryIO

import click

import scorer
from scorer import DealError
from scorer.errors import alone
from scorer.tiles import SEAT_NAMES
from webapp.cli.output.dispute import other_readings, readings_json, readings_lines
from webapp.cli.output.score import score_table
from webapp.cli.shared import INPUT_ERROR
from webapp.deal.documents import Document, read_documents


@click.command()
@click.argument("file", type=click.File("rb"), default="-")
@click.option(
    "--ruleset", metavar="ID", help="Score by this ruleset, whichever one the deals name."
)
@click.option(
    "--all-readings", is_flag=True, help="Add each hand's other lawful readings, best first."
)
@click.option("--json", "as_json", is_flag=True, help="Write one JSON result per line.")
def score(file: BinaryIO, ruleset: str | None, *, all_readings: bool, as_json: bool) -> None:
    """Score deals from FILE, or from standard input.

    FILE holds one deal as JSON, or one deal per line. A deal that cannot be scored is told on
    standard error and makes the exit status 2; the others are scored all the same.
    """
    try:
        documents = read_documents(file.read())
    except DealError as error:
        documents = [Document(1, error=error)]
    failed = False
    for number, document in enumerate(documents, 1):
        try:
            with alone():
                told = _scored(_deal(document, ruleset), as_json=as_json, others=all_readings)
        except DealError as error:
            failed = True
            which = f"deal {number} (line {document.line}): " if len(documents) > 1 else ""
            click.echo(f"kongbox: {which}{_told(error)}", err=True)
            if as_json:
                click.echo(_json(error.refusal_json()))
            continue
        click.echo(("\n" if number > 1 and not as_json else "") + told)
    sys.exit(INPUT_ERROR if failed else 0)


def _scored(deal: scorer.Deal, *, as_json: bool, others: bool) -> str:
    """What is printed of a deal, with the other readings of its hands if asked for."""
    result = scorer.score_deal(deal)
    found = other_readings(deal) if others else {}
    if not as_json:
        return "\n".join([score_table(deal, result), *readings_lines(deal, found)])
    more = {"readings": readings_json(found)} if others else {}
    return _json(result.to_json() | more)


def _deal(document: Document, ruleset: str | None) -> scorer.Deal:
    if document.error is not None:
        raise document.error
    value = document.value
    if ruleset is not None and isinstance(value, dict):
        value = {**value, "ruleset": ruleset}
    return scorer.parse_deal(value)


def _told(error: DealError) -> str:
    """The error on one line, naming the player, the field and what is wrong."""
    seat = error.player
    player = f"player {seat} ({SEAT_NAMES[seat]}), " if seat in SEAT_NAMES else ""
    return " ".join(f"{player}{error.field}: {error.message}".split())


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
