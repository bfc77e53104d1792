"""The pages for newcomers: the tiles, how a hand is built, and the worth of things in a ruleset.

No rule is known here: figures, words and citations are those of the chosen ruleset.
"""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response

from scorer import RulesetInfo
from scorer.explain.compare import alike
from scorer.explain.examples import example
from scorer.rules.rulebook import load_ruleset
from webapp.club_settings.words import rules_words
from webapp.rulesets.asking import TOPICS, questions
from webapp.rulesets.shown import rulesets
from webapp.rulesets.words import rule_sections
from webapp.security.policy import ANYBODY, Policy
from webapp.services import services

pages = Blueprint("learning", __name__, url_prefix="/learn")


def ruleset_or_404(name: str) -> RulesetInfo:
    """The ruleset named in the address; ends the request with status 404 if there is none."""
    found = next((info for info in rulesets() if info.id == name), None)
    if found is None:
        abort(404, gettext("There are no such rules here. Choose some from the list."))
    return found


@pages.get("")
@Policy(ANYBODY)
def index() -> str:
    """Show what can be learnt."""
    return render_template("rules/learn.html", rulesets=services().rulesets())


@pages.get("/tiles")
@Policy(ANYBODY)
def tiles() -> str:
    """Show every tile with its picture and its name."""
    return render_template("rules/learn_tiles.html")


@pages.get("/hand")
@Policy(ANYBODY)
def hand() -> str:
    """Show how a hand is built."""
    return render_template("rules/learn_hand.html", rulesets=services().rulesets())


@pages.get("/rules")
@Policy(ANYBODY)
def any_rules() -> Response:
    """Go to the rules that were chosen in the form, or to the default rules."""
    chosen = ruleset_or_404(request.args.get("ruleset", services().rulesets()[0].id))
    return redirect(url_for("learning.rules", ruleset=chosen.id), 303)


@pages.get("/rules/<ruleset>")
@Policy(ANYBODY)
def rules(ruleset: str) -> str:
    """Show the points and doubles of a ruleset, each with its citation."""
    info = ruleset_or_404(ruleset)
    found = load_ruleset(ruleset)
    return render_template(
        "rules/learn_rules.html",
        info=info,
        ruleset=found,
        sections=list(rule_sections(found)),
        rulesets=services().rulesets(),
    )


@pages.get("/hands")
@Policy(ANYBODY)
def any_hands() -> Response:
    """Go to the special hands of the default rules."""
    return redirect(url_for("learning.hands", ruleset=services().rulesets()[0].id), 303)


@pages.get("/hands/<ruleset>")
@Policy(ANYBODY)
def hands(ruleset: str) -> str:
    """Show the special hands of a ruleset, each drawn as tiles."""
    info = ruleset_or_404(ruleset)
    drawn = [(hand, example(ruleset, hand.id)) for hand in info.special_hands]
    return render_template(
        "rules/learn_hands.html", info=info, drawn=drawn, rulesets=services().rulesets()
    )


@pages.get("/ask")
@Policy(ANYBODY)
def ask() -> str:
    """Show what to ask at another table: where its rules may differ from the usual ones."""
    decided = services().club_rules()
    known = services().rulesets()
    ours = ruleset_or_404(request.args.get("ours") or known[0].id)
    kin = alike(ours.id)
    others = [info.id for info in known if info.id != ours.id]
    usual = next((other for other in others if other in kin), others[0])
    theirs = ruleset_or_404(request.args.get("theirs") or usual)
    own = decided.changes if decided is not None and decided.ruleset == ours.id else {}
    same_kind = theirs.id in kin
    differ = questions(load_ruleset(ours.id, own), load_ruleset(theirs.id)) if same_kind else {}
    return render_template(
        "rules/learn_ask.html",
        ours=ours,
        theirs=theirs,
        ours_named=rules_words(ours.id, own),
        asked=differ,
        another_kind=not same_kind,
        topics=TOPICS,
        rulesets=known,
    )
