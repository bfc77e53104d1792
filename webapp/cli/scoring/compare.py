"""The commands that settle disputes by comparing rulesets and claims, and by saying why not."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import BinaryIO

import click

from scorer.deal import Deal
from scorer.errors import DealError
from scorer.explain.claims import (
    ReadingClaim,
    TotalClaim,
    check_reading,
    check_total,
    parse_claimed_reading,
)
from scorer.explain.compare import System, alike, compare
from scorer.explain.why import all_why_not, why_not
from scorer.messages import say
from scorer.text.deal_json import MAX_CLAIM, read_deal
from scorer.tiles import SEAT_NAMES, SEATS
from webapp.cli.output.dispute import claim_lines, comparison_table, why_lines
from webapp.cli.scoring.waits import read_change
from webapp.cli.shared import INPUT_ERROR, refuse
from webapp.deal.documents import decode


@click.command("compare")
@click.argument("file", metavar="[DEAL]", type=click.File("rb"), default="-")
@click.option(
    "--ruleset",
    "systems",
    multiple=True,
    metavar="ID[:OPTION=VALUE,...]",
    help="A ruleset, with house rules where it has some; say it once for each column.",
)
@click.option("--claim", "totals", multiple=True, metavar="SEAT=TOTAL", help="A total claimed.")
@click.option(
    "--reading",
    "claimed",
    multiple=True,
    metavar='SEAT="SETS"',
    help='Sets claimed: S="123m 555p 44z".',
)
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object.")
def compare_deal(
    file: BinaryIO,
    systems: tuple[str, ...],
    totals: tuple[str, ...],
    claimed: tuple[str, ...],
    *,
    as_json: bool,
) -> None:
    """Show side by side what several rulesets make of a DEAL, and which lines differ.

    DEAL is a file; without one the deal is read from standard input.

    Without --ruleset all rulesets of the same kind are shown; with one, the deal's own is beside
    it. Claimed totals and readings are checked against the first column. A ruleset under which the
    deal cannot be keeps its column, with the reason.
    """
    try:
        deal = read_deal(decode(file.read()))
        columns = _systems(deal, systems, alone=bool(totals or claimed))
        found = compare(deal, columns)
        claims = list(_claims(deal, columns[0], totals, claimed))
    except DealError as error:
        refuse(error, as_json=as_json)
    if as_json:
        told = [claim.to_json() for claim in claims]
        click.echo(json.dumps({**found.to_json(), "claims": told}, ensure_ascii=False))
    else:
        lines = [line for claim in claims for line in ["", *claim_lines(claim)]]
        click.echo("\n".join([comparison_table(found), *lines]))
    sys.exit(INPUT_ERROR if all(column.result is None for column in found.columns) else 0)


def _systems(deal: Deal, texts: tuple[str, ...], *, alone: bool) -> list[System]:
    own = System(deal.ruleset, dict(deal.changes))
    if not texts:
        others = [
            System(name) for name in alike(deal.ruleset, deal.changes) if name != deal.ruleset
        ]
        return [own] if alone else [own, *others]
    asked = [_system(text) for text in texts]
    return asked if len(asked) > 1 else [own, *asked]


def _system(text: str) -> System:
    ruleset, _, changes = text.partition(":")
    return System(ruleset, dict(read_change(part) for part in changes.split(",") if part))


def _claims(
    deal: Deal, system: System, totals: tuple[str, ...], claimed: tuple[str, ...]
) -> list[TotalClaim | ReadingClaim]:
    ruled = replace(deal, ruleset=system.ruleset, changes=dict(system.changes))
    claims: list[TotalClaim | ReadingClaim] = []
    for text in totals:
        seat, total = _claim(text, "claim")
        if not total.isdecimal() or int(total) > MAX_CLAIM:
            words = say("no_points_in_claim", most=MAX_CLAIM, text=total[:40])
            raise DealError(seat, "claim", words)
        claims.append(check_total(ruled, seat, int(total)))
    for text in claimed:
        seat, sets = _claim(text, "reading")
        claims.append(check_reading(ruled, seat, parse_claimed_reading(sets, seat)))
    return claims


def _claim(text: str, field: str) -> tuple[str, str]:
    seat, _, value = (part.strip() for part in text.partition("="))
    if seat not in SEATS or not value:
        raise DealError(None, field, say("no_seat_in_claim", text=text[:40]))
    return seat, value


@click.command()
@click.argument("file", metavar="DEAL", type=click.File("rb"))
@click.argument("row", metavar="[RULE]", required=False)
@click.option("--seat", type=click.Choice(SEATS), help="The player; by default the winner.")
@click.option("--ruleset", metavar="ID", help="Ask under this ruleset, whichever the deal names.")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object per row.")
def why(
    file: BinaryIO, row: str | None, seat: str | None, ruleset: str | None, *, as_json: bool
) -> None:
    """Tell why a RULE or special hand does not count for a player in a DEAL.

    RULE is an id as in the lines of "kongbox score --json"; without it every rule and special
    hand is gone through.
    """
    try:
        value = decode(file.read())
        if ruleset is not None and isinstance(value, dict):
            value = {**value, "ruleset": ruleset}
        deal = read_deal(value)
        asked = seat or _winner(deal)
        found = all_why_not(deal, asked) if row is None else (why_not(deal, asked, row),)
    except DealError as error:
        refuse(error, as_json=as_json)
    if as_json:
        for answer in found:
            click.echo(json.dumps(answer.to_json(), ensure_ascii=False))
    else:
        head = f"{SEAT_NAMES[asked]}, in a goulash" if deal.goulash else SEAT_NAMES[asked]
        click.echo("\n".join([head, *why_lines(found)]))


def _winner(deal: Deal) -> str:
    if deal.win is None:
        raise DealError(None, "seat", say("no_winner_to_ask"))
    return deal.win.seat
