"""Every sheet exists in each language, and every exercise holds against the scorer."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from scorer.errors import DealError
from scorer.rules.rulebook import load_ruleset
from webapp.course.answers import Task, task, tasks
from webapp.course.library import ELSEWHERE, FOLDER, ORIGINAL, elsewhere, lacks_some, sheets
from webapp.course.sheet import WORD_KEYS, Choice, Gets, Score, Sheet, Special, Winds

EVERY = sheets()
BESIDE = elsewhere()
BOTH = (*EVERY, *BESIDE)
SHELVES = {FOLDER: sheets, ELSEWHERE: elsewhere}
OTHERS = sorted(path.name for path in FOLDER.iterdir() if path.name != ORIGINAL)
WORD = re.compile("[A-Za-z]{2}")
SHOWN_IN_CHINESE = re.compile(r"U3A|BMJA|Kongbox")


def named(sheet: Sheet) -> str:
    return f"{sheet.number:02}-{sheet.id}"


def words_of(path: Path) -> dict[str, object]:
    return tomllib.loads(path.read_text("utf-8"))


def test_the_sheets_are_numbered_without_a_gap() -> None:
    for shelf in (EVERY, BESIDE):
        assert [sheet.number for sheet in shelf] == list(range(1, len(shelf) + 1))
    assert len({sheet.id for sheet in BOTH}) == len(BOTH)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("folder", SHELVES)
def test_every_language_has_every_sheet_in_words_of_its_own(folder: Path, language: str) -> None:
    names = {path.name for path in (folder / ORIGINAL).glob("*.toml")}
    there_are = {path.name for path in (folder / language).glob("*.toml")}
    assert there_are == names
    assert lacks_some(language) or there_are == names
    assert not lacks_some(language)
    for sheet, other in zip(SHELVES[folder](), SHELVES[folder](language), strict=True):
        if other.language == ORIGINAL:
            continue
        raw = words_of(folder / language / f"{named(sheet)}.toml")
        assert set(raw) <= {"title", "about", "part", "ask"}, sheet.id
        assert other.title != sheet.title
        for key in ("part", "ask"):
            for own, said in zip(getattr(sheet, key), getattr(other, key), strict=True):
                there, here = own.model_dump(), said.model_dump()
                for name in there.keys() - WORD_KEYS:
                    assert here[name] == there[name], (sheet.id, name)
                for name in there.keys() & WORD_KEYS:
                    assert bool(here[name]) == bool(there[name]), (sheet.id, name)
                    same = here[name] == there[name] and WORD.search(str(there[name]))
                    assert not same, (sheet.id, there[name])
                for name in ("list", "choices"):
                    assert len(here.get(name, ())) == len(there.get(name, ())), (sheet.id, here)


def test_the_chinese_sheets_hold_no_english() -> None:
    files = [path for folder in SHELVES for path in (folder / "zh_Hans").glob("*.toml")]
    for path in files:
        said = re.findall(r'"([^"]*)"', path.read_text("utf-8"))
        left = [
            words for words in said if re.search("[A-Za-z]{2}", SHOWN_IN_CHINESE.sub("", words))
        ]
        assert left == [], path.name


@pytest.mark.parametrize("sheet", BOTH, ids=named)
def test_every_exercise_has_an_answer_that_can_be_given(sheet: Sheet) -> None:
    ruleset = load_ruleset(sheet.ruleset)
    rules = {rule.id for rule in ruleset.rule}
    hands = {hand.id for hand in ruleset.special_hand}
    for part in sheet.part:
        assert set(part.rules) <= rules
        assert {part.special} - {""} <= hands
    for done in tasks(sheet):
        check_possible(done, rules, hands)


def check_possible(done: Task, rules: set[str], hands: set[str]) -> None:
    ask = done.ask
    assert done.right, ask.question
    if done.form == "one":
        assert done.options is not None
        assert len(done.right) == 1
        assert set(done.right) <= set(done.options), ask.question
    elif done.form == "tiles":
        assert set(done.right) <= {tile for row in done.rows for tile in row}, ask.question
    if isinstance(ask, Choice):
        assert 1 <= ask.right <= len(ask.choices) == len(set(ask.choices)), ask.question
    elif isinstance(ask, Gets):
        assert ask.rule in rules | hands
    elif isinstance(ask, Special):
        assert set(ask.among) <= hands


def test_an_impossible_hand_is_not_asked() -> None:
    asked = Score(kind="score", question="?", hand="55555z", win="")
    with pytest.raises(DealError):
        task(asked, "bmja-u3a")


@pytest.mark.parametrize(
    ("won", "own", "round_wind"),
    [("", "W", "E"), ("N", "S", "E"), ("NSS", "N", "E"), ("NSSW", "W", "S"), ("NSSWW", "S", "S"),
     ("NSSWWE", "S", "S"), ("NSSWWEW", "E", "S"), ("NSSWWEWN", "N", "S"), ("NSSWWEWNN", "W", "W")],
)  # fmt: skip
def test_winds_move_as_in_the_table_of_sheet_16(won: str, own: str, round_wind: str) -> None:
    asked = Winds(kind="winds", question="?", won=won, began="W")
    assert task(asked, "bmja-u3a").right == (own,)
    assert task(asked.model_copy(update={"asked": "round"}), "bmja-u3a").right == (round_wind,)


def answers_of(name: str) -> list[object]:
    sheet = next(sheet for sheet in BOTH if sheet.id == name)
    return [done.right for done in tasks(sheet)]


def test_the_printed_hands_and_quizzes_have_the_printed_answers() -> None:
    """The answer sheet of the course that is followed: fishing hands, Quiz 5 and Sheet 19."""
    fishing = [("9p",), ("4p", "7p"), ("1s", "3s"), ("1m", "8m"), ("4z",), ("6z",), ("6s", "5z")]
    assert answers_of("fishing-hands")[:7] == fishing
    points = [right["points"] for right in answers_of("quiz-5") if isinstance(right, dict)]
    assert points == [4, 16, 4, 0, 2, 4]
    assert answers_of("scoring-practice") == [
        {"points": 54, "doubles": 4, "total": 864}, {"payment": 1728},
        {"points": 44, "doubles": 3, "total": 352}, {"payment": 352},
        {"points": 68, "doubles": 6, "total": 4352}, {"payment": 8704},
    ]  # fmt: skip


@pytest.mark.parametrize("language", [ORIGINAL, "zh_Hans"])
def test_what_other_sources_tell_is_told(language: str) -> None:
    """Each figure as the sources give it, on the sheet that is about it; each part is cited."""
    figures = {
        "canton-deal": ("2010", "500", "144", "18"),
        "canton-play": ("16|sixteen|十六", "7|seven|七"),
        "laws-seats": ("1924", "13|thirteen|十三"),
        "laws-scoring": ("3000",),
        "clarified-play": ("1994",),
        "clarified-scoring": ("1000", "516"),
    }
    for sheet in elsewhere(language):
        assert all(part.cite for part in sheet.part), sheet.id
        told = " ".join(text for part in sheet.part for text in (part.text, *part.list))
        for figure in figures.get(sheet.id, ()):
            assert re.search(figure, told.replace(",", ""), re.IGNORECASE), (sheet.id, figure)
    canton = load_ruleset("ming-1876")
    chips = next(part.list for part in BESIDE[0].part if "2,010" in part.text)
    words = {"Two": 2, "Nine": 9, "Ten": 10}
    held = [(words[line.split()[0]], int(re.findall(r"\d+", line)[0])) for line in chips]
    assert sum(number * worth for number, worth in held) == canton.game.start_points == 2010


def test_the_examples_of_1876_have_the_printed_answers() -> None:
    assert answers_of("canton-counting")[:2] == [
        {"points": 22, "doubles": 1, "total": 44},
        {"points": 70, "doubles": 8, "total": 17920},
    ]
    assert answers_of("clarified-scoring")[0] == {"total": 516}
