"""One deal as it lies on the table: the players' tiles, how it ended, and what went wrong.

Tiles may be given as codes or as a text in any notation that :mod:`scorer.notations` reads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from scorer.messages import say
from scorer.notations import NotationError, sets_of
from scorer.tiles import is_bonus, parse_tiles

KINDS: Final = ("chow", "pung", "kong")
STATUSES: Final = ("live", "too_few", "too_many", "dead")
SOURCES: Final = ("wall", "discard", "loose", "robbed_kong", "dealt")
CLAIMED_SOURCES: Final = ("discard", "robbed_kong")
"""The sources that take the winning tile from another player."""

PENALTIES: Final = (
    "false_naming_set",
    "false_naming_win",
    "false_win",
    "wrong_claim",
    "cannon",
)
WIN_FLAGS: Final = ("last_tile", "original_call", "first_turn", "after_two_kongs")
FURTHER_FLAGS: Final = ("ippatsu", "last_of_kind")
"""Flags of a win that are written only where they are true."""

ChangeValue = bool | int | str


@dataclass(frozen=True, slots=True)
class Sizes:
    """Numbers of entries above which a deal is refused unread, a little more than any can have.

    ``tiles`` are those of a hand or a meld: a whole tile set with its jokers.
    """

    players: int = 8
    tiles: int = 148
    melds: int = 8
    bonus: int = 16
    penalties: int = 24
    changes: int = 400


MOST: Final = Sizes()


@dataclass(frozen=True, slots=True)
class Meld:
    """A meld laid on the table; ``concealed`` when no tile of it was claimed."""

    kind: str
    tiles: tuple[str, ...]
    concealed: bool = False

    def to_json(self) -> dict[str, Any]:
        """The meld as a JSON value."""
        return {"kind": self.kind, "tiles": list(self.tiles), "concealed": self.concealed}


def parse_melds(text: str) -> tuple[Meld, ...]:
    """Melds laid down, parted by blanks or in square brackets; those in round ones are concealed.

    >>> [(meld.kind, meld.concealed) for meld in parse_melds("345m (7777z) [5p 5p 5p]")]
    [('chow', False), ('kong', True), ('pung', False)]

    Whether the tiles make such melds is left to the check of the deal.

    Raises:
        NotationError: the text holds something that is not a tile, or a meld of another size.
    """
    return tuple(_meld(inner, concealed=concealed) for inner, concealed in sets_of(text))


def _meld(text: str, *, concealed: bool) -> Meld:
    tiles = tuple(parse_tiles(text))
    if len(tiles) not in (3, 4):
        raise NotationError(say("meld_of_wrong_length", text=text, tiles=len(tiles)))
    kind = "kong" if len(tiles) == 4 else "chow" if len(set(tiles)) == 3 else "pung"
    return Meld(kind, tiles, concealed)


def without_bonus(held: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The tiles of a hand, and the flowers and seasons that were written among them."""
    bonus = tuple(tile for tile in held if is_bonus(tile))
    return tuple(tile for tile in held if tile not in bonus), bonus


@dataclass(frozen=True, slots=True, init=False)
class Player:
    """One player's tiles, or the total claimed in their place.

    >>> Player("S", "22m 333m 2f", "(5555z) 678p").bonus
    ('2f',)

    ``concealed`` are the tiles still in hand (the winner's hold the winning tile too), ``fishing``
    says that the player had called fishing, ``claimed`` is a total of points taken as it is,
    ``reds`` are those of the fives, anywhere in the hand, that are red.
    Flowers and seasons in a text of the tiles in hand go to ``bonus``.

    Raises:
        NotationError: a text holds something that is not a tile, or a meld of another size.
    """

    seat: str
    concealed: tuple[str, ...]
    melds: tuple[Meld, ...]
    bonus: tuple[str, ...]
    name: str | None
    fishing: bool
    status: str
    claimed: int | None
    riichi: bool
    double_riichi: bool
    reds: tuple[str, ...]

    def __init__(  # noqa: PLR0913 - a deal is written in keywords
        self,
        seat: str,
        concealed: tuple[str, ...] | str = (),
        melds: tuple[Meld, ...] | str = (),
        bonus: tuple[str, ...] | str = (),
        name: str | None = None,
        *,
        fishing: bool = False,
        status: str = "live",
        claimed: int | None = None,
        riichi: bool = False,
        double_riichi: bool = False,
        reds: tuple[str, ...] = (),
    ) -> None:
        if isinstance(bonus, str):
            bonus = tuple(parse_tiles(bonus))
        if isinstance(concealed, str):
            concealed, found = without_bonus(parse_tiles(concealed))
            bonus = (*bonus, *found)
        if isinstance(melds, str):
            melds = parse_melds(melds)
        values = (seat, concealed, melds, bonus, name, fishing, status, claimed, riichi)
        for field_, value in zip(self.__slots__, (*values, double_riichi, reds), strict=True):
            object.__setattr__(self, field_, value)

    def to_json(self) -> dict[str, Any]:
        """The player as a JSON value that :func:`scorer.parse_deal` reads back."""
        value: dict[str, Any] = {"seat": self.seat}
        if self.name is not None:
            value["name"] = self.name
        if self.claimed is not None:
            value["claimed"] = self.claimed
        value["concealed"] = list(self.concealed)
        value["melds"] = [meld.to_json() for meld in self.melds]
        value["bonus"] = list(self.bonus)
        value["fishing"] = self.fishing
        value["status"] = self.status
        for flag in ("riichi", "double_riichi"):
            if getattr(self, flag):
                value[flag] = True
        for tile in self.reds:
            _redden(value, tile)
        return value


