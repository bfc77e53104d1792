"""The commands that settle disputes: waits, compare, why, and all readings of a scored deal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.scorer.builders import claimed, deal, player, win
from webapp.cli.main import main

# Sheet 19's first hand of the course: 864.
SHEET_19 = deal(player("S", "666s11z", "111s 777z 9999s", "2f"), won=win("S", "1z discard N"))
THIRTEEN = "1257m468p1379s25z"
RUNS = deal(player("S", "333444555m22p888s"), won=win("S", "3m discard N"), ruleset="western")


def run(*arguments: str, given: object = "") -> Result:
    text = given if isinstance(given, str | bytes) else json.dumps(given)
    return CliRunner().invoke(main, list(arguments), input=text)


def lines_of(done: Result) -> list[str]:
    assert done.exit_code == 0, done.output
    return [" ".join(line.split()) for line in done.stdout.splitlines()]


def written(folder: Path, value: object) -> str:
    file = folder / "deal.json"
    file.write_text(json.dumps(value), "utf-8")
    return str(file)


def test_waits_tell_the_tiles_and_what_each_scores() -> None:
    done = run("waits", "4477p", "--melds", "222m 555p 888m")
    told = lines_of(done)
    assert told[0] == (
        "South is fishing for four circles or seven circles "
        "(East round, British (BMJA), U3A course)."
    )
    assert "four circles 2 64 (32 doubled once) 56 (28 doubled once)" in told
    assert told[-1] == "If somebody else goes out: 6 (ordinary hand)."


def test_waits_of_a_special_hand_at_another_table() -> None:
    hand = ("waits", "112345678p1234z 1f", "--ruleset", "western", "--seat", "E", "--round", "S")
    told = lines_of(run(*hand))
    assert told[0].startswith("East is fishing for nine circles (South round, Western web rules)")
    assert "nine circles 4 1000 (The Wriggling Snake) 1000 (The Wriggling Snake)" in told
    assert told[-1] == "If somebody else goes out: 400 (fishing for The Wriggling Snake)."


def test_waits_of_a_hand_that_waits_for_nothing() -> None:
    told = lines_of(run("waits", "1257m468p1379s25z"))
    assert told[0].startswith("South is not fishing: no single tile completes this hand")


def test_waits_as_json_under_house_rules() -> None:
    arguments = ("waits", "34m44p", "--melds", "2222m 555p 888s", "--ruleset", "western")
    done = run(*arguments, "--set", "own_fours=true", "--set", "going_out=20", "--json")
    value = json.loads(done.stdout)
    assert value["changes"] == {"own_fours": True, "going_out": 20}
    assert [(wait["tile"], wait["left"]) for wait in value["waits"]] == [("2m", 0), ("5m", 4)]
    assert value["waits"][0]["wall"] is None
    assert value["waits"][1]["discard"]["total"] == 20 + 8 + 2 + 2 + 1


def test_waits_with_three_players_and_in_a_goulash() -> None:
    three = run("waits", "34m44p", "--melds", "222m 555p 888s", "--players", "3", "--json")
    assert json.loads(three.stdout)["fishing"] is False
    goulash = run("waits", "4p", "--melds", "222m 555p 888s 333z", "--goulash", "--json")
    assert [wait["tile"] for wait in json.loads(goulash.stdout)["waits"]] == ["4p", "2s"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ("12x",),
            "player S, hand: cannot read '12x' in '12x'; write 123m 55p 777z 1f: m for ",
        ),
        (("345m4p", "--melds", "55p"), "'55p' has 2 tiles"),
        (("345m4p",), "hand: 4 tiles, counting each kong as three; a hand waits with 13"),
        (
            (f"{THIRTEEN}4p",),
            "14 tiles, counting each kong as three; a hand waits with 13; leave out",
        ),
        ((THIRTEEN, "--ruleset", "nowhere"), "unknown ruleset 'nowhere'"),
        ((THIRTEEN, "--set", "limit"), "'limit' needs the form option=value"),
        ((THIRTEEN, "--set", "limt=3"), "unknown option 'limt'"),
        (("11111257m468p13s",), "all hands together have 5 of one character"),
    ],
)
def test_waits_refuse_what_they_cannot_read(arguments: tuple[str, ...], told: str) -> None:
    done = run("waits", *arguments)
    assert done.exit_code == 2
    assert told in done.stderr
    assert done.stdout == ""
    as_json = run("waits", *arguments, "--json")
    answer = json.loads(as_json.stdout)
    assert set(answer["error"]) == {"player", "field", "message"}
    assert answer["error"]["message"] == answer["errors"][0]["message"]


def test_compare_stands_all_rulesets_beside_the_deals_own() -> None:
    told = lines_of(run("compare", given=SHEET_19))
    assert told[0].split() == ["bmja-u3a", "bmja-mjbr", "ming-1876", "uk-1924", "western"]
    south = next(line for line in told if line.startswith("South"))
    assert south.split()[1] == "864"
    assert south.split()[-1] == "344"
    assert any(line.startswith("* Going Mah Jong 20") for line in told)
    assert any(line.startswith("South +3456") for line in told)


def test_compare_with_house_rules_in_a_column() -> None:
    systems = ("--ruleset", "western", "--ruleset", "western:going_out=20,chows=0")
    told = lines_of(run("compare", *systems, given=SHEET_19))
    assert told[0] == "western western (going_out = 20, chows = 0)"
    # 43 points doubled three times; 53 without the double for no chows.
    assert "South 344 212" in told
    assert "* Going Mah Jong 10 20" in told
    assert "* No chows 1 double" in told
    assert "Set of dragons: Red dragon 1 double 1 double" in told


def test_compare_with_one_ruleset_keeps_the_deals_own() -> None:
    told = lines_of(run("compare", "--ruleset", "western", given=SHEET_19))
    assert told[0] == "bmja-u3a western"


def test_compare_tells_why_a_ruleset_refuses_the_deal() -> None:
    chows = deal(player("S", "345m44p", "123m 456p 888s"), won=win("S", "5m discard N"))
    value = {**chows, "ruleset": "western"}
    told = lines_of(run("compare", "--ruleset", "bmja-u3a", given=value))
    assert told[1].startswith("bmja-u3a: player S, melds: this hand has 2 chows")
    assert "South 13 -" in told
    assert not any(line.startswith("*") for line in told)
    alone = run("compare", "--ruleset", "bmja-u3a", "--ruleset", "bmja-mjbr", given=value)
    assert alone.exit_code == 2


def test_compare_holds_claims_against_the_first_column() -> None:
    claims = ("--claim", "S=432", "--claim", "S=865", "--claim", "S=864")
    told = lines_of(run("compare", *claims, given=SHEET_19))
    assert told[0] == "bmja-u3a"
    assert "South claims 432: the hand scores 864." in told
    assert "It would be reached thus: 54 points doubled 3 times instead of 4 times." in told
    assert 'It would be reached without "No chows".' in told
    assert "No single line more or less leads to the claim." in told
    assert "South claims 864: right." in told


def test_compare_holds_claimed_readings() -> None:
    readings = ("--reading", "S=345m 345m 345m 888s 22p", "--reading", "S=333m 22p 777s")
    told = lines_of(run("compare", *readings, given=RUNS))
    lesser = told.index(
        "South's claimed reading scores 15; the hand scores 50, read as 333m* 444m 555m 888s 22p."
    )
    assert told[lesser + 1] == "Read as 333m* 444m 555m 888s 22p, the hand scores more."
    assert told[-1] == "South does not hold seven bamboo, seven bamboo, seven bamboo."


def test_compare_as_json() -> None:
    done = run("compare", "--claim", "S=432", "--json", given=SHEET_19)
    value = json.loads(done.stdout)
    assert set(value) == {"systems", "players", "claims"}
    assert value["claims"][0]["total"] == 864
    assert value["claims"][0]["right"] is False


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--claim", "X=4"), "'X=4' needs a seat and a value"),
        (("--claim", "S="), "'S=' needs a seat and a value"),
        (("--claim", "S=much"), "needs a whole number from 0 to 10000000, not 'much'"),
        (("--reading", "S=12x"), "player S, reading: cannot read '12x'"),
        (("--ruleset", "western:chows"), "'chows' needs the form option=value"),
    ],
)
def test_compare_refuses_what_it_cannot_read(arguments: tuple[str, ...], told: str) -> None:
    done = run("compare", *arguments, given=SHEET_19)
    assert done.exit_code == 2
    assert told in done.stderr
    assert run("compare", *arguments, given="{").exit_code == 2


def test_why_tells_what_a_rule_lacks(tmp_path: Path) -> None:
    file = written(tmp_path, SHEET_19)
    assert lines_of(run("why", file, "all_concealed")) == [
        "South",
        "all_concealed: All concealed [U3A course, sheet 17: Doubles]",
        ("does not count: needed: no set exposed (exposed: one bamboo, Red dragon, nine bamboo)"),
    ]
    assert lines_of(run("why", file, "no_chows"))[-1] == "counts"


def test_why_goes_through_all_rows_under_another_ruleset(tmp_path: Path) -> None:
    file = written(tmp_path, SHEET_19)
    done = run("why", file, "--ruleset", "western", "--json")
    answers = {row["row"]: row for row in map(json.loads, done.stdout.splitlines())}
    assert answers["suit_and_honours"]["counts"] is True
    assert answers["four_blessings"]["missing"] == ["sets of all four winds"]


def test_why_asks_about_another_player(tmp_path: Path) -> None:
    loser = player("W", "1345m46p1379s257z")
    value = deal(loser, claimed("S", 20), won=win("S", "- wall"))
    told = lines_of(run("why", written(tmp_path, value), "no_chows", "--seat", "W"))
    assert told == [
        "West",
        "no_chows: No chows [U3A course, sheet 17: Doubles]",
        "does not count: only the winner scores it",
    ]


@pytest.mark.parametrize(
    ("change", "row", "told"),
    [
        ({}, "riichi", "bmja-u3a has no rule or special hand called 'riichi'"),
        ({"win": None}, "no_chows", "say with --seat whose hand"),
        ({"ruleset": "nowhere"}, "no_chows", "unknown ruleset"),
    ],
)
def test_why_refuses_what_cannot_be_answered(
    tmp_path: Path, change: dict[str, Any], row: str, told: str
) -> None:
    done = run("why", written(tmp_path, {**SHEET_19, **change}), row)
    assert done.exit_code == 2
    assert told in done.stderr


def test_score_adds_the_other_readings_when_asked() -> None:
    told = lines_of(run("score", "--all-readings", given=RUNS))
    assert told[-2:] == [
        "South's tiles may also be read as",
        "345m* 345m 345m 888s 22p 15 (ordinary hand)",
    ]
    value = json.loads(run("score", "--all-readings", "--json", given=RUNS).stdout)
    assert [part["total"] for part in value["readings"]["S"]] == [15]
    plain = json.loads(run("score", "--json", given=RUNS).stdout)
    assert "readings" not in plain


def test_a_tile_that_is_held_four_times_is_named() -> None:
    told = lines_of(run("waits", "5555m222333444s"))
    assert told[0].startswith(
        "South is not fishing: only a fifth five characters would complete it (East round,"
    )
    assert "(East round, a goulash, " in run("waits", "5m111222333444p", "--goulash").stdout


def test_why_says_that_it_was_a_goulash(tmp_path: Path) -> None:
    file = written(tmp_path, {**SHEET_19, "goulash": True})
    assert lines_of(run("why", file, "no_chows")) == [
        "South, in a goulash",
        "no_chows: No chows [U3A course, sheet 17: Doubles]",
        "does not count: needed: chows allowed in this hand, and in a goulash there are none",
    ]


def test_rules_that_count_fan_are_compared_with_their_kind_alone() -> None:
    hand = {
        "ruleset": "hong-kong",
        "players": [
            {"seat": "S", "concealed": "123456m555z22999m"},
            *({"seat": seat, "claimed": 0} for seat in "EWN"),
        ],
        "win": {"seat": "S", "tile": "2m", "source": "discard", "from": "E"},
    }
    told = lines_of(run("compare", given=hand))
    assert told[0] == "hong-kong"
    systems = ("--ruleset", "hong-kong", "--ruleset", "hong-kong:table=full_spicy")
    told = lines_of(run("compare", *systems, given=hand))
    assert "One suit with honours 3 fan 3 fan" in told
    assert "* 6 faan 32 64" in told
