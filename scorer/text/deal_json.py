"""From a decoded JSON value to a :class:`~scorer.deal.Deal`: keys, types and vocabulary."""

from __future__ import annotations

import json
import reprlib
from collections.abc import Iterable, Mapping
from typing import Final

from scorer.counting.checks import check_deal
from scorer.deal import (
    KINDS,
    PENALTIES,
    SOURCES,
    STATUSES,
    WIN_FLAGS,
    ChangeValue,
    Deal,
    Meld,
    Penalty,
    Player,
    Win,
)
from scorer.errors import DealError, field_name
from scorer.messages import Message, say
from scorer.rules.rulebook import load_ruleset
from scorer.tiles import SEATS

_DEAL_KEYS: Final = (
    *("ruleset", "players", "win"),
    *("round_wind", "dealer", "goulash", "penalties", "changes"),
)
_PLAYER_KEYS: Final = (
    *("seat", "name", "concealed", "melds", "bonus", "fishing", "status", "claimed"),
)
_WIN_KEYS: Final = ("seat", "tile", "source", "from", *WIN_FLAGS)

MAX_CLAIM: Final = 10_000_000
"""The largest total, in points, that a player may claim without showing tiles."""

_LONGEST: Final = 60
"""Characters of a wrong value that a message repeats."""


def _shown(value: object) -> str:
    """A value as JSON writes it, shortened, for a message on one line."""
    plain = value is None or isinstance(value, bool)
    text = json.dumps(value) if plain else reprlib.repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


class _Table:
    """One JSON object of the deal, read key by key with errors that say where they are."""

    def __init__(self, value: object, player: str | None, where: str) -> None:
        if not isinstance(value, Mapping):
            raise DealError(player, where, say("no_object", shown=_shown(value)))
        self.value = value
        self.player = player
        self.where = where

    def path(self, key: str) -> str:
        """The name of a key in error messages."""
        return f"{self.where}.{key}" if self.where in ("win", "penalties", "melds") else key

    def fail(self, key: str, words: Message) -> DealError:
        """The error for one key of this object."""
        return DealError(self.player, self.path(key), words)

    def owned_by(self, key: str) -> None:
        """Let errors name the player whose seat stands under that key, if one does."""
        seat = self.value.get(key)
        self.player = seat if isinstance(seat, str) and seat in SEATS else self.player

    def keys(self, required: Iterable[str], known: Iterable[str]) -> None:
        """Refuse unknown keys and missing ones."""
        names = tuple(known)
        for key in self.value:
            if key not in names:
                words = say("unknown_key", shown=_shown(key), known=names)
                raise self.fail(field_name(key), words)
        for key in required:
            if key not in self.value:
                raise self.fail(key, say("missing_key"))

    def text(self, key: str, default: str | None = None) -> str | None:
        """A string, or the default when the key is absent or null."""
        value = self.value.get(key)
        if value is None:
            return default
        if not isinstance(value, str):
            raise self.fail(key, say("no_text", shown=_shown(value)))
        return value

    def choice(self, key: str, allowed: tuple[str, ...], default: str | None = None) -> str:
        """One of the allowed words."""
        value = self.value.get(key, default)
        if not isinstance(value, str) or value not in allowed:
            raise self.fail(key, say("not_one_of", allowed=allowed, shown=_shown(value)))
        return value

    def seat(self, key: str) -> str | None:
        """A seat, or None when the key is absent or null."""
        return None if self.value.get(key) is None else self.choice(key, SEATS)

    def flag(self, key: str) -> bool:
        """True or false; false when the key is absent."""
        value = self.value.get(key, False)
        if not isinstance(value, bool):
            raise self.fail(key, say("no_flag", shown=_shown(value)))
        return value

    def items(self, key: str) -> list[object]:
        """A list; empty when the key is absent."""
        value = self.value.get(key, [])
        if not isinstance(value, list | tuple):
            raise self.fail(key, say("no_list", shown=_shown(value)))
        return list(value)

    def tiles(self, key: str) -> tuple[str, ...]:
        """A list of tile codes; whether they are tiles is checked with the rest of the hand."""
        codes: list[str] = []
        for code in self.items(key):
            if not isinstance(code, str):
                raise self.fail(key, say("no_tile_code", shown=_shown(code)))
            codes.append(code)
        return tuple(codes)