def _redden(value: dict[str, Any], tile: str) -> None:
    """Write one of a player's fives as a red one: ``0m``, ``0p`` or ``0s``."""
    for tiles in (value["concealed"], *(meld["tiles"] for meld in value["melds"])):
        if tile in tiles:
            tiles[tiles.index(tile)] = f"0{tile[1]}"
            return


@dataclass(frozen=True, slots=True)
class Win:
    """Who went out, on which tile and how; ``from_seat`` gave the tile when it was claimed.

    ``liable`` is the seat that fed the last set of a hand for which that makes it pay.
    """

    seat: str
    tile: str | None
    source: str
    from_seat: str | None = None
    last_tile: bool = False
    original_call: bool = False
    first_turn: bool = False
    after_two_kongs: bool = False
    ippatsu: bool = False
    last_of_kind: bool = False
    liable: str | None = None

    @property
    def claimed_tile(self) -> bool:
        """Whether the winning tile came from another player."""
        return self.source in CLAIMED_SOURCES

    def to_json(self) -> dict[str, Any]:
        """The win as a JSON value."""
        value: dict[str, Any] = {
            "seat": self.seat,
            "tile": self.tile,
            "source": self.source,
            "from": self.from_seat,
        }
        value |= {flag: getattr(self, flag) for flag in WIN_FLAGS}
        value |= {flag: True for flag in FURTHER_FLAGS if getattr(self, flag)}
        return value if self.liable is None else value | {"liable": self.liable}


@dataclass(frozen=True, slots=True)
class Penalty:
    """An offence at the table and, where it has one, its victim."""

    kind: str
    offender: str
    victim: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The penalty as a JSON value."""
        return {"kind": self.kind, "offender": self.offender, "victim": self.victim}


@dataclass(frozen=True, slots=True)
class Deal:
    """One hand played by three or four players under a ruleset; ``win`` is None when drawn.

    ``found_possible_under`` is the ruleset under which the deal was checked, once it was.
    ``dora`` and ``ura`` are the indicators that lie open, ``honba`` the counters and ``sticks`` the
    sticks that lay on the table before the hand, ``further_wins`` those of others on the same
    tile, in turn order after ``win``. ``aborted`` is a hand without a winner that was broken off.
    """

    ruleset: str
    players: tuple[Player, ...]
    win: Win | None
    round_wind: str = "E"
    dealer: str = "E"
    goulash: bool = False
    penalties: tuple[Penalty, ...] = ()
    changes: Mapping[str, ChangeValue] = field(default_factory=dict)
    dora: tuple[str, ...] = ()
    ura: tuple[str, ...] = ()
    honba: int = 0
    sticks: int = 0
    further_wins: tuple[Win, ...] = ()
    aborted: bool = False
    found_possible_under: object = field(default=None, init=False, repr=False, compare=False)

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats taken, in the order of the players."""
        return tuple([player.seat for player in self.players])

    @property
    def wins(self) -> tuple[Win, ...]:
        """Everybody's win, in turn order; none when the hand was drawn."""
        return () if self.win is None else (self.win, *self.further_wins)

    def win_of(self, seat: str) -> Win | None:
        """The win of the player in a seat, if that player won."""
        win = self.win
        if win is None or win.seat == seat:
            return win
        return next((win for win in self.further_wins if win.seat == seat), None)

    def to_json(self) -> dict[str, Any]:
        """The deal as a JSON value that :func:`scorer.parse_deal` reads back unchanged."""
        return {
            "ruleset": self.ruleset,
            "changes": dict(self.changes),
            "round_wind": self.round_wind,
            "dealer": self.dealer,
            "goulash": self.goulash,
            "players": [player.to_json() for player in self.players],
            "win": None if self.win is None else self.win.to_json(),
            "penalties": [penalty.to_json() for penalty in self.penalties],
            **self._more(),
        }

    def _more(self) -> dict[str, Any]:
        """What only some rulesets ask, where it is not as usual."""
        given = {
            "dora": list(self.dora),
            "ura": list(self.ura),
            "honba": self.honba,
            "sticks": self.sticks,
            "wins": [win.to_json() for win in self.wins] if self.further_wins else [],
            "aborted": self.aborted,
        }
        return {key: value for key, value in given.items() if value}
