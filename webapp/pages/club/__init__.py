"""The pages of the club's book, put together."""

from __future__ import annotations

from datetime import date

from flask import Flask
from flask_babel import format_date
from sqlalchemy import Engine

from webapp.book.book import is_secretary, keep, open_book
from webapp.games.store import GameStore
from webapp.pages.club import accounts, boards, keeping, players, search


def book_day(day: date) -> str:
    """A day in the way of the reader's language, short: 5 Mar 2026."""
    short: str = format_date(day, "d MMM yyyy")
    return short


def set_up(app: Flask, engine: Engine, games: GameStore) -> None:
    """Give the application the club's book and its pages."""
    keep(app, open_book(engine, games))
    for part in (boards, players, search, keeping, accounts):
        app.register_blueprint(part.pages)
    app.jinja_env.filters["book_day"] = book_day
    app.jinja_env.globals.update(is_secretary=is_secretary)