def parse_deal(obj: object) -> Deal:
    """The deal that a decoded JSON value describes, checked against its ruleset.

    Args:
        obj: what :func:`json.loads` gave.

    Returns:
        The deal. That the winner's tiles make a winning hand is left to
        :func:`scorer.score_deal`.

    Raises:
        DealError: something is missing, unknown or of the wrong kind, or the deal cannot be.
    """
    deal = read_deal(obj)
    check_deal(deal, load_ruleset(deal.ruleset, deal.changes))
    return deal


def read_deal(obj: object) -> Deal:
    """The deal that a decoded JSON value describes, not held against any ruleset yet.

    Args:
        obj: what :func:`json.loads` gave.

    Raises:
        DealError: something is missing, unknown or of the wrong kind.
    """
    table = _Table(obj, None, "deal")
    table.keys(("ruleset", "players", "win"), _DEAL_KEYS)
    ruleset = table.text("ruleset")
    if ruleset is None:
        raise table.fail("ruleset", say("no_ruleset_named"))
    return Deal(
        ruleset=ruleset,
        round_wind=table.choice("round_wind", SEATS, "E"),
        dealer=table.choice("dealer", SEATS, "E"),
        goulash=table.flag("goulash"),
        players=_players(table.items("players")),
        win=_win(table.value["win"]),
        penalties=tuple(_penalty(value) for value in table.items("penalties")),
        changes=_changes(table),
    )


def _players(values: list[object]) -> tuple[Player, ...]:
    players: list[Player] = []
    for number, value in enumerate(values, 1):
        try:
            players.append(_player(value))
        except DealError as error:
            if error.player is not None:
                raise
            words = say("in_entry", fault=error.words, number=number)
            raise DealError(None, error.field, words) from error
    return tuple(players)


def _player(value: object) -> Player:
    table = _Table(value, None, "players")
    table.owned_by("seat")
    table.keys(("seat",), _PLAYER_KEYS)
    seat = table.choice("seat", SEATS)
    claimed = _claimed(table)
    if claimed is None and "concealed" not in table.value:
        raise table.fail("concealed", say("no_tiles"))
    return Player(
        seat=seat,
        name=table.text("name"),
        concealed=table.tiles("concealed"),
        melds=tuple(_meld(meld, seat) for meld in table.items("melds")),
        bonus=table.tiles("bonus"),
        fishing=table.flag("fishing"),
        status=table.choice("status", STATUSES, "live"),
        claimed=claimed,
    )


def _claimed(table: _Table) -> int | None:
    value = table.value.get("claimed")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_CLAIM:
        raise table.fail("claimed", say("no_points", most=MAX_CLAIM))
    return value


def _meld(value: object, seat: str) -> Meld:
    table = _Table(value, seat, "melds")
    table.keys(("kind", "tiles"), ("kind", "tiles", "concealed"))
    return Meld(table.choice("kind", KINDS), table.tiles("tiles"), table.flag("concealed"))


def _win(value: object) -> Win | None:
    if value is None:
        return None
    table = _Table(value, None, "win")
    table.owned_by("seat")
    table.keys(("seat", "source"), _WIN_KEYS)
    seat = table.choice("seat", SEATS)
    return Win(
        seat=seat,
        tile=table.text("tile"),
        source=table.choice("source", SOURCES),
        from_seat=table.seat("from"),
        last_tile=table.flag("last_tile"),
        original_call=table.flag("original_call"),
        first_turn=table.flag("first_turn"),
        after_two_kongs=table.flag("after_two_kongs"),
    )


def _penalty(value: object) -> Penalty:
    table = _Table(value, None, "penalties")
    table.owned_by("offender")
    table.keys(("kind", "offender"), ("kind", "offender", "victim"))
    offender = table.choice("offender", SEATS)
    return Penalty(table.choice("kind", PENALTIES), offender, table.seat("victim"))


def _changes(table: _Table) -> dict[str, ChangeValue]:
    value = table.value.get("changes", {})
    if not isinstance(value, Mapping):
        raise table.fail("changes", say("no_options", shown=_shown(value)))
    changes: dict[str, ChangeValue] = {}
    for option, setting in value.items():
        if not isinstance(option, str) or not isinstance(setting, bool | int | str):
            words = say("no_option_value", option=_shown(option), setting=_shown(setting))
            raise table.fail("changes", words)
        changes[option] = setting
    return changes
