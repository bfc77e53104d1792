"""The game command: the table, the sheets, the JSON, and how faults are told."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from scorer.text.game_json import game_document
from tests.scorer.builders import claimed, win
from tests.scorer.game.games import FOUR, THREE, U3A, play, started
from webapp.cli.main import main


def run(*arguments: str, given: object) -> Result:
    text = given if isinstance(given, str | bytes) else json.dumps(given)
    return CliRunner().invoke(main, ["game", *arguments], input=text)


def evening(**changes: Any) -> dict[str, Any]:
    """South wins hand 1, hand 2 is drawn, Dee is paid as agreed for hand 3."""
    players = [claimed(seat, total) for seat, total in zip("ESWN", (20, 128, 8, 16), strict=True)]
    paid = [{"from": name, "to": "Dee", "amount": 40} for name in ("Ann", "Bob", "Cat")]
    hands = [
        {"deal": {"players": players, "win": win("S", "- wall")}},
        {"drawn": True},
        {"winner": "Dee", "payments": paid},
    ]
    return {"ruleset": U3A, "players": FOUR, "hands": hands, **changes}


TABLE = """\
Scored by bmja-u3a

Hand  Round  Won         Ann      Bob      Cat      Dee
   1  East   Bob    E   -224 S   +512 W   -160 N   -128
                        -224      512     -160     -128
   2  East   -      N     +0 E     +0 S     +0 W     +0  drawn
                        -224      512     -160     -128
   3  East   Dee    N    -40 E    -40 S    -40 W   +120  goulash, as agreed
                        -264      472     -200       -8

Next: hand 4, round of East
  East Cat (dealer), South Dee, West Ann, North Bob
"""
SHEET = """\
Name: Dee    Wind of the round: East
Brought forward: 0
                             Ann               Bob               Cat
