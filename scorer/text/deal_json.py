"""From a decoded JSON value to a :class:`~scorer.deal.Deal`: keys, types and vocabulary."""

from __future__ import annotations

import json
import reprlib
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any, Final, TypeVar

from scorer.deal import (
    FURTHER_FLAGS,
    KINDS,
    MOST,
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
    parse_melds,
    without_bonus,
)
from scorer.errors import MAX_ERRORS, DealError, field_name, together
from scorer.evaluation.checks import check_deal
from scorer.evaluation.faults import Fault
from scorer.messages import Message, say
from scorer.notations import NotationError
from scorer.rules.rulebook import load_ruleset
from scorer.text.red_fives import red_fives
from scorer.tiles import ORDER, SEATS, parse_tiles

_DEAL_KEYS: Final = (
    *("ruleset", "players", "win"),
    *("round_wind", "dealer", "goulash", "penalties", "changes"),
    *("dora", "ura", "honba", "sticks", "wins", "aborted"),
)
_PLAYER_KEYS: Final = (
    *("seat", "name", "concealed", "melds", "bonus", "fishing", "status", "claimed"),
    *("riichi", "double_riichi"),
)
_WIN_KEYS: Final = ("seat", "tile", "source", "from", *WIN_FLAGS, *FURTHER_FLAGS, "liable")

MAX_CLAIM: Final = 10_000_000
"""The largest total, in points, that a player may claim without showing tiles."""

MOST_COUNTERS: Final = 100
"""More counters or sticks than ever lie on a table."""

MOST_SIGNS: Final = 2000
"""Characters of a text of tiles above which it is refused unread: a whole tile set in words."""

_Entry = TypeVar("_Entry")

_LONGEST: Final = 60
"""Characters of a wrong value that a message repeats."""


def _shown(value: object) -> str:
    """A value as JSON writes it, shortened, for a message on one line."""
    plain = value is None or isinstance(value, bool)
    text = json.dumps(value) if plain else reprlib.repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


class _Table:
    """One JSON object of the deal, read key by key; faults are collected with where they are.

    What is missing or of the wrong kind is read as something harmless, so that the faults of other
    keys are found as well. Of each key only the first fault is kept.
    """

    def __init__(
        self, value: object, player: str | None, where: str, found: list[DealError]
    ) -> None:
        self.player = player
        self.where = where
        self.found = found
        self.value: Mapping[object, Any] = value if isinstance(value, Mapping) else {}
        self.sound = isinstance(value, Mapping)
        self.failed: set[str] = set()
        if not self.sound:
            found.append(DealError(player, where, say("no_object", shown=_shown(value))))

    def path(self, key: str) -> str:
        """The name of a key in error messages."""
        return f"{self.where}.{key}" if self.where in ("win", "penalties", "melds") else key

    def fail(self, key: str, words: Message) -> None:
        """Note the fault of one key of this object."""
        if self.sound and key not in self.failed:
            self.failed.add(key)
            self.found.append(DealError(self.player, self.path(key), words))

    def owned_by(self, key: str) -> None:
        """Let errors name the player whose seat is under that key, if one does."""
        seat = self.value.get(key)
        self.player = seat if isinstance(seat, str) and seat in SEATS else self.player

    def keys(self, required: Iterable[str], known: Iterable[str]) -> None:
        """Note unknown keys and missing ones."""
        names = tuple(known)
        for key in islice(self.value, len(names) + MAX_ERRORS):
            if key not in names:
                self.fail(field_name(key), say("unknown_key", shown=_shown(key), known=names))
        for key in required:
            if key not in self.value:
                self.fail(key, say("missing_key"))

    def text(self, key: str) -> str | None:
        """A string; None when the key is absent or null."""
        value = self.value.get(key)
        if value is None or isinstance(value, str):
            return value
        self.fail(key, say("no_text", shown=_shown(value)))
        return None

    def choice(self, key: str, allowed: tuple[str, ...], default: str | None = None) -> str:
        """One of the allowed words."""
        value = self.value.get(key, default)
        if isinstance(value, str) and value in allowed:
            return value
        self.fail(key, say("not_one_of", allowed=allowed, shown=_shown(value)))
        return allowed[0]

    def seat(self, key: str) -> str | None:
        """A seat, or None when the key is absent or null."""
        return None if self.value.get(key) is None else self.choice(key, SEATS)

    def number(self, key: str, most: int) -> int:
        """A whole number up to a maximum; 0 when the key is absent."""
        value = self.value.get(key, 0)
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most:
            return value
        self.fail(key, say("no_points", most=most))
        return 0

    def flag(self, key: str) -> bool:
        """True or false; false when the key is absent."""
        value = self.value.get(key, False)
        if isinstance(value, bool):
            return value
        self.fail(key, say("no_flag", shown=_shown(value)))
        return False

    def items(self, key: str, most: int) -> list[object]:
        """A list of no more than so many entries; empty when the key is absent."""
        value = self.value.get(key, [])
        if not isinstance(value, list | tuple):
            self.fail(key, say("no_list", shown=_shown(value)))
            return []
        return list(value) if self.bounded(key, len(value), most) else []

    def bounded(self, key: str, entries: int, most: int) -> bool:
        """Whether there are no more entries than any deal can have."""
        if entries > most:
            self.fail(key, say(Fault.TOO_MANY_ENTRIES, entries=entries, most=most))
        return entries <= most

    def tiles(self, key: str, most: int) -> tuple[str, ...]:
        """Tiles: a list of codes, or a text in any notation of :mod:`scorer.notations`.

        Whether the codes are tiles is checked with the rest of the hand.
        """
        codes: list[str] = []
        written = self.value.get(key)
        if isinstance(written, str):
            return self._read(key, written, parse_tiles)
        for code in self.items(key, most):
            if isinstance(code, str):
                codes.append(_code(code))
            else:
                self.fail(key, say("no_tile_code", shown=_shown(code)))
        return tuple(codes)

    def tile(self, key: str) -> str | None:
        """One tile, in any notation; whether it is one is checked with the win."""
        written = self.text(key)
        return None if written is None else _code(written)

    def melds(self) -> tuple[Meld, ...]:
        """Sets laid down: a list of objects, or a text as :func:`scorer.deal.parse_melds` reads."""
        written = self.value.get("melds")
        if isinstance(written, str):
            return self._read("melds", written, parse_melds)
        values = self.items("melds", MOST.melds)
        return tuple(_meld(meld, self.player, self.found) for meld in values)

    def _read(
        self, key: str, text: str, read: Callable[[str], Iterable[_Entry]]
    ) -> tuple[_Entry, ...]:
        """What a text of tiles says; nothing where it is too long or cannot be understood."""
        if not self.bounded(key, len(text), MOST_SIGNS):
            return ()
        try:
            return tuple(read(text))
        except NotationError as error:
            self.fail(key, error.words)
            return ()


