"""What templates can use beside their own values."""

from __future__ import annotations

from datetime import datetime

from flask import Flask, url_for

from scorer.tiles import NAMES, SEAT_NAMES, SEATS
from webapp import words
from webapp.deals import seat_title
from webapp.rules import hand_words, rules_of
from webapp.store import new_id


def tile_url(label: str) -> str:
    """The address of a tile's drawing."""
    return url_for("static", filename=f"tiles/{label}.svg")


def short_date(moment: datetime) -> str:
    """A moment as people write it: 5 March 2026, 19:40, in the time of this machine."""
    local = moment.astimezone()
    return f"{local.day} {local:%B %Y, %H:%M}"


def set_up_templates(app: Flask) -> None:
    """Give the templates their filters, names and the word lists."""
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters["short_date"] = short_date
    app.jinja_env.filters["seat_title"] = seat_title
    app.jinja_env.globals.update(
        tile_url=tile_url,
        new_entry=new_id,
        words=words,
        hand_words=hand_words,
        rules_of=rules_of,
        tile_names=NAMES,
        seat_names=SEAT_NAMES,
        all_seats=SEATS,
    )
