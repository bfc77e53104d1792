"""The pages on which a club's own rulesets are listed, compared, written and uploaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

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
    send_file,
    url_for,
)
from flask_babel import gettext, lazy_gettext
from werkzeug.wrappers import Response

from scorer.errors import DealError, RulesetError
from scorer.explain.difference import differences
from scorer.rules.files import decode, shipped
from scorer.rules.rulebook import faults, load_ruleset, ruleset_ids
from scorer.rules.ruleset import Ruleset
from webapp.database.trouble import DETAILS, trouble_of
from webapp.evening.evenings import today
from webapp.language.translation import translated
from webapp.rulesets import files
from webapp.rulesets.form import PARTS, Draft, entries, house_options, read
from webapp.rulesets.versions import club_ids, family, superseded
from webapp.rulesets.words import FIGURE_NAMES
from webapp.runtime.data_folder import data_folder
from webapp.security.bodies import RULES_FILE
from webapp.security.limits import UPLOADS
from webapp.security.policy import SECRETARY, Policy

pages = Blueprint("house_rules", __name__)

EXTENSION: Final = "kongbox-rules-folder"
"""The key of the application's extensions under which the folder of the files is kept."""

PART_NAMES: Final = {
    "rule": lazy_gettext("Points and doubles"),
    "special_hand": lazy_gettext("Special hands"),
    "penalty": lazy_gettext("Penalties"),
}
"""The words for the parts of a ruleset."""


def folder() -> Path:
    """The folder of the club's ruleset files."""
    found: Path = current_app.extensions[EXTENSION]
    return found


def ruleset_or_404(ruleset_id: str) -> Ruleset:
    """The ruleset named in the address; ends the request with status 404 if there is none."""
    try:
        return load_ruleset(ruleset_id)
    except DealError:
        abort(404, gettext("There are no such rules here. Choose some from the list."))


@pages.get("/house-rules")
@Policy(SECRETARY)
def index() -> str:
    """Show the rulesets, the club's own first, and the files that cannot be used."""
    own = club_ids()
    old = superseded()
    return render_template(
        "rules/house_rules.html",
        own=[load_ruleset(name) for name in own],
        shipped=[load_ruleset(name) for name in ruleset_ids() if name in shipped()],
        earlier=[load_ruleset(name) for name in sorted(old)],
        faults=[fault.words for fault in faults()],
    )


@pages.get("/house-rules/<ruleset_id>")
@Policy(SECRETARY)
def show(ruleset_id: str) -> str:
    """Show how one of the club's rulesets differs from the one it is based on."""
    ruleset = ruleset_or_404(ruleset_id)
    base = None if ruleset.base is None else load_ruleset(ruleset.base)
    return render_template(
        "rules/house_rules_show.html",
        ruleset=ruleset,
        base=base,
        gaps=() if base is None else differences(base, ruleset, cites=True),
        own=ruleset_id not in shipped(),
        newest=ruleset_id not in superseded(),
        figure_names=FIGURE_NAMES,
    )


@pages.get("/house-rules/<ruleset_id>.toml")
@Policy(SECRETARY)
def download(ruleset_id: str) -> Response:
    """Send the file of one of the club's rulesets."""
    ruleset_or_404(ruleset_id)
    path = folder() / f"{ruleset_id}.toml"
    if ruleset_id in shipped() or path.parent != folder() or not path.is_file():
        abort(404, gettext("There is no file for these rules here."))
    return send_file(path, "application/toml", as_attachment=True, max_age=0)


@pages.get("/house-rules/<ruleset_id>/edit")
@Policy(SECRETARY)
def edit(ruleset_id: str) -> str:
    """Show the form for house rules based on this ruleset, or for changes of the club's own."""
    ruleset = ruleset_or_404(ruleset_id)
    _base, kept = _origin(ruleset)
    named = {} if ruleset_id in shipped() else {"name": ruleset.name}
    return _page(ruleset_id, Draft({**kept, **named}, ruleset))


