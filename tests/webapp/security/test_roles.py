"""Who may reach what: every route has a decision here, and each is tried as everybody."""

from __future__ import annotations

from typing import Final

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from tests.webapp.security.test_login import club, kept, logged_in
from tests.webapp.serving.serving import with_doors
from tests.webapp.token_client import TokenClient

__all__ = ["club", "kept"]

ANYBODY: Final = {
    "static", "login.show", "login.enter", "api.health", "api.ready", "display.show",
    "display.keep", "offline.page", "offline.worker", "learning.index", "learning.tiles",
    "learning.hand", "learning.hands", "learning.any_hands", "learning.rules", "learning.any_rules",
    "learning.ask", "quiz.start", "quiz.begin", "quiz.ask", "quiz.answer", "course.index",
    "course.sheet",
    "finding.words", "finding.search", "referee.index", "referee.situation",
    "trust.show", "trust.enter", "trust.certificate", "trust.profile",
    "arriving.start", "arriving.show", "arriving.decide",
}  # fmt: skip
BY_LINK: Final = {
    "table.show", "table.live", "hands.show", "result.show", "why.why", "why.rules",
    "shares.show", "shares.picture", "clock.show",
}  # fmt: skip
MEMBERS: Final = {
    "hall.show", "home.index", "home.laying", "home.sample_picture",
    "evenings.index", "evenings.show", "here.show", "here.live", "here.person",
    "draws.show", "our_club.show", "standings.show", "standings.file", "leagues.index",
    "leagues.show", "leagues.file",
    "evenings.new_table", "table.history", "hands.totals", "hands.payments", "hands.check",
    "sheets.show", "sheets.table_file", "sheets.evening_file", "removals.index", "removals.ask",
    "players.ask_join", "places.show", "places.check",
    "paper.evening_page", "paper.draw_page", "paper.cards", "paper.certificates", "paper.at_table",
    "boards.certificates",
    "deal.show", "capture.show",
    "capture.progress", "capture.picture", "another_photo.show", "cameras.show", "cameras.picture",
    "whole_table.show", "whole_table.seats", "tiles.show", "tiles.one", "winning.show", "why.trail",
    "disputes.new", "disputes.show", "timing.show", "boards.contents", "boards.show",
    "boards.file", "boards.records", "boards.seasons", "balances.show", "balances.day",
    "players.index", "players.show",
    "players.chart", "search.show", "tile_sets.index", "tile_sets.new", "tile_sets.show",
    "tile_sets.download",
    "tile_sets.check", "tile_sets.ask", "login.leave", "offline.token",
}  # fmt: skip
SCORERS: Final = {
    "here.decide", "here.code", "here.change", "draws.decide", "draws.wish", "clock.decide",
    "evenings.correct", "removals.decide", "winning.not_out", "players.join", "players.split",
    "deal.exchange", "places.keep", "places.sit_out", "places.renumber", "hands.confirm",
    "home.start", "home.demo", "evenings.begin", "evenings.welcome", "evenings.open_table",
    "evenings.demo", "table.next_hand", "table.drawn", "table.take", "table.undo", "table.close",
    "hands.open_deal", "hands.send_totals", "hands.send_payments", "hands.keep",
    "deal.next_deal", "deal.undo", "capture.send", "capture.sample", "another_photo.send",
    "cameras.take", "whole_table.send", "whole_table.send_each", "whole_table.seat",
    "answers.answer", "tiles.edit",
    "winning.save", "winning.penalties", "disputes.begin", "disputes.answer", "shares.begin",
    "shares.end", "players.add", "players.rename", "offline.take", "api.scores", "api.readings",
    "api.camera", "tile_sets.begin", "tile_sets.say", "tile_sets.keep", "tile_sets.upload",
    "tile_sets.remove",
    "tile_sets.choose", "capture.delete", "capture.say_stays", "cameras.look",
}  # fmt: skip
SECRETARY: Final = {
    "phones.show", "phones.now", "phones.code", "phones.let_in", "phones.keep_out",
    "phones.switch",
    "phones.ask_stop", "phones.stop", "accounts.index", "accounts.add", "accounts.change_role",
    "accounts.change_password", "accounts.ask_remove", "accounts.remove", "keeping.show",
    "keeping.decide", "keeping.show_in_hall", "keeping.everything",
    "boards.season", "boards.add_season", "our_club.ask", "our_club.answer", "our_club.take_back",
    "balances.keep", "balances.take_over", "balances.undo",
    "imports.index", "imports.upload", "imports.show", "imports.decide",
    "boards.change_season", "players.give_number", "players.export",
    "players.ask_erase", "players.erase_for_good",
    "house_rules.index", "house_rules.show", "house_rules.edit", "house_rules.send",
    "keeping.history", "keeping.last_copy",
    "standings.begin", "leagues.begin", "counting.show", "counting.keep", "counting.adjust",
    "counting.team", "counting.brought", "counting.undo", "counting.gone",
    "house_rules.upload", "house_rules.download", "restoring.upload", "restoring.ask",
    "restoring.decide", "keeping.erase_again",
}  # fmt: skip
DECISIONS: Final = (ANYBODY, BY_LINK, MEMBERS, SCORERS, SECRETARY)
IDS: Final = ("deal_id", "game_id", "evening_id", "account_id", "person_id", "contest_id")
VALUES: Final = dict.fromkeys(IDS, "0" * 32) | {"number": 1, "photo": 1, "tile": 1, "seed": 1}
LOGIN_PAGES: Final = {"login.enter", "login.leave"}