Wind    Hand    Receive      Pay  Receive      Pay  Receive      Pay      Win     Lose
North      1          -        8        -      128        8        -        -      128
West       2          -        -        -        -        -        -        -        -  drawn
West       3         40        -       40        -       40        -      120        -  *
Totals               40        8       40      128       48        -      120      128
Subtract              8        8       40       40        -        -      120      120
Final totals         32        -        -       88       48        -        -        8
Carried forward: -8
"""


def test_the_table_shows_winds_gains_totals_and_what_is_next() -> None:
    done = run(given=evening())
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == TABLE


def test_the_next_hand_tells_goulash_round_and_the_dealers_wins() -> None:
    goulash = run(given=game_document(play(started(), "BCDAA-"))).stdout
    assert "Next: hand 7, a goulash, round of South\n  East Ann (dealer), South Bob" in goulash
    assert "The dealer's wins in a row so far: 1" in goulash
    assert "House rules" not in goulash
    ruled = run(given=evening(changes={"limit": 500, "losers_settle": False})).stdout
    assert "House rules: limit = 500, losers_settle = false" in ruled


def test_a_game_that_is_over_says_so() -> None:
    done = run(given=game_document(play(started(players=THREE, rounds=1), "BDA")))
    assert done.exit_code == 0
    assert done.stdout.endswith("\n\nThe game is over: the last round has been played.\n")


def test_the_sheets_are_ruled_like_the_paper_ones() -> None:
    done = run("--sheets", given=evening())
    sheets = done.stdout.split("\n\n")[3:]
    assert [sheet.splitlines()[0] for sheet in sheets] == [
        f"Name: {name}    Wind of the round: East" for name in FOUR.values()
    ]
    assert sheets[3] == SHEET.replace("*", "goulash, as agreed")


def test_long_names_keep_their_columns_apart() -> None:
    names = {"E": "Wilhelmina Featherstone", "S": "Bob", "W": "Cat", "N": "Dee"}
    hands = [{"winner": names["E"], "payments": [{"from": "Bob", "to": names["E"], "amount": 9}]}]
    done = run("--sheets", given={"ruleset": U3A, "players": names, "hands": hands})
    head, first, totals = done.stdout.splitlines()[2:5]
    ends = [head.index(name) + len(name) for name in ("Bob", "Cat", "Dee")]
    assert [first[end - 1] for end in ends] == ["9", "0", "0"]
    assert [totals[end - 1] for end in ends] == ["9", "0", "0"]
    assert head.split()[3:5] == ["Wilhelmina", "Featherstone"]
    sheet = done.stdout[done.stdout.index("Name: Bob") :].splitlines()
    end = sheet[2].index("Featherstone") + len("Featherstone")
    assert sheet[3][:end].endswith("Pay")
    assert sheet[4][:end].endswith("9")


def test_json_holds_hands_sheets_and_the_next_deal() -> None:
    done = run("--json", given=evening())
    value = json.loads(done.stdout)
    assert value["totals"] == {"Ann": -264, "Bob": 472, "Cat": -200, "Dee": -8}
    assert [hand["winner"] for hand in value["hands"]] == ["Bob", None, "Dee"]
    assert value["hands"][0]["result"]["net"] == {"E": -224, "S": 512, "W": -160, "N": -128}
    assert value["next"]["seats"] == {"E": "Cat", "S": "Dee", "W": "Ann", "N": "Bob"}
    named = [(player["seat"], player["name"]) for player in value["next_deal"]["players"]]
    assert named == list(value["next"]["seats"].items())
    assert value["table_sheet"]["totals"] == value["totals"]
    assert [sheet["player"] for sheet in value["player_sheets"]] == list(FOUR.values())
    over = game_document(play(started(rounds=1), "BCDA"))
    assert json.loads(run("--json", given=over).stdout)["next_deal"] is None


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("", "the game, json: Expecting value at line 1, column 1"),
        ('{"ruleset": "a", "ruleset": "b"}', "the game, ruleset: appears twice"),
        (evening(rounds=9), "the game, rounds: needs a number from 1 to 4"),
        (evening(hands=[{"drawn": True}, {}]), 'hand 2, hand: needs "deal", or'),
        (evening(ruleset="nobody-s"), "the game, ruleset: unknown ruleset 'nobody-s'"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(given: object, told: str) -> None:
    done = run("--json", given=given)
    assert done.exit_code == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"kongbox: {told}")
    error = json.loads(done.stdout)["error"]
    assert set(error) == {"hand", "player", "field", "message"}
    assert error["message"] in line
    assert run(given=given).stdout == ""


def test_a_corrected_hand_re_seats_the_later_ones_and_says_so() -> None:
    document = game_document(play(started(), "AC"))
    document["hands"][0] = {"winner": "Bob", "payments": []}
    refused = run(given=document)
    assert refused.exit_code == 2
    assert "hand 2, " in refused.stderr
    done = run("--reseat", given=document)
    assert done.exit_code == 0
    assert done.stderr == (
        "kongbox: hand 2 as it was given does not follow: Ann is North, not East, "
        "Bob is East, not South, Cat is South, not West, Dee is West, not North\n"
    )
    document["hands"][0] = {"drawn": True}
    done = run("--reseat", given=document)
    assert done.stderr.endswith("does not follow: goulash is true, not false\n")


def test_a_later_hand_that_cannot_stand_is_told() -> None:
    document = game_document(play(started(), "AA"))
    document["hands"][1]["deal"]["win"] = {"seat": "E", "source": "dealt"}
    assert run(given=document).exit_code == 0
    document["hands"][0] = {"winner": "Bob", "payments": []}
    done = run("--reseat", given=document)
    assert done.exit_code == 2
    assert done.stderr.splitlines()[1].startswith(
        "kongbox: hand 2, Ann, win.source: only the dealer, East"
    )
    assert "not valid, not counted" in done.stdout


def test_the_game_in_the_documents_is_one() -> None:
    text = (Path(__file__).parents[4] / "docs" / "COMMANDS.md").read_text("utf-8")
    blocks = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    (shown,) = [block for block in blocks if "hands" in block]
    done = run(given=shown)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "Next: hand 4, round of East" in done.stdout


FIVE = """\
Hand  Round  Won         Ann      Bob      Cat      Dee      Eve
   1  East   Bob    E    -40 S    +40 W     +0 N     +0           as agreed
                         -40       40        0        0        0
   2  East   -               E     +0 S     +0 W     +0 N     +0  drawn
                         -40       40        0        0        0

Next: hand 3, a goulash, round of East
  East Bob (dealer), South Cat, West Dee, North Eve
  Sits out: Ann
"""


def test_five_players_sit_out_by_turns() -> None:
    paid = [{"from": "Ann", "to": "Bob", "amount": 40}]
    hands = [{"winner": "Bob", "payments": paid}, {"drawn": True}]
    result = run(given=evening(waiting=["Eve"], hands=hands))
    assert result.output.split("\n\n", 1)[1] == FIVE
    told = json.loads(run("--json", given=evening(waiting=["Eve"], hands=hands)).output)
    assert told["next"]["waiting"] == ["Ann"]
    hands.append({"drawn": True, "waiting": ["Zoe"]})
    told = run(given=evening(waiting=["Eve"], hands=hands))
    assert "hand 3, waiting: needs 1 of these to sit out: Bob, Cat, Dee, Eve, Ann" in told.output
