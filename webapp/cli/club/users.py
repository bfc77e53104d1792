"""The commands for accounts: adding, changing, removing and listing them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from webapp.cli.shared import db_option, opened
from webapp.security.accounts import ROLES, AccountRefused, Accounts, Role


@contextmanager
def _accounts(db: str | None) -> Iterator[Accounts]:
    with opened(db, AccountRefused) as engine:
        yield Accounts(engine)


def _password() -> str:
    if sys.stdin.isatty():
        given: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
        return given
    return sys.stdin.readline().rstrip("\r\n")


@click.command()
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice(ROLES),
    default="scorer",
    show_default=True,
    help="A secretary may do everything, a scorer enters what is played, a guest only looks.",
)
@db_option
def add(name: str, role: Role, db: str | None) -> None:
    """Let NAME log in; the first one must be a secretary."""
    with _accounts(db) as accounts:
        account = accounts.add(name, role, _password())
    click.echo(f"{account.name} can log in as {role}.")


@click.command()
@click.argument("name")
@db_option
def password(name: str, db: str | None) -> None:
    """Give NAME a new password, and log NAME out everywhere."""
    with _accounts(db) as accounts:
        accounts.set_password(name, _password())
    click.echo(f"The password of {name} is changed.")


@click.command()
@click.argument("name")
@db_option
def remove(name: str, db: str | None) -> None:
    """Let NAME log in no longer; what NAME entered stays."""
    with _accounts(db) as accounts:
        accounts.remove(name)
    click.echo(f"{name} can no longer log in.")


@click.command("list")
@db_option
def listed(db: str | None) -> None:
    """List who may log in, and as what."""
    with _accounts(db) as accounts:
        everybody = accounts.all()
    for account in everybody:
        click.echo(f"{account.name}\t{account.role}")
    if not everybody:
        click.echo("Nobody has an account: the page needs no login and is served here alone.")
