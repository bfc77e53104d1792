"""The glossary, and questions that newcomers ask in their own words."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorer.rules.folder import FOLDER_VARIABLE
from scorer.tiles import parse_tiles
from webapp.course.glossary import FOLDER, glossary, questions
from webapp.course.library import ORIGINAL
from webapp.course.search import find
from webapp.pages.rules.passages import ruled, told
from webapp.rulesets.files import forget

CHINESE = {"Accept-Language": "zh-CN"}

QUESTIONS = {
    "What happens when two people call?": "/course/precedence-and-kongs#part-1",
    "Who gets the tile if two players want it?": "/course/precedence-and-kongs#part-1",
    "can I take a chow from anyone": "/course/chows#part-3",
    "What is the kong box for?": "/course/words#kong_box",
    "how do I rob a kong": "/course/precedence-and-kongs#part-4",
    "what if I have too many tiles": "/course/penalties#part-1",
    "someone called mahjong by mistake": "/course/penalties#part-3",
    "which discards are dangerous": "/course/penalties#part-5",
    "how are the walls built": "/course/walls-and-deal#part-1",
    "When does the wind of the round change?": "/course/wind-of-the-round#part-1",
    "What is a goulash?": "/course/words#goulash",
    "what is a pong": "/course/words#pung",
    "Do chows score anything?": "/course/chows#part-4",
    "what do the losers pay each other": "/learn/rules/bmja-u3a#settlement",
    "what if the wall runs out": "/course/words#drawn_hand",
    "can I change my mind after exposing a pung": "/course/words#exposed",
    "how do we decide who is east": "/course/walls-and-deal#part-1",
    "what is a meld": "/course/words#set",
    "What does East pay?": "/course/words#east",
    "do I have to say fishing": "/course/playing#part-3",
    "how many chips does each get": "/course/canton-deal#part-2",
    "who pays the winner in the Canton game": "/course/canton-counting#part-4",
    "laws of 1924 heaps instead of walls": "/course/laws-seats#part-3",
    "when is a discard dead": "/course/words#dead",
    "flowers with a special hand": "/course/clarified-scoring#part-4",
    "what is the Jong": "/course/words#jong",
    "which flower is called a lily": "/course/other-names#part-3",
    "thirteen wonders": "/learn/hands/bmja-u3a#thirteen_unique_wonders",
}
"""A question, and what must be among the first three answers."""

FIRST = {
    "how many tiles do I start with": "/course/walls-and-deal#part-3",
    "do flowers count": "/course/tiles#part-5",
    "what does fishing mean": "/course/words#fishing",
    "can I go mah jong with two pairs": "/course/mah-jong-hands#part-1",
    "who goes first": "/course/playing#part-1",
    "what is a kong worth": "/course/points#part-1",
    "how much do I get for a flower": "/course/points#part-4",
    "can I take back a tile I threw": "/course/words#discard",
    "what happens if no one goes out": "/course/goulash#part-1",
    "is there a minimum number of points": "/course/words#going_out",
}
"""A question, and what must be the first answer."""

DUTCH = {
    "Wat gebeurt er als twee spelers roepen?": "/course/precedence-and-kongs#part-1",
    "Wie krijgt de steen als twee spelers hem willen?": "/course/precedence-and-kongs#part-1",
    "mag ik van iedereen een chow nemen": "/course/chows#part-3",
    "Waar is de dode muur voor?": "/course/words#kong_box",
    "hoe beroof ik een kong": "/course/precedence-and-kongs#part-4",
    "wat als ik te veel stenen heb": "/course/penalties#part-1",
    "iemand riep per ongeluk mahjong": "/course/penalties#part-3",
    "welke weggelegde stenen zijn gevaarlijk": "/course/penalties#part-5",
    "hoe worden de muren gebouwd": "/course/walls-and-deal#part-1",
    "Wanneer verandert de rondewind?": "/course/wind-of-the-round#part-1",
    "Wat is een goulash?": "/course/words#goulash",
    "wat is een pong": "/course/words#pung",
    "Tellen chows iets?": "/course/chows#part-4",
    "wat betalen de verliezers elkaar": "/learn/rules/bmja-u3a#settlement",
    "wat als de muur op is": "/course/words#drawn_hand",
    "kan ik een open pung nog terugnemen": "/course/words#exposed",
    "hoe bepalen we wie oost is": "/course/walls-and-deal#part-1",
    "wat is een combinatie": "/course/words#set",
    "Wat betaalt Oost?": "/course/words#east",
    "moet ik vissen zeggen": "/course/playing#part-3",
    "hoeveel fiches krijgt ieder": "/course/canton-deal#part-2",
    "wie betaalt de winnaar in het spel uit Kanton": "/course/canton-counting#part-4",
    "wetten van 1924 hopen in plaats van muren": "/course/laws-seats#part-3",
    "wanneer is een weggelegde steen dood": "/course/words#dead",
    "bloemen bij een bijzondere hand": "/course/clarified-scoring#part-4",
    "welke bloem heet lelie": "/course/other-names#part-3",
    "dertien wonderen": "/learn/hands/bmja-u3a#thirteen_unique_wonders",
}
"""The same questions in Dutch."""


def found(client: FlaskClient, question: str, headers: dict[str, str] | None = None) -> list[str]:
    page = client.get("/course/search", query_string={"q": question}, headers=headers)
    assert page.status_code == 200
    return [
        html.unescape(url) for url in re.findall(r'id="found-\d+"><a href="([^"]+)"', page.text)
    ]


def test_a_newcomer_finds_the_answer_among_the_first_three(client: FlaskClient) -> None:
    for question, answer in QUESTIONS.items():
        urls = found(client, question)
        assert answer in urls[:3], (question, urls)
        page, _, anchor = answer.partition("#")
        assert f'id="{anchor}"' in client.get(page).text


@pytest.mark.parametrize("question", FIRST)
def test_a_beginner_finds_the_answer_first(client: FlaskClient, question: str) -> None:
    assert found(client, question)[0] == FIRST[question]


def test_what_beginners_ask_leads_to_what_answers_it(app: Flask) -> None:
    with app.test_request_context("/"):
        passages = [*told("en"), *ruled()]
    keys = {each.url.rpartition("/")[2] for each in passages}
    assert questions().keys() <= keys
    assert questions("xx") == {}
    for answer, asked in questions().items():
        for question in asked[:2]:
            urls = [group[0].url for group in find(question, passages, "en")[:3]]
            assert any(url.endswith(f"/{answer}") for url in urls), (question, urls)


def test_an_answer_is_cited_and_leads_to_other_rules(client: FlaskClient) -> None:
    page = client.get("/course/search?q=robbing a kong").text
    assert "U3A course, sheet 13" in page
    assert 'href="/learn/rules/bmja-u3a#robbed_kong">Won by robbing a kong' in page
    assert re.search(r'Under other rules: <a href="/learn/rules/[^"]+#robbed_kong">', page)


def test_the_rules_of_the_club_come_first(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert found(client, "imperial jade")[0] == "/learn/hands/bmja-u3a#imperial_jade"
    club = 'id = "ours"\nname = "Ours"\ndescription = "As we play."\nbase = "western"\n'
    (tmp_path / "ours.toml").write_text(club)
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    forget()
    assert found(client, "imperial jade")[0] == "/learn/hands/ours#imperial_jade"


@pytest.fixture(autouse=True)
def _read_the_files_anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield
    monkeypatch.undo()
    forget()


def test_capitals_accents_and_endings_make_no_difference(client: FlaskClient) -> None:
    usual = found(client, "robbing a kong")[:3]
    for typed in ("ROBBING A KONG", "röbbing á kong", "robbed kongs?"):
        assert found(client, typed)[:3] == usual


def test_an_empty_question_gets_examples_that_are_answered(client: FlaskClient) -> None:
    examples = re.findall(r'href="(/course/search\?q=[^"]+)"', client.get("/course/search").text)
    assert len(examples) == 3
    for path in examples:
        assert 'id="found-1"' in client.get(html.unescape(path)).text


def test_what_is_not_found_is_said(client: FlaskClient) -> None:
    for asked in ("zebra", "the of", "?!", "<script>"):
        page = client.get("/course/search", query_string={"q": asked}).text
        assert f"Nothing was found for “{html.escape(asked)}”." in page


@pytest.mark.parametrize(("language", "questions"), [("nl", DUTCH)])
def test_a_newcomer_may_ask_in_another_language(
    client: FlaskClient, language: str, questions: dict[str, str]
) -> None:
    assert {*questions.values()} <= {*QUESTIONS.values()}
    for question, answer in questions.items():
        urls = found(client, question, {"Accept-Language": language})
        assert answer in urls[:3], (question, urls)


def test_questions_in_chinese(client: FlaskClient) -> None:
    questions = {
        "两个人要同一张牌怎么办": "/course/precedence-and-kongs#part-1",
        "抢杠是什么": "/course/words#robbing",
        "杠盒": "/course/words#kong_box",
    }
    for question, answer in questions.items():
        assert answer in found(client, question, CHINESE)[:3], question


def test_the_glossary_is_complete_and_alphabetical(client: FlaskClient) -> None:
    english, chinese = glossary(), glossary("zh_Hans")
    names = [word.word.casefold() for word in english.words]
    assert names == sorted(set(names))
    for word, other in zip(english.words, chinese.words, strict=True):
        assert (word.id, word.tiles, word.cite) == (other.id, other.tiles, other.cite)
        assert not re.search("[A-Za-z]", "".join((other.word, other.text, *other.also)))
    page = client.get("/course/words").text
    drawn = sum(len(parse_tiles(word.tiles)) for word in english.words if word.tiles)
    assert page.count('class="tile"') == drawn
    for word in english.words:
        assert f'id="{word.id}"' in page


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.toml")), ids=lambda path: path.stem)
def test_every_glossary_has_every_word_in_words_of_its_own(path: Path) -> None:
    told = glossary(path.stem)
    assert told.language == path.stem
    if path.stem != ORIGINAL:
        english = {word.text for word in glossary().words}
        assert [word.id for word in told.words if word.text in english] == []


def test_one_can_ask_from_where_one_learns(client: FlaskClient) -> None:
    for path in ("/course", "/learn", "/course/words"):
        assert 'action="/course/search"' in client.get(path).text