def _code(text: str) -> str:
    """The code of one tile in any notation; what is not one tile as it is."""
    if text in ORDER:
        return text
    try:
        codes = parse_tiles(text[:MOST_SIGNS])
    except NotationError:
        return text
    return codes[0] if len(codes) == 1 else text


def parse_deal(obj: object) -> Deal:
    """The deal that a decoded JSON value describes, checked against its ruleset.

    >>> from scorer import DealError, parse_deal
    >>> players = [{"seat": seat, "claimed": 0} for seat in "ESWN"]
    >>> parse_deal({"ruleset": "bmja-u3a", "players": players, "win": None}).seats
    ('E', 'S', 'W', 'N')
    >>> try:
    ...     parse_deal({"ruleset": "bmja-u3a", "players": players})
    ... except DealError as error:
    ...     print(error.code, error.field)
    missing_key win

    Args:
        obj: what :func:`json.loads` gave.

    Returns:
        The deal. That the winner's tiles make a winning hand is left to
        :func:`scorer.score_deal`.

    Raises:
        DealError: something is missing, unknown or of the wrong kind, or the deal is impossible.
    """
    deal = read_deal(obj)
    check_deal(deal, load_ruleset(deal.ruleset, deal.changes))
    return deal


def read_deal(obj: object) -> Deal:
    """The deal that a decoded JSON value describes, not checked against any ruleset yet.

    Args:
        obj: what :func:`json.loads` gave.

    Raises:
        DealError: something is missing, unknown or of the wrong kind; with all such faults.
    """
    found: list[DealError] = []
    deal = _deal(obj, found)
    if found:
        raise together(found)
    return deal


def _deal(obj: object, found: list[DealError]) -> Deal:
    table = _Table(obj, None, "deal", found)
    several = table.sound and "wins" in table.value
    table.keys(("ruleset", "players", "wins" if several else "win"), _DEAL_KEYS)
    wins = _wins(table, found) if several else [_win(table.value.get("win"), found)]
    ruleset = table.text("ruleset")
    if ruleset is None:
        table.fail("ruleset", say("no_ruleset_named"))
    return Deal(
        ruleset=ruleset or "",
        round_wind=table.choice("round_wind", SEATS, "E"),
        dealer=table.choice("dealer", SEATS, "E"),
        goulash=table.flag("goulash"),
        players=_players(table.items("players", MOST.players), found),
        win=wins[0] if wins else None,
        penalties=tuple(
            _penalty(value, found) for value in table.items("penalties", MOST.penalties)
        ),
        changes=_changes(table),
        dora=table.tiles("dora", MOST.bonus),
        ura=table.tiles("ura", MOST.bonus),
        honba=table.number("honba", MOST_COUNTERS),
        sticks=table.number("sticks", MOST_COUNTERS),
        further_wins=tuple(win for win in wins[1:] if win is not None),
        aborted=table.flag("aborted"),
    )


