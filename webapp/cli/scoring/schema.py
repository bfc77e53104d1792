"""The command that prints the JSON Schemas of deals, results and games."""

from __future__ import annotations

import json

import click

from scorer.text.schemas import SCHEMAS, load_schema


@click.command()
@click.argument("name", type=click.Choice(SCHEMAS))
def schema(name: str) -> None:
    """Print the JSON Schema of a deal, a result or a game, for other programs.

    A deal is what "kongbox score" reads, a result what "kongbox score --json" writes for it, a game
    what "kongbox game" reads. The schemas are of Draft 2020-12.
    """
    click.echo(json.dumps(load_schema(name), indent=2))