@pages.post("/house-rules/<ruleset_id>/edit")
@Policy(SECRETARY, files=True)
def send(ruleset_id: str) -> Response:
    """Check the form, and save the ruleset if that was asked for and nothing is wrong."""
    ruleset = ruleset_or_404(ruleset_id)
    base, kept = _origin(ruleset)
    draft = read(request.form, ruleset, base, kept)
    if draft.problems or request.form.get("then") != "keep":
        page = _page(ruleset_id, draft, checked=not draft.problems)
        return make_response(page, 400 if draft.problems else 200)
    own = ruleset_id not in shipped()
    first = family(ruleset_id) if own else files.id_for_name(draft.raw["name"])
    return _keep(draft.raw, first) or redirect(url_for("house_rules.index"), 303)


@pages.post("/house-rules")
@Policy(SECRETARY, body=RULES_FILE, rate=UPLOADS, disk=True, files=True)
def upload() -> Response:
    """Save a ruleset file that was made elsewhere."""
    sent = request.files.get("file")
    data = b"" if sent is None else sent.read(files.MAX_FILE_BYTES + 1)
    if not data or len(data) > files.MAX_FILE_BYTES:
        flash(gettext("Choose a ruleset file (200 kB at most)."))
        return redirect(url_for("house_rules.index"), 303)
    try:
        raw = decode(data, sent.filename or "") if sent else {}
    except RulesetError as error:
        flash(gettext("The file cannot be used: %(reason)s", reason=translated(error.reason)))
        return redirect(url_for("house_rules.index"), 303)
    named = raw.get("id") or raw.get("name")
    first = files.id_for_name(str(named or ""))
    return _keep(raw, first) or redirect(url_for("house_rules.index"), 303)


def _keep(raw: dict[str, Any], first: str) -> Response | None:
    """Save the next version and return its id; if that fails, flash why and return None."""
    if first in shipped():
        first = f"club-{first}"
    try:
        own = files.save(folder(), raw, first, today())
    except (RulesetError, OSError) as error:
        reason = translated(error.words) if isinstance(error, RulesetError) else _disk(error)
        flash(gettext("The rules could not be saved: %(reason)s", reason=reason))
        return None
    flash(gettext("“%(name)s” is saved and can be played.", name=load_ruleset(own).name), "good")
    return redirect(url_for("house_rules.show", ruleset_id=own), 303)


def _disk(error: OSError) -> str:
    """What is wrong with the disk, in words."""
    trouble = trouble_of(error)
    return str(error.strerror if trouble is None else DETAILS[trouble])


def _origin(ruleset: Ruleset) -> tuple[Ruleset, dict[str, Any]]:
    """The ruleset on which edited rules are based, and their file so far."""
    if ruleset.id in shipped():
        return ruleset, {"base": ruleset.id, "description": ruleset.description}
    try:
        source = files.file_of(folder(), ruleset.id)
    except RulesetError:
        source = None
    if source is None or ruleset.base is None:
        abort(
            404,
            gettext(
                "These rules have a file of their own that does not build on others. Edit that."
            ),
        )
    return load_ruleset(ruleset.base), dict(source.raw)


def _page(ruleset_id: str, draft: Draft, *, checked: bool = False) -> str:
    ruleset = draft.ruleset
    base = load_ruleset(draft.raw["base"])
    sent = request.form
    options = house_options(ruleset)
    parts = {part: list(entries(ruleset, part)) for part in PARTS}
    listed = [entry for part in parts.values() for entry in part]
    return render_template(
        "rules/house_rules_edit.html",
        ruleset_id=ruleset_id,
        name=sent.get("name", files.plain_name(draft.raw.get("name", ""))),
        description=sent.get("description", draft.raw.get("description", "")),
        options=options,
        setting=ruleset.setting_of,
        usual={option.id: base.setting_of(option) for option in base.options()},
        parts=parts,
        part_names=PART_NAMES,
        figure_names=FIGURE_NAMES,
        known={
            *("name", "description"),
            *(option.id for option in options),
            *(figure.path for entry in listed for figure in entry.figures),
            *(f"{entry.part}.{entry.id}.cite" for entry in listed),
        },
        base=base,
        problems=draft.problems,
        sent=sent,
        gaps=differences(base, ruleset, cites=True) if checked else None,
    )


def set_up(app: Flask, data: Path | None) -> None:
    """Let the scorer read the club's files, and register the pages that write them."""
    app.extensions[EXTENSION] = files.use_folder(data or data_folder())
    app.register_blueprint(pages)
