"""The standing of a tournament or a league as files, and as a page for the notice board."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flask_babel import gettext

from webapp.contest.figures import Part
from webapp.contest.rules import Rules
from webapp.contest.standing import Line
from webapp.contest.words import remark, total_words
from webapp.exports.sheet_files import Cell, csv_of_rows, fill_sheet, saved


@dataclass(frozen=True, slots=True)
class Sheet:
    """A standing to be written.

    Attributes:
        title: what it is the standing of.
        rules: how it was counted.
        stages: what the rounds or evenings are called.
        lines: the players in their order.
        teams: the teams in their order, with the names of the players who count.
        names: the players' names by their ids.
        members: their member numbers by their ids.
        brought: how many results from lists are counted.
    """

    title: str
    rules: Rules
    stages: tuple[str, ...]
    lines: tuple[Line, ...]
    teams: tuple[Line, ...]
    names: Mapping[str, str]
    members: Mapping[str, str]
    brought: int = 0


def _head(sheet: Sheet) -> tuple[str, ...]:
    return (
        gettext("Place"),
        gettext("Player"),
        gettext("Total"),
        *sheet.stages,
        gettext("Added or deducted"),
        gettext("Game points"),
        gettext("Tables won"),
        gettext("Hands won"),
        gettext("Highest hand"),
        gettext("Remark"),
        gettext("Member number"),
    )


def _number(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else round(float(value), 3)


def _rows(sheet: Sheet) -> Iterator[tuple[Cell, ...]]:
    for line in sheet.lines:
        yield (
            "" if line.place is None else line.place,
            sheet.names.get(line.who, "?"),
            _number(line.total),
            *(
                "" if part is None or not part.played else _number(part.value)
                for part in line.parts
            ),
            _number(line.adjusted),
            line.figures.points,
            line.figures.firsts,
            line.figures.won,
            line.figures.highest,
            remark(line),
            sheet.members.get(line.who, ""),
        )


def _team_head() -> tuple[str, ...]:
    return gettext("Place"), gettext("Team"), gettext("Total"), gettext("Players who count")


def _team_rows(sheet: Sheet) -> Iterator[tuple[Cell, ...]]:
    for line in sheet.teams:
        yield line.place or "", line.who, _number(line.total), ", ".join(line.counted)


def csv_of(sheet: Sheet) -> bytes:
    """The players as CSV for spreadsheets."""
    return csv_of_rows([_head(sheet), *_rows(sheet)])


def xlsx_of(sheet: Sheet) -> bytes:
    """The players as a workbook, and the teams on a second sheet where there are teams."""
    from openpyxl import Workbook

    book = Workbook()
    page = book.worksheets[0]
    page.title = gettext("Players")
    fill_sheet(page, [_head(sheet), *_rows(sheet)])
    if sheet.teams:
        fill_sheet(book.create_sheet(gettext("Teams")), [_team_head(), *_team_rows(sheet)])
    return saved(book)


def json_of(sheet: Sheet, *, provisional: bool) -> bytes:
    """Players and teams as JSON, with the rules by which they were counted."""
    document = {
        "title": sheet.title,
        "provisional": provisional,
        "rules": sheet.rules.to_json(),
        "stages": list(sheet.stages),
        "results_from_lists": sheet.brought,
        "players": [_player(sheet, line) for line in sheet.lines],
        "teams": [
            {
                "place": line.place,
                "shared": line.shared,
                "team": line.who,
                "total": _number(line.total),
                "counted": list(line.counted),
            }
            for line in sheet.teams
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=2).encode()


def _player(sheet: Sheet, line: Line) -> dict[str, Any]:
    return {
        "place": line.place,
        "shared": line.shared,
        "change": line.change,
        "decided_by": line.by or None,
        "player": sheet.names.get(line.who, "?"),
        "member_number": sheet.members.get(line.who) or None,
        "total": _number(line.total),
        "stages": [_part(part) for part in line.parts],
        "adjusted": _number(line.adjusted),
        "game_points": line.figures.points,
        "tables_won": line.figures.firsts,
        "hands_won": line.figures.won,
        "highest_hand": line.figures.highest,
    }


def _part(part: Part | None) -> dict[str, Any] | None:
    if part is None:
        return None
    return {"value": _number(part.value), "played": part.played, "counts": part.counts}


def pdf_of(sheet: Sheet) -> bytes:
    """The standing for the notice board, as large as it fits on a page; teams first."""
    from webapp.exports.poster_pdf import Listed, poster

    place, total = gettext("Place"), gettext("Total")
    lists = [
        Listed(
            gettext("Players") if sheet.teams else "",
            (place, gettext("Player"), total),
            _listed(sheet, sheet.lines),
        )
    ]
    if sheet.teams:
        heads = (place, gettext("Team"), total)
        lists.insert(0, Listed(gettext("Teams"), heads, _listed(sheet, sheet.teams)))
    return poster(sheet.title, lists)


def _listed(sheet: Sheet, lines: tuple[Line, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (
            "" if line.place is None else f"{line.place}.",
            sheet.names.get(line.who, line.who),
            total_words(line.total, sheet.rules),
        )
        for line in lines
    )
