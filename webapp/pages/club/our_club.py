"""The page of what the club has decided once, and the questions that decide it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from flask import (
    Blueprint,
    Flask,
    abort,
    flash,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask_babel import gettext, lazy_gettext, ngettext
from werkzeug.wrappers import Response

from webapp.book.seasons import Season
from webapp.club_settings.groups import (
    GROUPS,
    MAX_ROUNDS,
    MAX_STAKE,
    ClubLanguage,
    ClubRules,
    ClubTiles,
    Group,
    HallDisplay,
    LastHand,
    NationalList,
    PhotoDays,
    PhotoGiving,
    RoundLength,
    Stake,
)
from webapp.club_settings.words import ENDINGS, TITLES, decided_words, rules_words
from webapp.evening.round_clock import MAX_EARLY, MAX_MINUTES, Ending
from webapp.games.forms import Form, FormRefused, changed_rules, read_changes
from webapp.language.chosen import LANGUAGES
from webapp.language.numbers import grouped, whole_or_none
from webapp.pages.club.boards import season_or_404
from webapp.rereading.left_out import LeftOut
from webapp.rulesets.shown import rules_of, rulesets
from webapp.runtime.data_folder import club_folder
from webapp.security.policy import MEMBER, SECRETARY, Policy
from webapp.services import services
from webapp.tile_sets.chosen import set_names

pages = Blueprint("our_club", __name__, url_prefix="/club/settings")


@dataclass(frozen=True, slots=True)
class Question:
    """A question to the club.

    Attributes:
        group: what the answer decides.
        asked: the question.
        use: what the answer is used for.
        read: reads the answer from its form; raises FormRefused if it cannot be used.
        by_season: whether a season can have an answer of its own.
        at_first: whether a new club is asked it.
    """

    group: type[Group]
    asked: Any
    use: Any
    read: Callable[[Form], Group]
    by_season: bool = False
    at_first: bool = True


def _rules(form: Form) -> ClubRules:
    ruleset = next((info.id for info in rulesets() if info.id == form.get("ruleset")), None)
    if ruleset is None:
        return ClubRules()
    rounds = whole_or_none(form.get("rounds", ""), 1, MAX_ROUNDS)
    return ClubRules(ruleset, read_changes(form, ruleset), rounds)


def _as_typed(form: Form) -> ClubRules:
    """The rules as they were sent, with numbers that could not be read."""
    ruleset = rules_of(form.get("ruleset", ""))
    sent = {o: form[f"change_{o.id}"] for o in ruleset.options if f"change_{o.id}" in form}
    changes = {o.id: text == "true" if o.kind == "boolean" else text for o, text in sent.items()}
    return ClubRules(ruleset.id, changes, whole_or_none(form.get("rounds", ""), 1, MAX_ROUNDS))


def _number(form: Form, least: int, most: int) -> int | None:
    """The number that was typed; None for an empty field."""
    text = form.get("number", "")
    number = whole_or_none(text, least, most)
    if number is None and text.strip():
        raise FormRefused(
            gettext(
                "Enter a whole number from %(least)s to %(most)s, or leave it empty.",
                least=least,
                most=grouped(most),
            )
        )
    return number


def _last_hand(form: Form) -> LastHand:
    ending = next((one for one in Ending if one == form.get("ending")), Ending.FINISH)
    return LastHand(ending, _number(form, 0, MAX_EARLY) or 0)


def _language(form: Form) -> ClubLanguage:
    code = form.get("language", "")
    return ClubLanguage(code if code in LANGUAGES else None)


def _tiles(form: Form) -> ClubTiles:
    name = form.get("tile_set", "")
    if name and name not in set_names():
        raise FormRefused(gettext("That set does not exist. Choose one from the list."))
    return ClubTiles(name or None)


QUESTIONS: Final = {
    question.group.KEY: question
    for question in (
        Question(
            ClubRules,
            lazy_gettext("Which rules do you play?"),
            lazy_gettext("For every new table, and for a hand without a table."),
            _rules,
            by_season=True,
        ),
        Question(
            RoundLength,
            lazy_gettext("How long is a round?"),
            lazy_gettext("The round clock offers this number of minutes."),
            lambda form: RoundLength(_number(form, 1, MAX_MINUTES)),
            by_season=True,
        ),
        Question(
            LastHand,
            lazy_gettext("How does a round end?"),
            lazy_gettext("The round clock calls the last hand at every table."),
            _last_hand,
        ),
        Question(
            Stake,
            lazy_gettext("Do you play for money?"),
            lazy_gettext("Every new table shows what the points are worth."),
            lambda form: Stake(_number(form, 0, MAX_STAKE)),
            by_season=True,
        ),
        Question(
            ClubLanguage,
            lazy_gettext("Which language do you speak?"),
            lazy_gettext("Used when Kongbox does not speak the phone's own language."),
            _language,
        ),
        Question(
            ClubTiles,
            lazy_gettext("Which tiles are on your tables?"),
            lazy_gettext("Photos are read with this set unless you choose another at the table."),
            _tiles,
        ),
        Question(
            PhotoGiving,
            lazy_gettext("Can the project use photos of your tiles?"),
            lazy_gettext("For a file without names that helps Kongbox learn to read tiles better."),
            lambda form: PhotoGiving(form.get("given") == "yes"),
            at_first=False,
        ),
        Question(
            NationalList,
            lazy_gettext("Can the association list your players and their results?"),
            lazy_gettext("For the list of players from all clubs that take part."),
            lambda form: NationalList(form.get("agreed") == "yes"),
            at_first=False,
        ),
    )
}
"""The questions by the keys of their groups, in the order in which a new club is asked them."""


ELSEWHERE: Final = {
    HallDisplay.KEY: (
        lazy_gettext("Which names it shows, and who can see it."),
        "keeping.show",
        "hall",
    ),
    PhotoDays.KEY: (lazy_gettext("How long they are kept."), "keeping.show", None),
}
"""Of what is decided on other pages what it is, the page, and the place on it."""

IN_THE_EVENING: Final = lazy_gettext("Set on an evening's own pages.")
"""Where everything else is decided."""


def _season() -> Season | None:
    """The season named in the address or the form, for which alone is decided."""
    season_id = request.values.get("season", "")
    return season_or_404(season_id) if season_id else None


def _asked() -> dict[str, Question]:
    """The questions that this club is asked: of an association only those that belong to one."""
    alone = club_folder() is None
    return {key: it for key, it in QUESTIONS.items() if not (alone and it.group is NationalList)}


def _question_or_404(key: str, season: Season | None) -> Question:
    found = _asked().get(key)
    if found is None or (season is not None and not found.by_season):
        abort(404, gettext("There is no such question. Choose one from the list."))
    return found


def _id(season: Season | None) -> str | None:
    return None if season is None else season.id


def nothing_decided() -> bool:
    """Whether the club has answered none of the questions."""
    decided = services().decided
    return all(decided.of(each.group) == each.group() for each in QUESTIONS.values())


@pages.get("")
@Policy(MEMBER)
def show() -> str:
    """Show what the club has decided, at all or for a season, and who decided it."""
    decided, season = services().decided, _season()
    asked = {key: it for key, it in _asked().items() if season is None or it.by_season}
    return render_template(
        "club/our_club.html",
        season=season,
        season_names={it.id: it.name for it in services().book.seasons.all()},
        questions=asked,
        titles=TITLES,
        decided={key: decided.of(it.group, _id(season)) for key, it in asked.items()},
        usual={key: decided.of(it.group) for key, it in asked.items()},
        elsewhere=[] if season else list(_elsewhere()),
        in_words=decided_words,
        gone=services().club_rules() is None and decided.of(ClubRules).ruleset is not None,
        decisions=decided.all(),
    )


def _elsewhere() -> Iterator[tuple[Any, str, Any, str | None]]:
    """What is decided on other pages: its name, what is decided, where, and the page if it is one.

    Only groups that have no question here are told, and the wishes for every draw.
    """
    for key, group in GROUPS.items():
        if key not in QUESTIONS:
            where, endpoint, anchor = ELSEWHERE.get(key, (IN_THE_EVENING, None, None))
            address = None if endpoint is None else url_for(endpoint, _anchor=anchor)
            yield TITLES[key], decided_words(services().decided.of(group)), where, address
    wishes = len(services().book.draws.wishes())
    told = ngettext("%(num)d wish", "%(num)d wishes", wishes) if wishes else gettext("none")
    yield gettext("Wishes for every draw"), told, IN_THE_EVENING, None


def _ask(key: str, group: Group, form: Form, message: str | None = None) -> str:
    rules = rules_of(group.ruleset or "") if isinstance(group, ClubRules) else None
    return render_template(
        "club/our_club_ask.html",
        key=key,
        title=TITLES[key],
        question=QUESTIONS[key],
        season=_season(),
        keys=_at_first(),
        following=_following(key),
        group=group,
        form=form,
        rules=rules,
        rulesets=rulesets(),
        tile_sets=set_names(),
        spoken=LANGUAGES,
        endings=ENDINGS,
        message=message,
    )


def _at_first() -> list[str]:
    """The keys of the questions that a new club is asked, in their order."""
    return [key for key, question in QUESTIONS.items() if question.at_first]


def _following(key: str) -> str:
    """The address of what comes after a question while a new club is asked all of them."""
    keys = _at_first()
    after = keys[keys.index(key) + 1 :] if key in keys else []
    if not after:
        return url_for("our_club.show")
    return url_for("our_club.ask", key=after[0], all="yes")


@pages.get("/<key>")
@Policy(SECRETARY)
def ask(key: str) -> str:
    """Show one question."""
    season = _season()
    group = _question_or_404(key, season).group
    return _ask(key, services().decided.of(group, _id(season)), request.args)


@pages.post("/<key>")
@Policy(SECRETARY, retracts=True)
def answer(key: str) -> Response:
    """Keep an answer, or change the form if the field ``then`` names such a button."""
    season, form = _season(), request.form
    question, decided = _question_or_404(key, season), services().decided
    try:
        group = question.read(form)
    except FormRefused as refusal:
        rules = key == ClubRules.KEY
        typed = _as_typed(form) if rules else decided.of(question.group, _id(season))
        return make_response(_ask(key, typed, form, str(refusal)), 400)
    if isinstance(group, ClubRules) and (form.get("then") == "rules" or "without" in request.args):
        without = request.args.get("without", "")
        changes = changed_rules(group.ruleset or "", group.changes, form.get("rule", ""), without)
        return make_response(_ask(key, replace(group, changes=changes), form))
    decided.decide(group, _id(season))
    if "all" in form:
        return redirect(_following(key), 303)
    flash(gettext("Saved. It applies from now on; games already played do not change."), "good")
    return redirect(url_for("our_club.show", season=_id(season)), 303)


@pages.post("/back/<int:number>")
@Policy(SECRETARY, retracts=True)
def take_back(number: int) -> Response:
    """Let hold again what held before a decision."""
    if services().decided.take_back(number):
        flash(gettext("Undone: the previous decision applies again."), "good")
    else:
        flash(gettext("Someone else has just changed this. Check the list."))
    return redirect(url_for("our_club.show"), 303)


def set_up(app: Flask) -> None:
    """Register the pages, and let every page say what the club has decided."""
    app.register_blueprint(pages)
    app.jinja_env.globals.update(
        club_rules=lambda: services().club_rules(),
        nothing_decided=nothing_decided,
        photos_given=lambda: services().decided.of(PhotoGiving).given,
        photo_stays=lambda photo_id: photo_id in LeftOut(services().engine).all(),
        rules_words=rules_words,
    )
