"""What to ask at another table follows from the rules alone: all that differs, and nothing else."""

from __future__ import annotations

import re
from itertools import permutations

from flask import Flask
from flask.testing import FlaskClient

from scorer.explain.compare import alike
from scorer.explain.difference import differences
from scorer.rules.rulebook import load_ruleset, ruleset_ids
from tests.webapp.conftest import services_of
from webapp.club_settings.groups import ClubRules
from webapp.rulesets.asking import Asked, matters, questions, subject_of


def asked(app: Flask, one: str, other: str, **changes: bool | int | str) -> list[Asked]:
    with app.test_request_context():
        told = questions(load_ruleset(one), load_ruleset(other, changes))
    return [item for listed in told.values() for item in listed]


def test_rules_held_against_themselves_raise_no_question(app: Flask) -> None:
    for ruleset in ruleset_ids():
        assert asked(app, ruleset, ruleset) == []


def test_all_that_differs_is_asked_and_answers_differ(app: Flask) -> None:
    for one, other in permutations(ruleset_ids(), 2):
        if other in alike(one):
            check_pair(app, one, other)


def check_pair(app: Flask, one: str, other: str) -> None:
    found = asked(app, one, other)
    for item in found:
        assert item.ours != item.theirs, item
        assert item.ours
        assert item.theirs
        assert "{" not in f"{item.question}{item.ours}{item.theirs}"
        assert not re.search("_|None", f"{item.question}{item.ours}{item.theirs}"), item
    back = sorted(item.subject for item in asked(app, other, one))
    assert sorted(item.subject for item in found) == back
    told = {item.subject for item in found}
    gaps = list(filter(matters, differences(load_ruleset(one), load_ruleset(other))))
    left = {subject_of(gap) for gap in gaps} - told
    for part, own in left:
        assert part == "special_hand" or never_played(part, own, one, other), (part, own)
    if any(part == "special_hand" for part, _ in left):
        assert ("special_hand", "") in told


def never_played(part: str, own: str, *rulesets: str) -> bool:
    """Whether an entry is switched off, or missing, in every one of the rulesets."""
    entries = [
        entry for name in rulesets for entry in getattr(load_ruleset(name), part) if entry.id == own
    ]
    return not any(getattr(entry, "enabled", True) for entry in entries)


def test_one_house_rule_is_one_question_in_its_own_words(app: Flask) -> None:
    (item,) = asked(app, "bmja-u3a", "bmja-u3a", limit=500)
    assert item.question == "The limit?"
    assert item.ours.startswith("1000 points, the award of a limit hand.")
    assert item.theirs.startswith("500 points, the award of a limit hand.")
    (item,) = asked(app, "bmja-u3a", "bmja-u3a", chows=2)
    assert (item.question, item.ours, item.theirs) == ("Chows allowed?", "1", "2")
    (item,) = asked(app, "bmja-u3a", "bmja-u3a", purity=False)
    assert item.question == "Which special hands do you play?"
    assert (item.ours, item.theirs) == ("Purity", "No others")
    (item,) = asked(app, "bmja-u3a", "bmja-u3a", snake_pair="any")
    assert item.ours == "Only the ones"


def test_the_page_begins_with_the_rules_that_the_club_decided_on(
    app: Flask, client: FlaskClient
) -> None:
    page = client.get("/learn/ask").text
    assert "Ours: British (BMJA), U3A course. Theirs: " in page
    services_of(app).decided.decide(ClubRules("uk-1924", {"limit": 500}))
    page = client.get("/learn/ask?theirs=bmja-u3a").text
    assert "Ours: United Kingdom standard, 1924 · Limit: 500. Theirs: British" in page
    assert "<dd>500 points, the most that any hand scores.</dd>" in page
    page = client.get("/learn/ask?ours=western&theirs=western").text
    assert "There are no differences. Sit down and play." in page
    assert client.get("/learn/ask?theirs=snap").status_code == 404
    assert 'href="/learn/ask"' in client.get("/learn").text
