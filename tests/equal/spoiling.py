"""Deals and games with something wrong, made from sound ones at random."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any, Final

from tests.equal.inside_scorer import VOCABULARY, Json

_SEATS: Final = ("E", "S", "W", "N")
_TILES: Final = ("1m", "2s", "5p", "9s", "1z", "5z", "7z", "1f", "3y", "back", "0m", "blank")
_JUNK: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, -1, 3, 10**9, 1.5, "", "x", "E", "S", "1m", "pung", "kong", "discard"),
    *([], ["1m"], [None], {}, {"seat": "E"}, "bmja-u3a", "western", "a very long word " * 9),
)

Change = Callable[[random.Random, Json], None]


def _anybody(rng: random.Random, deal: Json) -> Json:
    """A player, the winner more often than others."""
    won = deal["win"] or {}
    winners = [player for player in deal["players"] if player["seat"] == won.get("seat")]
    found: Json = rng.choice(winners if winners and rng.random() < 0.5 else deal["players"])
    return found


def _five_of_a_tile(rng: random.Random, deal: Json) -> None:
    player = _anybody(rng, deal)
    tiles = player.setdefault("concealed", [])
    tile = rng.choice(tiles or list(_TILES))
    tiles[: rng.randint(1, 4)] = [tile] * 4
    tiles.append(tile)


def _tile_more_or_less(rng: random.Random, deal: Json) -> None:
    tiles = _anybody(rng, deal).setdefault("concealed", [])
    if tiles and rng.random() < 0.5:
        tiles.remove(rng.choice(tiles))
    else:
        tiles.append(rng.choice(_TILES))


def _other_tile(rng: random.Random, deal: Json) -> None:
    player = _anybody(rng, deal)
    tiles = player.get("concealed") or player.setdefault("bonus", ["1f"]) or ["1m"]
    tiles[rng.randrange(len(tiles))] = rng.choice(_TILES)


def _two_chows(rng: random.Random, deal: Json) -> None:
    player = _anybody(rng, deal)
    chow = {"kind": "chow", "tiles": ["3m", "4m", "5m"], "concealed": rng.random() < 0.3}
    player["melds"] = [chow, {**chow, "tiles": ["6p", "7p", "8p"]}]
    player["concealed"] = player.get("concealed", [])[:8]


def _other_meld(rng: random.Random, deal: Json) -> None:
    player = _anybody(rng, deal)
    tiles = [rng.choice(_TILES)] * rng.randint(1, 5)
    kind = rng.choice(("chow", "pung", "kong", "pair"))
    player.setdefault("melds", []).append(
        {"kind": kind, "tiles": tiles, "concealed": rng.random() < 0.5}
    )


def _other_bonus(rng: random.Random, deal: Json) -> None:
    bonus = _anybody(rng, deal).setdefault("bonus", [])
    bonus += rng.choices(("1f", "2f", "4y", "5f", "1m"), k=rng.randint(1, 2))


def _other_win(rng: random.Random, deal: Json) -> None:
    if deal["win"] is None or rng.random() < 0.15:
        seat, tile = rng.choice(_SEATS), rng.choice((None, *_TILES))
        deal["win"] = {"seat": seat, "tile": tile, "source": rng.choice(VOCABULARY["sources"])}
    elif rng.random() < 0.15:
        deal["win"] = None
    else:
        key, values = rng.choice(
            (
                ("source", (*VOCABULARY["sources"], "luck")),
                ("from", (*_SEATS, None)),
                ("seat", (*_SEATS, "X")),
                ("tile", (*_TILES, None)),
            )
        )
        deal["win"][key] = rng.choice(values)


def _other_flag(rng: random.Random, deal: Json) -> None:
    deal["win"] = deal["win"] or {"seat": "E", "tile": None, "source": "dealt"}
    deal["win"][rng.choice(VOCABULARY["flags"])] = True


def _penalty(rng: random.Random, deal: Json) -> None:
    for _ in range(rng.randint(1, 2)):
        kind = rng.choice((*VOCABULARY["penalties"], "sneezing"))
        victim = rng.choice((*_SEATS, None))
        penalty = {"kind": kind, "offender": rng.choice(_SEATS), "victim": victim}
        deal.setdefault("penalties", []).append(penalty)


def _other_player(rng: random.Random, deal: Json) -> None:
    player = _anybody(rng, deal)
    key, values = rng.choice(
        (
            ("status", (*VOCABULARY["statuses"], "asleep")),
            ("claimed", (0, 40, 1234, -3, 10**8)),
            ("fishing", (True, "yes")),
            ("seat", _SEATS),
            ("name", ("Ann", "")),
        )
    )
    player[key] = rng.choice(values)


def _other_table(rng: random.Random, deal: Json) -> None:
    key, values = rng.choice(
        (
            ("dealer", _SEATS),
            ("round_wind", (*_SEATS, "X")),
            ("goulash", (True,)),
            ("ruleset", ("bmja-u3a", "western", "ming-1876", "nobody's")),
            ("changes", ({"limit": 500}, {"limit": 1}, {"no_such": True}, {"limit": "many"})),
            ("scores", (1,)),
        )
    )
    deal[key] = rng.choice(values)


def _fewer_players(rng: random.Random, deal: Json) -> None:
    deal["players"].remove(rng.choice(deal["players"]))


def junk_somewhere(rng: random.Random, value: Json) -> None:
    """Anything in the place of anything."""
    node, key = rng.choice(_places(value))
    if rng.random() < 0.3:
        del node[key]
    else:
        node[key] = copy.deepcopy(rng.choice(_JUNK))


def _places(node: Any) -> list[tuple[Any, Any]]:
    keys: list[Any] = []
    if isinstance(node, dict):
        keys = list(node)
    elif isinstance(node, list):
        keys = list(range(len(node)))
    return [*((node, key) for key in keys), *(held for key in keys for held in _places(node[key]))]


WAYS: Final[tuple[Change, ...]] = (
    _five_of_a_tile,
    _tile_more_or_less,
    _other_tile,
    _two_chows,
    _other_meld,
    _other_bonus,
    _other_win,
    _other_win,
    _other_flag,
    _penalty,
    _penalty,
    _other_player,
    _other_table,
    _fewer_players,
    junk_somewhere,
)


def spoilt(rng: random.Random, deal: Json) -> Json:
    """The deal with one or two things otherwise; it may still be lawful."""
    changed = copy.deepcopy(deal)
    for _ in range(rng.choice((1, 1, 1, 2))):
        try:
            rng.choice(WAYS)(rng, changed)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            break
    return changed
