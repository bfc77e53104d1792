"""A club's own ruleset files: base, changes, tables of its own; what faulty ones are told."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scorer
from scorer.errors import DealError, RulesetError
from scorer.explain.why import why_not
from scorer.rules.files import Source, checked, resolve, shipped
from scorer.rules.folder import rulesets_from
from scorer.rules.rulebook import (
    check_file,
    check_table,
    faults,
    forget_files,
    load_ruleset,
    ruleset_ids,
)
from tests.scorer.builders import Json, deal, of, player, rules, score, win

OUR_CLUB = """
id = "our-club"
name = "Our club"
description = "As we have always played it."
base = "bmja-mjbr"

[changes]
limit = 500
chows = 4
jade_dragons = "needed"
purity = false

[[rule]]
id = "mah_jong"
points = 30

[[rule]]
id = "all_majors"
remove = true

[[rule]]
id = "five_of_circles"
after = "tile_from_wall"
text = "Set of five circles: {tile}"
points = 5
per_set = { kinds = ["pung", "kong"], tiles = "minor" }
cite = "001 Doubling"
"""

Put = Callable[[str, str], Path]


@pytest.fixture
def put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Put]:
    """Writes a ruleset file into the club's folder, from which it is read at once."""
    monkeypatch.setenv("KONGBOX_RULESETS", str(tmp_path))
    forget_files()

    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text, "utf-8")
        forget_files()
        return path

    yield write
    monkeypatch.undo()
    forget_files()


def _club(*, base: str = "bmja-u3a", own: str = "our-club", more: str = "") -> str:
    return f'id = "{own}"\nname = "Our club"\ndescription = "-"\nbase = "{base}"\n{more}'


def _plain(ruleset: str) -> Json:
    south = player("S", "345m44p", "222m 555p 888s")
    return deal(south, won=win("S", "4p discard N"), ruleset=ruleset)


def test_a_club_sets_options_and_lays_its_own_tables_over_the_base(put: Put) -> None:
    put("our-club.toml", OUR_CLUB)
    assert faults() == ()
    assert "our-club" in ruleset_ids()
    ruleset = load_ruleset("our-club")
    assert ruleset.base == "bmja-mjbr"
    assert ruleset.changes == {"limit": 500, "chows": 4, "jade_dragons": "needed", "purity": False}
    assert ruleset.limit is not None
    assert (ruleset.limit.value, ruleset.limit.caps_ordinary) == (500, True)
    ids = [rule.id for rule in ruleset.rule]
    assert "all_majors" not in ids
    assert ids.index("five_of_circles") == ids.index("tile_from_wall") + 1
    assert not ruleset.default


def test_a_club_without_counters_ends_its_games(put: Put) -> None:
    put("our-club.toml", _club(base="riichi", more="[game]\ncounters = false\n"))
    hands = [{"drawn": True}] * 4
    told = {"ruleset": "our-club", "players": dict(zip("ESWN", "ABCD", strict=True)), "rounds": 1}
    game = scorer.parse_game(told | {"hands": hands})
    assert (game.ended, game.left) == ("rounds", None)


def test_a_deal_is_scored_by_a_clubs_ruleset(put: Put) -> None:
    put("our-club.toml", OUR_CLUB)
    result = score(_plain("our-club"))
    south = of(result, "S")
    assert result["ruleset"] == "our-club"
    assert south["total"] == 30 + 3 * 2 + 3 * 5
    assert [line["rule"] for line in south["lines"]].count("five_of_circles") == 3


def test_rules_may_replace_others_once_and_no_more(put: Put) -> None:
    once = '[[rule]]\nid = "all_chows"\nreplaces_once = ["concealed_hand"]\n'
    put("our-club.toml", _club(base="zung-jung", more=once))
    south = player("S", "234m 567m 345p 678s 55p")
    dealt = deal(south, won=win("S", "4m wall"), ruleset="our-club")
    lines = [line["rule"] for line in of(score(dealt), "S")["lines"]]
    assert "all_chows" in lines
    assert "concealed_hand" not in lines


