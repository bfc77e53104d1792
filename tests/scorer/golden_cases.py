"""The golden cases: deals with the score that was worked out by hand, one folder per ruleset.

A file holds ``[[case]]`` tables::

    [[case]]
    name = "East's hand of the course"          # once in the ruleset
    cite = "000 Sheet 19"                       # where the expectation comes from
    why = "20 + 4 + 2 = 26, one double: 52"     # the arithmetic, where the lines do not tell it
    misses = ["all_concealed"]                  # what the hand just fails to be
    deal.win = "S 1z discard N"                 # "draw"; left out: somebody else, by a claimed 0
    deal.wins = ["S 4m discard N", "W 4m discard N"] # several winners, in turn order
    deal.flags = ["last_tile"]                  # and round, dealer, goulash, seats, changes
    deal.liable = "N"                           # and dora, ura, honba, sticks
    deal.penalties = ["cannon N S"]             # kind, offender, victim
    deal.S = { tiles = "666s11z", melds = "111s (9999s)", bonus = "2f" }
    expect.S = { total = 52, points = 26, doubles = 1, lines = "mah_jong 20, bonus_tile 4 4" }
    expect.pay = { NS = 52, WS = 52, ES = 104 } # all payments: from, to
    expect.net = { E = -104, S = 208, W = -52, N = -52 }

A seat's table takes ``tiles``, ``melds``, ``bonus``, ``blanks`` (how many), ``fishing``,
``riichi``, ``reds`` (fives in hand that are red), ``status`` or ``claimed``; seats without one
claim nothing. ``lines`` are all lines of the hand: each rule with the worth of each of its lines,
doubles written ``1d``. ``hand`` is ``ordinary`` where it is left out, ``points`` the total and
``doubles`` none. Instead of what is expected a case may say
``refused = "S concealed"``: the player and field of the refusal, ``-`` for no player.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any, Final

from scorer.tiles import BLANK, SEATS, parse_tiles
from tests.scorer.builders import Json, claimed, deal, player, win

GOLDEN: Final = Path(__file__).parent / "golden"

Case = dict[str, Any]


def cases_of(ruleset: str) -> list[Case]:
    """All cases of a ruleset, in the order of its files."""
    files = sorted((GOLDEN / ruleset).glob("*.toml"))
    found = [tomllib.loads(file.read_text("utf-8")) for file in files]
    return [case for content in found for case in content["case"]]


def deal_of(case: Case, ruleset: str) -> Json:
    """The deal of a case, as JSON."""
    given = case["deal"]
    shown = [_player(seat, given[seat]) for seat in SEATS if seat in given]
    value = deal(*shown, won=_win(given), seats=given.get("seats", "ESWN"), ruleset=ruleset)
    if "wins" in given:
        del value["win"]
        value["wins"] = [_won(text, given) for text in given["wins"]]
    value["round_wind"] = given.get("round", "E")
    for key in ("dealer", "goulash", "changes", "dora", "ura", "honba", "sticks"):
        if key in given:
            value[key] = given[key]
    value["penalties"] = [_penalty(text) for text in given.get("penalties", ())]
    return value


def _player(seat: str, given: Json) -> Json:
    if "claimed" in given:
        return {**claimed(seat), **given}
    flags = ("fishing", "status", "riichi", "double_riichi")
    more = {key: given[key] for key in flags if key in given}
    found = player(seat, given["tiles"], given.get("melds", ""), given.get("bonus", ""), **more)
    for five in parse_tiles(given.get("reds", "")):
        found["concealed"][found["concealed"].index(five)] = f"0{five[1]}"
    found["concealed"] += [BLANK] * given.get("blanks", 0)
    return found


def _win(given: Json) -> Json | None:
    if "wins" in given:
        return None
    if "win" not in given:
        return win(next(seat for seat in "ENWS" if seat not in given), "- wall")
    return None if given["win"] == "draw" else _won(given["win"], given)


def _won(text: str, given: Json) -> Json:
    seat, how = text.split(maxsplit=1)
    liable = {"liable": given["liable"]} if "liable" in given else {}
    return win(seat, how, **dict.fromkeys(given.get("flags", ()), True), **liable)


def _penalty(text: str) -> Json:
    kind, offender, *victim = text.split()
    return {"kind": kind, "offender": offender, "victim": victim[0] if victim else None}


def expected_lines(text: str) -> Counter[tuple[str, int, bool]]:
    """The lines that a text names: rule, worth, and whether these are doubles."""
    found: Counter[tuple[str, int, bool]] = Counter()
    for part in filter(None, (part.strip() for part in text.split(","))):
        rule, *worths = part.split()
        if not worths:
            raise ValueError(f"the line {part!r} has no worth")
        for worth in worths:
            found[rule, int(worth.removesuffix("d")), worth.endswith("d")] += 1
    return found


def lines_of(part: Json) -> Counter[tuple[str, int, bool]]:
    """The lines of a player's result in the same form."""
    return Counter(
        (line["rule"], line.get("points", line.get("doubles")), "doubles" in line)
        for line in part["lines"]
    )


def met(case: Case) -> set[str]:
    """The rules, hands and penalties that a case shows at work."""
    parts = (part for seat, part in case.get("expect", {}).items() if seat in SEATS)
    found = {rule for part in parts for rule, _, _ in expected_lines(part.get("lines", ""))}
    if "expect" in case:
        found |= {text.split()[0] for text in case["deal"].get("penalties", ())}
    return found
