"""Questions that newcomers ask in German."""

from __future__ import annotations

from flask.testing import FlaskClient

from tests.webapp.pages.rules.test_finding import found
from webapp.course.glossary import glossary

GERMAN = {"Accept-Language": "de-DE,de;q=0.9"}

QUESTIONS = {
    "Was geschieht, wenn zwei rufen?": "/course/precedence-and-kongs#part-1",
    "Wer bekommt den Stein, wenn ihn zwei wollen?": "/course/precedence-and-kongs#part-1",
    "darf ich einen Chow von jedem nehmen": "/course/chows#part-3",
    "Wozu dient die tote Mauer?": "/course/words#kong_box",
    "wie raube ich einen Kong": "/course/precedence-and-kongs#part-4",
    "was ist, wenn ich zu viele Steine habe": "/course/penalties#part-1",
    "jemand hat aus Versehen Mah-Jongg gerufen": "/course/penalties#part-3",
    "welche Abwürfe sind gefährlich": "/course/penalties#part-5",
    "wie werden die Mauern gebaut": "/course/walls-and-deal#part-1",
    "Wann wechselt der Rundenwind?": "/course/wind-of-the-round#part-1",
    "Was ist ein Gulasch?": "/course/words#goulash",
    "was ist ein Pong": "/course/words#pung",
    "Bringen Chows Punkte?": "/course/chows#part-4",
    "was zahlen die Verlierer einander": "/learn/rules/bmja-u3a#settlement",
    "was, wenn die Mauer leer ist": "/course/words#drawn_hand",
    "kann ich einen offenen Pung wieder zurücknehmen": "/course/words#exposed",
    "wie wird entschieden, wer Ost ist": "/course/walls-and-deal#part-1",
    "was ist eine Figur": "/course/words#set",
    "Was zahlt Ost?": "/course/words#east",
    "muss ich das Warten ansagen": "/course/playing#part-3",
    "wie viele Chips bekommt jeder": "/course/canton-deal#part-2",
    "wer zahlt in Kanton dem Gewinner": "/course/canton-counting#part-4",
    "Gesetze von 1924: Haufen statt Mauern": "/course/laws-seats#part-3",
    "wann ist ein Abwurf tot": "/course/words#dead",
    "Blumen mit einer Sonderhand": "/course/clarified-scoring#part-4",
    "welche Blume heißt Lilie": "/course/other-names#part-3",
    "dreizehn Wunder": "/learn/hands/bmja-u3a#thirteen_unique_wonders",
    "welche Steine sind gruen": "/course/words#green",
    "Strafe für falsches Mah-Jongg": "/course/penalties#part-3",
}
"""A question, and what must be among the first three answers."""


def test_a_newcomer_finds_the_answer_among_the_first_three(client: FlaskClient) -> None:
    for question, answer in QUESTIONS.items():
        urls = found(client, question, GERMAN)
        assert answer in urls[:3], (question, urls)


def test_the_glossary_is_in_words_of_its_own() -> None:
    for word, other in zip(glossary().words, glossary("de").words, strict=True):
        assert (word.id, word.tiles, word.cite) == (other.id, other.tiles, other.cite)
        assert word.text != other.text


def test_the_referee_understands_german(client: FlaskClient) -> None:
    asked = {
        "zwei wollen denselben Stein": "Zwei Spieler rufen denselben Abwurf",
        "Kong rauben": "Ein Spieler will einen Kong rauben",
        "Mauer ist leer": "Die Mauer ist aufgebraucht und niemand ist aus",
        "zu spät gerufen": "Ein Abwurf wird zu spät gerufen",
    }
    for question, title in asked.items():
        page = client.get("/learn/referee", query_string={"q": question}, headers=GERMAN).text
        assert f'id="ruling">{title}' in page, question