def test_a_deal_may_change_a_clubs_ruleset_further(put: Put) -> None:
    put("our-club.toml", OUR_CLUB)
    result = score({**_plain("our-club"), "changes": {"going_out": 10}})
    assert of(result, "S")["total"] == 10 + 3 * 2 + 3 * 5
    assert result["changes"] == {"going_out": 10}


def test_a_club_may_build_on_another_clubs_file(put: Put) -> None:
    put("a.toml", _club(base="their-club", own="our-club", more="[changes]\ngoing_out = 40\n"))
    put("b.toml", _club(own="their-club", more="[changes]\nlimit = 700\n"))
    ours = load_ruleset("our-club")
    assert ours.limit is not None
    assert ours.limit.value == 700
    assert ours.changes == {"limit": 700, "going_out": 40}
    assert of(score(_plain("our-club")), "S")["total"] == 46


def test_a_club_may_empty_a_list_of_conditions(put: Put) -> None:
    put("our-club.toml", _club(more='[[rule]]\nid = "no_chows"\nwhen = []\n'))
    assert of(score(_plain("our-club")), "S")["total"] == 26 * 2


def test_a_table_is_checked_as_a_file_is(put: Put) -> None:
    path = put("our-club.toml", OUR_CLUB)
    assert check_table(tomllib.loads(OUR_CLUB), "our-club.toml") == check_file(path)
    with pytest.raises(RulesetError, match=r"^draft\.toml: id: 'western'"):
        check_table(tomllib.loads(_club(own="western")), "draft.toml")


def test_a_set_that_pays_the_winner_alone(put: Put) -> None:
    put("our-club.toml", _club(more='[[rule]]\nid = "pung_minor_exposed"\nwho = "winner"\n'))
    assert of(score(_plain("our-club")), "S")["total"] == 26
    lost = deal(player("S", "1346m44p1s", "222m 555p"), won=win("E", "- wall"))
    assert of(score(lost), "S")["total"] == 4
    assert of(score({**lost, "ruleset": "our-club"}), "S")["total"] == 0


def test_bonus_tiles_that_are_paid_under_a_condition(put: Put) -> None:
    put("our-club.toml", _club(more='[[rule]]\nid = "bonus_tile"\nwhen = ["from_wall"]\n'))
    south = player("S", "345m44p", "222m 555p 888s", "1f")
    for how, paid in (("4p wall", True), ("4p discard N", False)):
        part = of(score(deal(south, won=win("S", how), ruleset="our-club")), "S")
        assert ("bonus_tile" in [line["rule"] for line in part["lines"]]) is paid


def test_an_award_that_is_another_share_of_the_limit(put: Put) -> None:
    more = '[[special_hand]]\nid = "thirteen_unique_wonders"\nwon = { limit = "1/4" }\n'
    put("our-club.toml", _club(more=more))
    wonders = player("S", "19m19p19s12345677z")
    part = of(score(deal(wonders, won=win("S", "7z wall"), ruleset="our-club")), "S")
    assert part["total"] == 250
    assert "1/4 of the limit of 1000" in part["lines"][0]["text"]


def test_a_pung_laid_down_is_no_part_of_seven_pairs(put: Put) -> None:
    more = '[[special_hand]]\nid = "seven_pairs"\nexposed = "any"\n'
    more += '[[option]]\nid = "seven_pairs_last"\nremove = true\n'
    put("our-club.toml", _club(base="uk-1924", more=more))
    held = player("S", "1111m22m55p77p33s44z")
    value = deal(held, won=win("S", "4z wall"), ruleset="our-club")
    assert of(score(value), "S")["hand"] == "seven_pairs"
    laid = player("S", "1m22m55p77p33s44z", "111m")
    with pytest.raises(DealError, match="do not make a winning hand"):
        score(deal(laid, won=win("S", "4z wall"), ruleset="our-club"))


def test_without_a_base_a_file_stands_for_itself(put: Put) -> None:
    path = put("own.toml", 'id = "own"\nname = "Own"\ndescription = "-"\n')
    with pytest.raises(RulesetError, match=r"^own\.toml: \w+: required, but missing; add it$"):
        check_file(path)


