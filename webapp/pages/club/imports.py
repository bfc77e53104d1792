"""The secretary's pages for taking in lists: sent, shown with what they would do, and taken."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from flask import (
    Blueprint,
    Flask,
    abort,
    current_app,
    flash,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask_babel import gettext
from werkzeug.wrappers import Response

from webapp.book.seasons import Season
from webapp.evening.evenings import today
from webapp.language.numbers import whole_or_none
from webapp.list_import.columns import FIELDS, LOOKED_AT, ONLY_ONCE, TARGETS, column_name
from webapp.list_import.drafts import FOLDER, Chosen, Draft, Drafts
from webapp.list_import.matching import LEAVE, NEW
from webapp.list_import.plan import Plan
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
from webapp.runtime.data_folder import data_folder
from webapp.security.bodies import LIST_FILE, LIST_PLAN
from webapp.security.limits import UPLOADS
from webapp.security.policy import SECRETARY, Policy
from webapp.services import services

pages = Blueprint("imports", __name__, url_prefix="/imports")

EXTENSION: Final = "kongbox-imports"
"""The key of the application's extensions under which the files that wait are kept."""

SHOWN_ROWS: Final = 6
"""Number of rows of a list that are shown below its columns."""

SHOWN_QUESTIONS: Final = 40
"""Maximum number of questions that are asked at once."""


def drafts() -> Drafts:
    """The files that wait in the application that answers this request."""
    found: Drafts = current_app.extensions[EXTENSION]
    return found


def _taking() -> Taking:
    return Taking(services().book)


@pages.get("")
@Policy(SECRETARY)
def index() -> str:
    """Show how lists come in, which wait, and which came in."""
    return _index_page(None)


def _index_page(message: str | None) -> str:
    return render_template(
        "club/imports.html",
        waiting=drafts().waiting(),
        brought=[it for it in services().book.balances.brought_in() if it.kind == "file"],
        message=message,
    )


@pages.post("")
@Policy(SECRETARY, body=LIST_FILE, rate=UPLOADS, disk=True, files=True)
def upload() -> Response:
    """Read a file that was sent, and go to the page that shows what it would do."""
    file = request.files.get("file")
    if file is None or not file.filename:
        text = gettext("First choose a file: a list of players, saved as XLSX or CSV.")
        return make_response(_index_page(text), 400)
    try:
        with file.stream as sent:
            draft_id = drafts().begin(file.filename, sent)
    except FileRefused as refusal:
        return make_response(_index_page(str(refusal)), 400)
    return redirect(url_for("imports.show", draft_id=draft_id), 303)


def _draft_or_404(draft_id: str) -> Draft:
    draft = drafts().draft(draft_id)
    if draft is None:
        abort(404, gettext("This file is no longer here. Please choose it again."))
    return draft


def _season(draft: Draft) -> Season | None:
    """The season that begins with the points of the list: as was said, else the latest."""
    seasons = services().book.seasons.all()
    said = [season for season in seasons if season.id == draft.chosen.season]
    return next(iter([*said, *seasons]), None)


@pages.get("/<draft_id>")
@Policy(SECRETARY)
def show(draft_id: str) -> str:
    """Show what a file holds, and what taking it in would do."""
    draft, now = _draft_or_404(draft_id), today()
    layout, season = layout_of(draft, now), _season(draft)
    target = chosen_target(draft, layout)
    lacking = missing(layout, target)
    reader = reader_of(draft, now)
    plan = Plan() if lacking else _taking().plan(draft, season, now)
    sheet = draft.sheets[draft.chosen.sheet]
    return render_template(
        "club/import.html",
        draft=draft,
        sheet=sheet,
        layout=layout,
        columns=[column_name(at) for at in range(sheet.width)],
        heading=next((row for row in sheet.rows if row.line == layout.heading), None),
        body=[row for row in sheet.rows if row.line > layout.heading],
        lines=[row.line for row in sheet.rows[:LOOKED_AT]],
        shown=SHOWN_ROWS,
        fields=FIELDS,
        targets=TARGETS,
        target=target,
        season=season,
        seasons=services().book.seasons.all(),
        plan=plan,
        questions=plan.asked[:SHOWN_QUESTIONS],
        earlier=_taking().earlier(draft),
        missing=lacking,
        doubts=reader.doubts(),
        unanswered=unanswered(reader),
        new=NEW,
        leave=LEAVE,
    )


@pages.post("/<draft_id>")
@Policy(SECRETARY, body=LIST_PLAN, rate=UPLOADS, disk=True, files=True)
def decide(draft_id: str) -> Response:
    """Keep what was said of a file, take it in, or forget it."""
    draft, form = _draft_or_404(draft_id), request.form
    if form.get("then") == "drop":
        drafts().drop(draft_id)
        flash(gettext("The file has been discarded. Nothing was changed."), "good")
        return redirect(url_for("imports.index"), 303)
    draft = drafts().choose(draft, _chosen(draft))
    if form.get("then") != "take":
        return redirect(url_for("imports.show", draft_id=draft_id) + "#what", 303)
    try:
        _taking().take(draft, _season(draft), today(), form.get("mark", ""))
    except PlanChanged:
        text = gettext(
            "Nothing has been imported: the result has changed since the "
            "preview. Please check again."
        )
        flash(text)
        return redirect(url_for("imports.show", draft_id=draft_id) + "#what", 303)
    drafts().drop(draft_id)
    text = gettext("“%(name)s” has been imported. You can undo this below.", name=draft.name)
    flash(text, "good")
    return redirect(url_for("imports.index"), 303)


def _chosen(draft: Draft) -> Chosen:
    """What the form says of a file, beside what was said before."""
    form, before = request.form, draft.chosen
    number = whole_or_none(form.get("sheet", ""), 0, len(draft.sheets) - 1) or 0
    heading = whole_or_none(form.get("heading", ""), 0, 10**7)
    target = form.get("target", "")
    answers = {
        name.removeprefix("who-"): value for name, value in form.items() if name.startswith("who-")
    }
    same = number == before.sheet and heading == layout_of(draft, today()).heading
    return Chosen(
        sheet=number,
        heading=heading if number == before.sheet else None,
        fields=_fields(draft.sheets[number].width) if same else None,
        target=target if target in TARGETS and number == before.sheet else None,
        season=form.get("season") or before.season,
        answers={**before.answers, **answers},
        readings={
            name.removeprefix("read-"): value
            for name, value in form.items()
            if name.startswith("read-")
        },
    )


def _fields(width: int) -> tuple[str, ...]:
    """What the form says that the columns are; of what can be but one the first counts."""
    found: list[str] = []
    for at in range(width):
        field = request.form.get(f"column-{at}", "")
        once = field in ONLY_ONCE and field in found
        found.append(field if field in FIELDS and not once else "")
    return tuple(found)


def set_up(app: Flask, folder: Path | None) -> None:
    """Register the pages, and keep the files that wait in a folder of the data folder.

    Args:
        app: the application.
        folder: the data folder; None for the user's own.
    """
    app.extensions[EXTENSION] = Drafts((folder or data_folder()) / FOLDER)
    app.register_blueprint(pages)