def test_every_route_has_one_decision(app: Flask) -> None:
    there = {rule.endpoint for rule in app.url_map.iter_rules()}
    decided = [endpoint for group in DECISIONS for endpoint in group]
    assert sorted(decided) == sorted(there), "decide in this file who may reach a new route"


def ways(app: Flask) -> list[tuple[Rule, str, str]]:
    """Every route with an address, once for each method."""
    adapter = app.url_map.bind("localhost")

    def address(rule: Rule, method: str) -> str:
        given = {name: VALUES.get(name, "x") for name in rule.arguments}
        return adapter.build(rule.endpoint, given, method)

    return [
        (rule, method, address(rule, method))
        for rule in app.url_map.iter_rules()
        for method in sorted((rule.methods or set()) & {"GET", "POST"})
    ]


def admitted(client: FlaskClient, method: str, path: str) -> bool:
    """Whether the gate lets a request through to its view, whatever that makes of it."""
    answer = client.open(path, method=method)
    assert answer.status_code < 500 or answer.status_code == 503, path
    to_login = answer.status_code == 303 and answer.headers["Location"].startswith("/login")
    answer.close()
    return answer.status_code not in (401, 403, 429) and not to_login


@pytest.mark.parametrize("name", ["", "Gus", "Sam", "Sue"])
def test_everybody_reaches_what_was_decided(club: Flask, name: str) -> None:
    client = logged_in(club, name) if name else club.test_client()
    groups = {
        "": ANYBODY | BY_LINK,
        "Gus": ANYBODY | BY_LINK | MEMBERS,
        "Sam": ANYBODY | BY_LINK | MEMBERS | SCORERS,
        "Sue": ANYBODY | BY_LINK | MEMBERS | SCORERS | SECRETARY,
    }
    with_doors(club)
    wrong = []
    for rule, method, path in ways(club):
        if rule.endpoint in LOGIN_PAGES:
            continue
        wanted = rule.endpoint in groups[name]
        if admitted(client, method, path) != wanted:
            wrong.append((name or "a stranger", method, path, f"wanted: {wanted}"))
    assert wrong == []


def test_no_form_is_taken_without_its_token(app: Flask) -> None:
    programs = {"api.scores", "api.readings", "api.camera"}
    client = app.test_client()
    assert isinstance(client, TokenClient)
    checked = 0
    for rule, method, path in ways(app):
        if method == "POST" and rule.endpoint not in programs:
            answer = client.open(path, method="POST", forged=True)
            assert answer.status_code == 400, rule
            assert "Nothing was stored" in answer.text, rule
            checked += 1
        elif method == "POST":
            answer = client.open(path, method="POST", headers={"Sec-Fetch-Site": "cross-site"})
            assert answer.status_code == 403, rule
    assert checked > 40


def test_every_answer_carries_the_headers_and_only_static_files_are_kept(app: Flask) -> None:
    client = app.test_client()
    for rule, method, path in ways(app):
        if method == "GET":
            with client.get(path) as answer:
                headers = answer.headers
                policy = headers["Content-Security-Policy"]
                assert "default-src 'self'" in policy, rule
                assert "frame-ancestors 'none'" in policy, rule
                assert "unsafe" not in policy, rule
                assert headers["X-Content-Type-Options"] == "nosniff", rule
                assert headers["X-Frame-Options"] == "DENY", rule
                assert headers["Referrer-Policy"] == "same-origin", rule
                if rule.endpoint != "static":
                    assert "public" not in headers["Cache-Control"], rule
                for cookie in headers.getlist("Set-Cookie"):
                    assert "HttpOnly" in cookie, rule
                    assert "SameSite=Lax" in cookie, rule