FAULTS = {
    "no TOML": ("id = 'our-club'\nname = \n", "the whole file: Invalid value (at line 2"),
    "no id": ("name = 'x'\n", "id: needs a name of its own"),
    "an id that is no text": ("id = 5\n", "id: needs a name of its own"),
    "the id of a ruleset of the program": (_club(own="western"), "id: 'western'"),
    "an unknown base": (_club(base="bmja"), "base: unknown ruleset 'bmja'; choose from bmja-mjbr"),
    "a base that is no text": (
        _club().replace('base = "bmja-u3a"', "base = ['x']"),
        "base: unknown ruleset",
    ),
    "itself as base": (_club(base="our-club"), "base: our-club on our-club: a ruleset cannot"),
    "an unknown option": (
        _club(more="[changes]\nlimitt = 500\n"),
        "changes: unknown option 'limitt'; choose from limit",
    ),
    "a value out of range": (
        _club(more="[changes]\nchows = 5\n"),
        "changes: chows needs a whole number from 0 to 4",
    ),
    "a value of the wrong kind": (
        _club(more='[changes]\nlimit = "500"\n'),
        "changes: limit needs a whole number from 10 to 100000",
    ),
    "a word for a switch": (
        _club(more='[changes]\npurity = "no"\n'),
        "changes: purity needs true or false",
    ),
    "an unknown choice": (
        _club(more='[changes]\nsnake_pair = "twos"\n'),
        "changes: snake_pair needs one of ones, any",
    ),
    "changes that are no table": (_club(more="changes = 5\n"), "changes: needs a table"),
    "an unknown key": (_club(more="colour = 1\n"), "colour: not permitted here; correct"),
    "an unknown key in a rule": (
        _club(more='[[rule]]\nid = "mah_jong"\npoint = 5\n'),
        "rule.mah_jong.point: not permitted here",
    ),
    "a key of the wrong type": (
        _club(more='[limit]\nvalue = "500"\n'),
        "limit.value: Input should be a valid integer",
    ),
    "a number for a table": (_club(more="limit = 5\n"), "limit: needs a table of keys and values"),
    "a number for a list": (_club(more="rule = 5\n"), "rule: needs a list"),
    "a new rule without a citation": (
        _club(more='[[rule]]\nid = "luck"\ntext = "Luck"\npoints = 1\n'),
        "rule.luck.cite: required, but missing; add it",
    ),
    "an empty citation": (
        _club(more='[[rule]]\nid = "mah_jong"\ncite = ""\n'),
        "rule.mah_jong.cite: String should have at least 1",
    ),
    "a rule with the id of a special hand": (
        _club(more='[[rule]]\nid = "purity"\ntext = "x"\ncite = "x"\npoints = 1\n'),
        "the whole file: the id 'purity' is used twice",
    ),
    "a rule that replaces one that is not there": (
        _club(base="chinese-official", more='[[rule]]\nid = "all_green"\nreplaces = ["luck"]\n'),
        "rule: the rule 'all_green' replaces 'luck', but no rule after it has that id",
    ),
    "a rule that replaces one before it once": (
        _club(base="riichi", more='[[rule]]\nid = "dora"\nreplaces_once = ["riichi"]\n'),
        "rule: the rule 'dora' replaces 'riichi', but no rule after it has that id",
    ),
    "an entry taken out that is not there": (
        _club(more='[[rule]]\nid = "luck"\nremove = true\n'),
        "luck.remove: the base has nothing with this name",
    ),
    "an entry behind one that is not there": (
        _club(more='[[rule]]\nid = "luck"\nafter = "misfortune"\n'),
        "luck.after: there is no 'misfortune'",
    ),
    "a rule with an unknown condition": (
        _club(more='[[rule]]\nid = "clean"\nwhen = ["raining"]\n'),
        "rule.clean: unknown condition 'raining'",
    ),
    "a text with braces that nothing fills": (
        _club(more='[[rule]]\nid = "dragons"\ntext = "{tiles}"\n'),
        "rule.dragons.text: only {tile} may be in braces",
    ),
    "a text with a brace left open": (
        _club(more='[texts]\nwon = "{name"\n'),
        "texts.won: only {name}, {award} may be in braces",
    ),
    "a value that none of the option's choices gives": (
        _club(more='[[special_hand]]\nid = "wriggling_snake"\nnumbers = [2]\n'),
        "option.snake_pair: its usual value is not one of its allowed values",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_file_is_told_why_and_left_out(put: Put, fault: str) -> None:
    text, reason = FAULTS[fault]
    path = put("club.toml", text)
    with pytest.raises(RulesetError) as caught:
        check_file(path)
    assert str(caught.value).startswith(f"club.toml: {reason}")
    (left_out,) = faults()
    assert str(left_out).startswith("club.toml: ")
    assert {"bmja-u3a", "western"} <= set(ruleset_ids())
    assert of(score(_plain("bmja-u3a")), "S")["total"] == 26


def test_a_faulty_file_leaves_a_sound_one_in_use(put: Put) -> None:
    put("club.toml", _club(more="colour = 1\n"))
    put("sound.toml", _club(own="sound"))
    assert of(score(_plain("sound")), "S")["total"] == 26
    assert "our-club" not in {info.id for info in scorer.list_rulesets()}


def test_whoever_asks_for_a_faulty_ruleset_is_told_its_fault(put: Put) -> None:
    put("club.toml", _club(more="colour = 1\n"))
    with pytest.raises(DealError) as caught:
        score(_plain("our-club"))
    assert (caught.value.player, caught.value.field) == (None, "ruleset")
    assert "club.toml: colour: not permitted here" in caught.value.message


def test_files_that_build_on_each_other_are_told_so(put: Put) -> None:
    put("a.toml", _club(base="their-club", own="our-club"))
    put("b.toml", _club(base="our-club", own="their-club"))
    told = sorted(str(fault) for fault in faults())
    assert told[0].startswith("a.toml: base: their-club on our-club on their-club: a ruleset")
    assert told[1].startswith("b.toml: base: our-club on their-club on our-club: a ruleset")


def test_two_files_with_the_same_id(put: Put) -> None:
    put("a.toml", _club())
    put("b.toml", _club())
    assert [str(fault).split(";")[0] for fault in faults()] == [
        "b.toml: id: 'our-club' is the id of another ruleset"
    ]
    assert "our-club" in ruleset_ids()


def test_a_file_that_is_no_text(put: Put, tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_bytes(b"id = '\xff'")
    path = put("sound.toml", _club(own="sound"))
    assert [str(fault) for fault in faults()] == ["club.toml: the whole file: it is not UTF-8 text"]
    with pytest.raises(RulesetError, match=r"^none\.toml: the whole file: cannot be read: No such"):
        check_file(path.with_name("none.toml"))


@pytest.mark.usefixtures("put")
def test_a_folder_that_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KONGBOX_RULESETS", str(tmp_path / "nowhere"))
    forget_files()
    assert [str(fault).partition(":")[0] for fault in faults()] == ["KONGBOX_RULESETS"]
    assert ruleset_ids()[0] == "bmja-u3a"


def test_a_file_in_use_may_be_checked_before_it_is_read_anew(put: Put) -> None:
    path = put("our-club.toml", _club())
    assert load_ruleset("our-club").limit is not None
    path.write_text(_club(more="[changes]\nlimit = 700\n"), "utf-8")
    checked = check_file(path)
    assert checked.limit is not None
    assert checked.limit.value == 700


def test_a_club_cannot_make_itself_the_usual_ruleset(put: Put) -> None:
    put("club.toml", _club(own="a-club", more="default = true\n"))
    assert ruleset_ids()[0] == "bmja-u3a"


def test_settings_that_do_not_go_together_are_told_to_the_deal(put: Put) -> None:
    option = """
[[option]]
id = "mahjong_text"
name = "-"
help = "-"
kind = "choice"
target = "rule.mah_jong.text"
choices = [
    { id = "usual", name = "-", value = "Going Mah Jong" },
    { id = "none", name = "-", value = "" },
]
cite = "000 Sheet 14"
"""
    put("club.toml", _club(more=option))
    assert faults() == ()
    with pytest.raises(DealError, match=r"cannot be combined: our-club: rule\.mah_jong\.text"):
        score({**_plain("our-club"), "changes": {"mahjong_text": "none"}})


WORDS = st.sampled_from(["", "x", "any", "1/2", "mah_jong", "limit", "bmja-u3a", "our-club", "{x}"])
VALUES = st.recursive(
    st.booleans() | st.integers(-2, 2000) | st.floats() | WORDS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "after", "remove", "cite", "when", "x"]), inner)
    ),
    max_leaves=6,
)
KEYS = st.sampled_from([*shipped()["bmja-u3a"].raw, "base", "changes", "rounding", "x"])


