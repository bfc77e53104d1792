"""The command that takes a list from elsewhere into the book: shown first, asked about, taken."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, TypedDict, Unpack

import click

from webapp.book.book import ClubBook
from webapp.book.seasons import Season
from webapp.cli.shared import db_option, opened_book, season_named
from webapp.evening.evenings import today
from webapp.games.words import signed
from webapp.language.translation import translated
from webapp.list_import.cells import ORDERS
from webapp.list_import.columns import FIELDS, TARGETS, column_name
from webapp.list_import.drafts import Draft, Drafts
from webapp.list_import.matching import LEAVE, NEW
from webapp.list_import.plan import Plan, Someone
from webapp.list_import.reading import DECIMALS, THOUSANDS, Problem
from webapp.list_import.sheet import FileRefused
from webapp.list_import.taking import (
    PlanChanged,
    Taking,
    chosen_target,
    layout_of,
    missing,
    reader_of,
    unanswered,
)

_KINDS: Final = ", ".join(kind for kind in FIELDS if kind and kind != "day_points")


class _Said(TypedDict):
    """What the options say of a list."""

    target: str | None
    columns: Sequence[str]
    heading: int | None
    sheet: str | None
    days: str | None
    numbers: str | None


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option("--as", "target", type=click.Choice(list(TARGETS)), help="What the list is.")
@click.option(
    "--column",
    "columns",
    metavar="LETTER=KIND",
    multiple=True,
    help=f"What a column is, where it is guessed wrong: {_KINDS}, or nothing.",
)
@click.option(
    "--heading",
    type=click.IntRange(0),
    help="The line with the headings, if not as shown; 0: none.",
)
@click.option("--sheet", metavar="NAME|NUMBER", help="The sheet, if not as shown.")
@click.option(
    "--days",
    type=click.Choice(ORDERS),
    help="What comes first in days such as 04-05-06.",
)
@click.option(
    "--numbers",
    type=click.Choice((THOUSANDS, DECIMALS)),
    help="What stands behind the point in 25.000, or behind the comma in 25,000.",
)
@click.option("--season", metavar="NAME", help="The season that begins with it; else the latest.")
@click.option("--dry-run", is_flag=True, help="Show what would be done, and do nothing.")
@click.option("--yes", is_flag=True, help="Take it without asking, if nothing must be answered.")
@db_option
def import_list(
    file: Path,
    season: str | None,
    db: str | None,
    *,
    dry_run: bool,
    yes: bool,
    **said: Unpack[_Said],
) -> None:
    """Take a list of players, saved as XLSX or CSV, into the book; it is shown first.

    A standing and the results of earlier evenings are taken as well. It can be taken back on the
    page, under "Lists from elsewhere".
    """
    with opened_book(db) as book, tempfile.TemporaryDirectory() as folder:
        draft = _with_said(_read(Path(folder), file), said)
        latest = next(iter(book.seasons.all()), None)
        begins = latest if season is None else season_named(book, season)
        plan = _shown(book, draft, begins)
        if dry_run:
            click.echo("Nothing was changed: this is a dry run.")
            return
        if plan.asked:
            draft = _answered(draft, plan.asked)
            plan = _shown(book, draft, begins)
        if plan.empty:
            click.echo("Nothing would change.")
            return
        if not yes:
            click.confirm("Take this into the book?", abort=True)
        try:
            Taking(book).take(draft, begins, today(), plan.mark)
        except PlanChanged as error:
            told = "the result has changed since the preview. Please check again."
            raise click.ClickException(f"Nothing has been imported: {told}") from error
        click.echo(f"{draft.name} is in the book. It can be taken back on the page.")


def _read(folder: Path, file: Path) -> Draft:
    """The list.

    Raises:
        ClickException: it is none.
    """
    drafts = Drafts(folder)
    try:
        with file.open("rb") as sent:
            drafts.begin(file.name, sent)
    except FileRefused as refusal:
        raise click.ClickException(str(refusal)) from refusal
    (draft,) = drafts.waiting()
    return draft


def _with_said(draft: Draft, said: _Said) -> Draft:
    """The list with what the options say of it.

    Raises:
        ClickException: what was said of a sheet or column means none.
    """
    draft = _on_sheet(draft, said["sheet"])
    answers = {"days": said["days"], "numbers": said["numbers"]}
    readings = {key: answer for key, answer in answers.items() if answer}
    chosen = replace(
        draft.chosen, target=said["target"], heading=said["heading"], readings=readings
    )
    return _with_columns(replace(draft, chosen=chosen), said["columns"])


def _on_sheet(draft: Draft, said: str | None) -> Draft:
    """The list on the sheet that was said, by its name or its number.

    Raises:
        ClickException: there is none.
    """
    if said is None:
        return draft
    labels = [sheet.label for sheet in draft.sheets]
    titles = [sheet.title for sheet in draft.sheets]
    for names in (labels, titles, [str(number) for number in range(1, len(labels) + 1)]):
        if said in names:
            return replace(draft, chosen=replace(draft.chosen, sheet=names.index(said)))
    raise click.ClickException(f"--sheet {said}: there is no such sheet. {_sheets(draft)}")


def _sheets(draft: Draft) -> str:
    labels = (f"{number}. {it.label}" for number, it in enumerate(draft.sheets, 1))
    return f"The sheets are: {'; '.join(labels)}."


def _with_columns(draft: Draft, columns: Sequence[str]) -> Draft:
    """The list with what was said of its columns.

    Raises:
        ClickException: what was said of a column means none.
    """
    layout = layout_of(draft, today())
    fields = list(layout.fields)
    for said in columns:
        letter, _, kind = said.partition("=")
        known = [column_name(at) for at in range(len(fields))]
        if letter.upper() not in known or kind not in FIELDS:
            told = f"--column {said}: write a column from A to {known[-1]}, = and one of {_KINDS}."
            raise click.ClickException(told)
        fields[known.index(letter.upper())] = kind
    chosen = replace(draft.chosen, heading=layout.heading, fields=tuple(fields))
    return replace(draft, chosen=chosen)


def _shown(book: ClubBook, draft: Draft, season: Season | None) -> Plan:
    """What taking the list in would do, which is printed.

    Raises:
        ClickException: a column or a season that it needs is missing.
    """
    layout = layout_of(draft, today())
    target, sheet = chosen_target(draft, layout), draft.sheets[draft.chosen.sheet]
    line = f"headings in line {layout.heading}" if layout.heading else "no headings"
    click.echo(f"{draft.name}: {TARGETS[target]}, {line}")
    if len(draft.sheets) > 1 or sheet.hidden:
        click.echo(f"Sheet: {sheet.label}. {_sheets(draft)} Another one is chosen with --sheet.")
    for told in sheet.notes:
        click.echo(translated(told))
    for at, field in enumerate(layout.fields):
        heading = next((row.cells[at] for row in sheet.rows if row.line == layout.heading), "")
        click.echo(f"  {column_name(at)} {heading}".rstrip() + f": {FIELDS[field]}")
    if told := missing(layout, target):
        raise click.ClickException(f"{told} Say it with --column, such as --column A=name.")
    if target == "standing" and season is None:
        raise click.ClickException("There are no seasons yet. Add one on the page, then come back.")
    for doubt in unanswered(reader_of(draft, today())):
        readings = (f"--{doubt.key} {key}: {value}" for key, value in doubt.readings.items())
        told = f"“{doubt.text}” can be read in two ways. Say which: {'; '.join(readings)}."
        raise click.ClickException(told)
    taking = Taking(book)
    if earlier := taking.earlier(draft):
        day = f"{earlier:%d %B %Y}".lstrip("0")
        click.echo(f"You imported this file on {day}.")
        click.echo("What is in the book by it is left out below.")
    plan = taking.plan(draft, season, today())
    for title, lines in _parts(plan):
        _print(title, lines)
    return plan


def _print(title: str, lines: list[str]) -> None:
    if not lines:
        return
    click.echo(f"{title} ({len(lines)}):")
    for line in lines:
        click.echo(f"  {line}")


def _parts(plan: Plan) -> Iterator[tuple[str, list[str]]]:
    """The parts of the preview, each with what is counted in it and its lines."""
    yield "New players", [f"{_who(it)} ({_at(it.lines)})" for it in plan.new]
    yield "New names that are alike", [" · ".join(pair) for pair in plan.twins]
    yield "Players of the book", [_known(it) for it in plan.known]
    yield "Questions", [f"{_who(it)} ({_at(it.lines)}): {it.found.why}" for it in plan.asked]
    evenings = [f"{day}: {players} players, {signed(sum_)}" for day, players, sum_ in plan.evenings]
    yield "Evenings", evenings
    sums = [
        f"{it.person.name if it.person else it.who.name}: {signed(it.points)}"
        + (f" on {it.day}" if it.day else "")
        for it in plan.sums
    ]
    yield "Points", sums
    yield "Lines left out", [_fault(it) for it in plan.problems]
    yield "In the book already", [_fault(it) for it in plan.already]


def _who(it: Someone) -> str:
    return _named(it.who.name, it.who.member)


def _at(lines: Sequence[int]) -> str:
    return ("line " if len(lines) == 1 else "lines ") + ", ".join(map(str, lines))


def _known(it: Someone) -> str:
    person = it.found.person
    gives = f", gets the member number {it.gives}" if it.gives else ""
    return f"{_who(it)} is {'' if person is None else person.name}{gives}"


def _fault(it: Problem) -> str:
    return f"line {it.line}: {it.text}: {it.why}"


def _answered(draft: Draft, asked: Sequence[Someone]) -> Draft:
    """The list with an answer to each question."""
    answers = dict(draft.chosen.answers)
    for it in asked:
        choices = {person.id: _named(person.name, person.member) for person in it.found.asked}
        if it.found.may_be_new:
            choices[NEW] = "Someone new"
        choices[LEAVE] = "Skip these lines"
        click.echo(f"{_who(it)} ({_at(it.lines)}): {it.found.why}")
        for number, words in enumerate(choices.values(), 1):
            click.echo(f"  {number}. {words}")
        number = click.prompt("Who is meant?", type=click.IntRange(1, len(choices)))
        answers[it.who.key] = list(choices)[number - 1]
    return replace(draft, chosen=replace(draft.chosen, answers=answers))


def _named(name: str, member: str | None) -> str:
    return f"{name} [{member}]" if name and member else name or member or ""
