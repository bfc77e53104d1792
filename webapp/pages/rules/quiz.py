"""The scoring quiz: random hands whose answers the scorer checks and explains.

Each question has its own address. The number of right answers is kept in the visitor's session
only.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Final, get_args

from flask import (
    Blueprint,
    abort,
    make_response,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask_babel import gettext
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from scorer import DealError
from scorer.explain.claims import check_total
from scorer.explain.practice import MAX_SEED, Level, Question, question
from scorer.messages import Message
from webapp.language.numbers import NumberRefused, read_whole
from webapp.pages.rules.learning import ruleset_or_404
from webapp.rulesets.shown import asks_under
from webapp.security.policy import ANYBODY, Policy
from webapp.services import services

pages = Blueprint("quiz", __name__, url_prefix="/learn/quiz")

LEVELS: Final[tuple[Level, ...]] = get_args(Level)
"""The levels of difficulty."""

MAX_ANSWER: Final = 10_000_000
"""Maximum number that can be typed as an answer."""

REMEMBERED: Final = 20
"""Number of answered questions that a session remembers, so that they count only once."""


class AnswerRefused(ValueError):
    """What was typed is not an answer; the message says what to type."""


@dataclass(frozen=True, slots=True)
class Checked:
    """An answer compared with the score.

    Attributes:
        total: the total that was typed.
        points: the points that were typed; None if the field was left empty.
        doubles: the doubles that were typed; None if the field was left empty.
        right: whether everything that was typed is right.
        hints: the mistakes that lead to the typed total, in words.
    """

    total: int
    points: int | None
    doubles: int | None
    right: bool
    hints: tuple[Message, ...]


@pages.get("")
@Policy(ANYBODY)
def start() -> str:
    """Show the choice of the rules and the level."""
    return render_template(
        "rules/quiz_start.html",
        rulesets=[info for info in services().rulesets() if asks_under(info.id, {}).others],
        levels=LEVELS,
        score=running_score(),
    )


@pages.get("/new")
@Policy(ANYBODY)
def begin() -> Response:
    """Go to a new random hand."""
    info = ruleset_or_404(request.args.get("ruleset", services().rulesets()[0].id))
    level = _level(request.args.get("level", LEVELS[0]))
    seed = secrets.randbelow(MAX_SEED)
    return redirect(url_for("quiz.ask", ruleset=info.id, level=level, seed=seed), 303)


def _level(name: str) -> Level:
    if name not in LEVELS:
        abort(404, gettext("The quiz is easy or hard. Choose one of them."))
    return name


def _question(ruleset: str, level: str, seed: int) -> Question:
    info, chosen = ruleset_or_404(ruleset), _level(level)
    if not asks_under(info.id, {}).others:
        abort(404, gettext("The quiz is about points and doubles. Choose other rules."))
    if seed > MAX_SEED:
        abort(404, gettext("There is no such question."))
    try:
        return question(info.id, chosen, seed)
    except DealError:
        abort(404, gettext("No practice hand could be made under these rules."))


@pages.get("/<ruleset>/<level>/<int:seed>")
@Policy(ANYBODY)
def ask(ruleset: str, level: str, seed: int) -> str:
    """Show a hand to be counted."""
    return _page(_question(ruleset, level, seed), level, seed)


def _page(
    asked: Question,
    level: str,
    seed: int,
    checked: Checked | None = None,
    message: str | None = None,
) -> str:
    info = ruleset_or_404(asked.deal.ruleset)
    win = asked.deal.win
    return render_template(
        "rules/quiz.html",
        asked=asked,
        part=asked.result.to_json(),
        info=info,
        level=level,
        seed=seed,
        win=win,
        sources={source.id: gettext(source.name) for source in info.sources},
        flags=[flag.name for flag in info.flags if win is not None and getattr(win, flag.id)],
        checked=checked,
        form=request.form,
        message=message,
        score=running_score(),
    )


@pages.post("/<ruleset>/<level>/<int:seed>")
@Policy(ANYBODY)
def answer(ruleset: str, level: str, seed: int) -> Response:
    """Check an answer and explain the score of the hand."""
    asked = _question(ruleset, level, seed)
    try:
        checked = _checked(asked, request.form)
    except AnswerRefused as refusal:
        return make_response(_page(asked, level, seed, message=str(refusal)), 400)
    _count(f"{ruleset} {level} {seed}", right=checked.right)
    return make_response(_page(asked, level, seed, checked))


def _number(form: MultiDict[str, str], field: str) -> int | None:
    try:
        return read_whole(form.get(field, ""), 0, MAX_ANSWER)
    except NumberRefused as error:
        raise AnswerRefused(gettext("Enter whole numbers, such as 48.")) from error


def _checked(asked: Question, form: MultiDict[str, str]) -> Checked:
    """The answer that was typed, compared with the score.

    Raises:
        AnswerRefused: a field is not a number, or the total is missing.
    """
    points, doubles, total = (_number(form, field) for field in ("points", "doubles", "total"))
    if total is None:
        raise AnswerRefused(gettext("Enter the total that you get."))
    result = asked.result
    right = (
        total == result.total
        and points in (None, result.points)
        and doubles in (None, result.doubles)
    )
    hints = check_total(asked.deal, asked.seat, total).findings
    return Checked(total, points, doubles, right, hints)


def running_score() -> tuple[int, int]:
    """The number of right answers of this session, and of all answers."""
    kept = session.get("quiz", {})
    return int(kept.get("right", 0)), int(kept.get("asked", 0))


def _count(key: str, *, right: bool) -> None:
    """Count an answer to a question unless the question was answered before."""
    kept = session.get("quiz", {})
    done = kept.get("done", [])
    if key in done:
        return
    good, asked = running_score()
    session["quiz"] = {
        "right": good + right,
        "asked": asked + 1,
        "done": [*done, key][-REMEMBERED:],
    }