def _fault(raw: Json) -> str | None:
    source = Source("club.toml", raw)
    try:
        checked(resolve(source, {**shipped(), "our-club": source}), "club.toml")
    except RulesetError as error:
        return str(error)
    return None


@given(KEYS, VALUES, st.sampled_from(["mah_jong", "purity", "limit", "wall", "x"]), VALUES)
def test_any_value_anywhere_fits_or_is_told(
    key: str, value: object, entry: str, inner: object
) -> None:
    own = {"id": "our-club", "name": "-", "description": "-", "base": "bmja-u3a"}
    for raw in ({**own, key: value}, {**own, key: [{"id": entry, "when": inner, "value": inner}]}):
        told = _fault(raw)
        assert told is None or (told.startswith("club.toml: ") and told.isprintable())


def test_a_folder_counts_for_what_is_done_inside_its_block(
    put: Put, tmp_path_factory: pytest.TempPathFactory
) -> None:
    put("ours.toml", _club())
    other = tmp_path_factory.mktemp("other")
    (other / "theirs.toml").write_text(_club(own="their-club"), "utf-8")
    with rulesets_from(other):
        assert "their-club" in ruleset_ids()
        assert "our-club" not in ruleset_ids()
    with rulesets_from(other / "nowhere"):
        assert "their-club" not in ruleset_ids()
        assert not faults(), "a club without rulesets of its own has no folder for them"
    assert "our-club" in ruleset_ids()


