"""The commands that list, show, compare and check rulesets."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import NoReturn

import click

from scorer.errors import DealError, RulesetError
from scorer.explain.difference import differences
from scorer.rules.info import describe
from scorer.rules.rulebook import check_file, faults, load_ruleset, ruleset_ids
from scorer.rules.ruleset import Ruleset
from webapp.cli.output.rules import difference_table, option_table, ruleset_list, ruleset_text
from webapp.cli.shared import INPUT_ERROR

_as_json = click.option("--json", "as_json", is_flag=True, help="Write JSON, for other programs.")


@click.command("list")
@_as_json
def list_(*, as_json: bool) -> None:
    """List the rulesets at hand.

    A club's file that cannot be used is reported on standard error and makes the exit status 2.
    """
    found = [load_ruleset(name) for name in ruleset_ids()]
    if as_json:
        for ruleset in found:
            keys = {"id", "name", "description", "default", "base", "changes"}
            click.echo(ruleset.model_dump_json(include=keys))
    else:
        click.echo(ruleset_list(found))
    for fault in faults():
        click.echo(f"kongbox: {_line(fault)}", err=True)
    sys.exit(INPUT_ERROR if faults() else 0)


@click.command()
@click.argument("ruleset", required=False)
@_as_json
def show(ruleset: str | None, *, as_json: bool) -> None:
    """Show a RULESET, by default the usual one, as a club secretary would read it."""
    found = _found(ruleset)
    click.echo(found.model_dump_json() if as_json else ruleset_text(found))


@click.command()
@click.argument("one", metavar="RULESET")
@click.argument("other", metavar="RULESET")
@click.option("--citations", is_flag=True, help="Tell where citations differ, too.")
@_as_json
def diff(one: str, other: str, *, citations: bool, as_json: bool) -> None:
    """Tell how two rulesets differ: each rule, special hand, option and key."""
    first, second = _found(one), _found(other)
    found = differences(first, second, cites=citations)
    if as_json:
        for gap in found:
            click.echo(json.dumps(gap.to_json(), ensure_ascii=False))
    else:
        click.echo(difference_table(first, second, found))


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
def check(files: tuple[str, ...]) -> None:
    """Tell whether each ruleset FILE can be used.

    A fault is reported on standard error with the file, the key and the reason, and makes the exit
    status 2.
    """
    failed = False
    for file in files:
        try:
            ruleset = check_file(Path(file))
        except RulesetError as error:
            failed = True
            click.echo(f"kongbox: {_line(error)}", err=True)
        else:
            click.echo(f"{Path(file).name}: fits, as {ruleset.id} ({ruleset.name})")
    sys.exit(INPUT_ERROR if failed else 0)


@click.command()
@click.option("--ruleset", help="The ruleset; by default the usual one.")
@_as_json
def options(ruleset: str | None, *, as_json: bool) -> None:
    """List the house rules that a deal, or a club's file, may set under "changes"."""
    info = describe(_found(ruleset))
    if as_json:
        for option in info.options:
            told = asdict(option) | {"name": str(option.name)}
            click.echo(json.dumps(told, ensure_ascii=False))
    else:
        click.echo(option_table(info.options))


def _found(name: str | None) -> Ruleset:
    """The ruleset with this id or in this file; ends the command if there is none."""
    if name is None:
        return load_ruleset(ruleset_ids()[0])
    try:
        return check_file(Path(name)) if name.endswith(".toml") else load_ruleset(name)
    except DealError as error:
        _refuse(error.message)
    except RulesetError as error:
        _refuse(_line(error))


def _line(error: RulesetError) -> str:
    return " ".join(str(error).split())


def _refuse(message: str) -> NoReturn:
    click.echo(f"kongbox: {message}", err=True)
    sys.exit(INPUT_ERROR)
