"""The filters, functions and word lists that all templates can use."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Final

from flask import Flask, request, url_for
from flask_babel import format_date, format_time, get_locale
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

from scorer.english.sources import cited
from scorer.tiles import NAMES, SEAT_NAMES, SEATS
from vision.photo.thresholds import glance_limits
from webapp.contest.words import figure, remark, total_words
from webapp.deal.for_scorer import seat_title
from webapp.games.words import long_day
from webapp.language import words
from webapp.language.chosen import Translated
from webapp.language.days import short_day
from webapp.language.numbers import grouped, in_language
from webapp.pages.score.result import place_to_fix
from webapp.pages.table.table import WORDS, place_at_table
from webapp.rulesets.shown import (
    asks_under,
    came_to,
    hand_words,
    house_rules_words,
    joker_of,
    points_words,
    rules_of,
    ruleset_name,
    worth_told,
)

STATIC: Final = Path(__file__).parents[1] / "static"
"""The folder of the static files."""

STATIC_MAX_AGE: Final = timedelta(days=365)
"""How long browsers may keep a static file, whose address changes with any file."""


@cache
def static_version() -> str:
    """Eight hexadecimal digits that change with any static file; read once, not for each club."""
    files = sorted(path for path in STATIC.rglob("*") if path.is_file())
    digest = hashlib.sha256()
    for path in files:
        digest.update(str(path.relative_to(STATIC)).encode() + path.read_bytes())
    return digest.hexdigest()[:8]


def tile_url(label: str) -> str:
    """The address of the drawing of a tile."""
    return _tile_url(label, request.script_root)


@cache
def _tile_url(label: str, _root: str) -> str:
    """The address, made once per label and root of the application, as pages show many tiles."""
    return url_for("static", filename=f"tiles/{label}.svg")


def short_date(moment: datetime) -> str:
    """A moment in this computer's time zone, such as 5 March 2026, 19:40."""
    local = moment.astimezone()
    locale = get_locale()
    if locale is None or locale.language == "en":
        return f"{local.day} {local:%B %Y, %H:%M}"
    return f"{format_date(local, rebase=False)} {format_time(local, 'short', rebase=False)}"


PHOTO_KINDS: Final = "image/jpeg,image/png,image/webp,image/heic,image/heif,image/avif"
"""What a phone offers where a photo is asked for; its camera opens only where all are pictures."""


class CompiledTemplates(BytecodeCache):
    """Templates are compiled once, not for each club that this program serves."""

    def __init__(self) -> None:
        self._code: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take the code of a template, if it was compiled in this form."""
        bucket.code = self._code.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code of a template."""
        if bucket.code is not None:
            self._code[bucket.key, bucket.checksum] = bucket.code


_COMPILED: Final = CompiledTemplates()


def set_up_templates(app: Flask) -> None:
    """Give the templates their filters, functions and word lists."""
    version = static_version()

    @app.url_defaults
    def add_version(endpoint: str, values: dict[str, str]) -> None:
        if endpoint == "static":
            values["v"] = version

    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = STATIC_MAX_AGE
    app.jinja_env.bytecode_cache = _COMPILED
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    filters = (short_date, grouped, in_language, seat_title, long_day, short_day)
    app.jinja_env.filters.update({each.__name__: each for each in filters})
    app.jinja_env.globals.update(
        tile_url=tile_url,
        camera_kinds=PHOTO_KINDS,
        photo_kinds=f"{PHOTO_KINDS},.heic,.heif,.hif",  # Windows knows HEIC by name alone
        photo_limits=lambda: dict(glance_limits()),
        words=words,
        cited=cited,
        hand_words=hand_words,
        joker_of=joker_of,
        came_to=came_to,
        worth_told=worth_told,
        asks_under=asks_under,
        points_words=points_words,
        house_rules_words=house_rules_words,
        ruleset_name=ruleset_name,
        rules_of=rules_of,
        tile_names=Translated(NAMES),
        seat_names=Translated(SEAT_NAMES),
        all_seats=SEATS,
        place_at_table=place_at_table,
        place_to_fix=place_to_fix,
        figure=figure,
        remark=remark,
        total_words=total_words,
        **WORDS,
    )