FISHING = """
id = "fish-club"
name = "Fishing hands scored as won"
description = "Who called fishing has the winner's doubles, without the 20."
base = "bmja-u3a"

[[rule]]
id = "clean"
who = "winner_or_fishing"

[[rule]]
id = "all_majors"
who = "everyone"

[[rule]]
id = "five_for_fishing"
text = "Fishing when another went out"
points = 6
when = ["called_fishing"]
cite = "000 Sheet 7.9"
"""


def test_a_loser_who_called_fishing_may_have_the_winners_doubles(put: Put) -> None:
    put("fish-club.toml", FISHING)
    clean = player("N", "22255577m33z", "888m")
    fishing = {**clean, "fishing": True}
    short = {**player("N", "2225577m33z", "888m"), "fishing": True, "status": "too_few"}
    lines: dict[str, list[str]] = {}
    for name, north in (("silent", clean), ("fishing", fishing), ("short", short)):
        value = deal(north, won=win("E", "- wall"), ruleset="fish-club")
        lines[name] = rules(of(score(value), "N"))
    sets = ["pung_minor_exposed", "pung_minor_concealed", "pung_minor_concealed"]
    assert lines["silent"] == sets
    assert lines["fishing"] == [*sets, "clean", "five_for_fishing"]
    assert lines["short"] == sets[:2]
    north = player("N", "222555m99m", "888m 777m")
    went_out = deal(north, won=win("N", "9m wall"), ruleset="fish-club", changes={"purity": False})
    assert "clean" in rules(of(score(went_out), "N"))
    assert "five_for_fishing" not in rules(of(score(went_out), "N"))


def test_why_a_rule_for_winners_and_who_called_fishing_does_not_count(put: Put) -> None:
    put("fish-club.toml", FISHING)
    north = player("N", "22255577m33z", "888m")
    value = deal(north, won=win("E", "- wall"), ruleset="fish-club")
    told = why_not(scorer.parse_deal(value), "N", "clean")
    assert [str(reason) for reason in told.reasons] == [
        "only the winner and players who had called fishing score it"
    ]