def _wins(table: _Table, found: list[DealError]) -> list[Win | None]:
    """Several winners of one discard, in turn order; ``win`` may repeat the first."""
    wins = table.items("wins", MOST.players)
    if table.value.get("win") not in (None, *wins[:1]):
        table.fail("wins", say("win_and_wins"))
    return [_win(value, found) for value in wins]


def _players(values: list[object], found: list[DealError]) -> tuple[Player, ...]:
    players: list[Player] = []
    for number, value in enumerate(values, 1):
        own: list[DealError] = []
        players.append(_player(value, own))
        for error in own:
            if error.player is None:
                words = say("in_entry", fault=error.words, number=number)
                found.append(DealError(None, error.field, words))
            else:
                found.append(error)
    return tuple(players)


def _player(value: object, found: list[DealError]) -> Player:
    table = _Table(value, None, "players", found)
    table.owned_by("seat")
    table.keys(("seat",), _PLAYER_KEYS)
    seat = table.choice("seat", SEATS)
    claimed = _claimed(table)
    if table.value.get("claimed") is None and "concealed" not in table.value:
        table.fail("concealed", say("no_tiles"))
    held, bonus = table.tiles("concealed", MOST.tiles), table.tiles("bonus", MOST.bonus)
    if isinstance(table.value.get("concealed"), str):
        held, among = without_bonus(held)
        bonus = (*bonus, *among)
    return Player(
        seat=seat,
        name=table.text("name"),
        concealed=held,
        melds=table.melds(),
        bonus=bonus,
        fishing=table.flag("fishing"),
        status=table.choice("status", STATUSES, "live"),
        claimed=claimed,
        riichi=table.flag("riichi"),
        double_riichi=table.flag("double_riichi"),
        reds=red_fives(table.value)[: MOST.bonus],
    )


def _claimed(table: _Table) -> int | None:
    value = table.value.get("claimed")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_CLAIM:
        table.fail("claimed", say("no_points", most=MAX_CLAIM))
        return None
    return value


def _meld(value: object, seat: str | None, found: list[DealError]) -> Meld:
    table = _Table(value, seat, "melds", found)
    table.keys(("kind", "tiles"), ("kind", "tiles", "concealed"))
    tiles = table.tiles("tiles", MOST.tiles)
    return Meld(table.choice("kind", KINDS), tiles, table.flag("concealed"))


def _win(value: object, found: list[DealError]) -> Win | None:
    if value is None:
        return None
    table = _Table(value, None, "win", found)
    table.owned_by("seat")
    table.keys(("seat", "source"), _WIN_KEYS)
    return Win(
        seat=table.choice("seat", SEATS),
        tile=table.tile("tile"),
        source=table.choice("source", SOURCES),
        from_seat=table.seat("from"),
        last_tile=table.flag("last_tile"),
        original_call=table.flag("original_call"),
        first_turn=table.flag("first_turn"),
        after_two_kongs=table.flag("after_two_kongs"),
        ippatsu=table.flag("ippatsu"),
        last_of_kind=table.flag("last_of_kind"),
        liable=table.seat("liable"),
    )


def _penalty(value: object, found: list[DealError]) -> Penalty:
    table = _Table(value, None, "penalties", found)
    table.owned_by("offender")
    table.keys(("kind", "offender"), ("kind", "offender", "victim"))
    offender = table.choice("offender", SEATS)
    return Penalty(table.choice("kind", PENALTIES), offender, table.seat("victim"))


def _changes(table: _Table) -> dict[str, ChangeValue]:
    value = table.value.get("changes", {})
    if not isinstance(value, Mapping):
        table.fail("changes", say("no_options", shown=_shown(value)))
        return {}
    changes: dict[str, ChangeValue] = {}
    if not table.bounded("changes", len(value), MOST.changes):
        return changes
    for option, setting in value.items():
        if isinstance(option, str) and isinstance(setting, bool | int | str):
            changes[option] = setting
        else:
            words = say("no_option_value", option=_shown(option), setting=_shown(setting))
            table.fail("changes", words)
    return changes
