"""The quiz: its hands, its answers, and the score of the session."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorer.english.sources import cited
from scorer.explain.practice import Question, question
from tests.webapp.pages.table.test_games import words

QUIZ = "/learn/quiz/bmja-u3a/easy/7"


@pytest.fixture
def asked() -> Question:
    return question("bmja-u3a", "easy", 7)


def test_the_quiz_begins_with_a_new_hand(client: FlaskClient) -> None:
    page = words(client.get("/learn/quiz"))
    assert "How hard?" in page
    assert "right." not in page, "nothing was answered yet"
    address = r"/learn/quiz/western/hard/\d+"
    ways = {
        client.get("/learn/quiz/new?ruleset=western&level=hard").headers["Location"]
        for _ in range(5)
    }
    assert len(ways) > 1
    assert all(re.fullmatch(address, way) for way in ways)
    assert client.get(ways.pop()).status_code == 200


def without_token(page: TestResponse) -> str:
    """The page but for the tokens of its forms, which differ each time."""
    tokens = re.findall(r'name="(?:csrf_token|entry)" value="([^"]+)"', page.text)
    assert tokens
    return re.sub("|".join(map(re.escape, tokens)), "", page.text)


def test_a_question_shows_the_hand_and_not_its_score(client: FlaskClient, asked: Question) -> None:
    page = client.get(QUIZ)
    for tile in {*asked.player.concealed, *(t for m in asked.player.melds for t in m.tiles)}:
        assert f"/tiles/{tile}.svg" in page.text
    assert "What is this hand worth?" in words(page)
    assert "Together" not in words(page)
    assert all(cited(line.cite) not in page.text for line in asked.result.lines)
    assert without_token(page) == without_token(client.get(QUIZ))


def test_a_right_answer_is_counted_once_and_explained(client: FlaskClient, asked: Question) -> None:
    result = asked.result
    full = {"points": result.points, "doubles": result.doubles, "total": f"{result.total:,}"}
    page = words(client.post(QUIZ, data=full))
    assert "✓ Right!" in page
    for line in result.lines:
        assert f"{line.text} {cited(line.cite)}" in page
    assert "1 of 1 right" in page
    client.post(QUIZ, data={"total": "1"})
    assert "So far 1 of 1 right." in words(client.get("/learn/quiz"))


def test_a_wrong_answer_is_told_with_what_leads_to_it(client: FlaskClient, asked: Question) -> None:
    result = asked.result
    doubled = result.points << (result.doubles + 1)
    page = words(client.post(QUIZ, data={"total": doubled, "points": result.points}))
    assert "Not quite" in page
    assert f"Points {result.points} ✓ {result.points}" in page
    assert "You would get your total:" in page
    times = {0: "not at all", 1: "once", 2: "twice"}.get(result.doubles, f"{result.doubles} times")
    assert f"instead of {times}" in page
    assert "0 of 1 right" in page


def test_a_right_total_with_wrong_points_is_not_right(client: FlaskClient, asked: Question) -> None:
    form = {"total": asked.result.total, "points": asked.result.points + 2}
    page = words(client.post(QUIZ, data=form))
    assert "The total is right, the rest is not" in page
    assert "0 of 1 right" in page


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({"total": ""}, "Enter the total"),
        ({"total": "twelve"}, "Enter whole numbers"),
        ({"total": "-4"}, "Enter whole numbers"),
        ({"total": "4", "points": "9" * 30}, "Enter whole numbers"),
    ],
)
def test_what_is_no_answer_counts_nothing(
    client: FlaskClient, form: dict[str, str], told: str
) -> None:
    refused = client.post(QUIZ, data=form)
    assert refused.status_code == 400
    assert told in words(refused)
    assert "Together" not in words(refused), "the score is not given away"
    assert "So far" not in words(client.get("/learn/quiz"))


@pytest.mark.parametrize(
    "path", ["snap/easy/1", "bmja-u3a/cruel/1", "bmja-u3a/easy/9999999", "bmja-u3a/easy/x"]
)
def test_an_unknown_question_is_told(client: FlaskClient, path: str) -> None:
    assert client.get(f"/learn/quiz/{path}").status_code == 404
    assert client.post(f"/learn/quiz/{path}", data={"total": "1"}).status_code == 404


@pytest.mark.parametrize("seed", range(5))
def test_hard_hands_are_shown_and_explained(client: FlaskClient, seed: int) -> None:
    asked = question("western", "hard", seed)
    path = f"/learn/quiz/western/hard/{seed}"
    page = words(client.get(path))
    assert asked.deal.win is not None
    assert ("another player" in page) is (asked.deal.win.seat != asked.seat)
    assert "✓ Right!" in words(client.post(path, data={"total": asked.result.total}))
