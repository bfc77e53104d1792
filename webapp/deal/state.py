"""The deal on the table as people enter it: players, their tiles, and the facts of the win.

Everything is frozen; an edit (see :mod:`webapp.deal.edits`) returns a new :class:`DealState`.
:func:`to_json` and :func:`from_json` are exact inverses, so a state can be stored after each entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from scorer.deal import WIN_FLAGS, ChangeValue
from scorer.tiles import BACK, BLANK, OTHER, is_bonus
from vision.vocabulary.readings import DOUBTFUL_BELOW

HAND: Final = "hand"
"""The place of a tile that is in the player's hand."""

BONUS: Final = "bonus"
"""The place of a flower or season, which lies apart."""

UNRESOLVED: Final = frozenset({BACK, BLANK, OTHER})
"""The labels of tiles that a person must still name: face down, blank, or not a tile at all."""

Quad = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Tile:
    """One tile of a player.

    Attributes:
        id: unique within the player, ``t1``, ``t2``, ...
        label: a code of :data:`scorer.tiles.READING_LABELS`.
        place: ``hand``, ``bonus`` or the id of one of the player's melds.
        confidence: the reader's probability of the label, 0 to 1; 1 if a person entered it.
        checked: whether a person has looked at it.
        quad: four (x, y) corners in pixels of the upright photo; None without a photo.
        alternatives: (label, probability) pairs of the reader, most probable first.
        camera: the label read from the photo alone if the joint decision on the deal changed it.
        why: the reason of that change, in words.
        odds: how many times as probable the label is as the one read from the photo alone.
    """

    id: str
    label: str
    place: str = HAND
    confidence: float = 1.0
    checked: bool = True
    quad: Quad | None = None
    alternatives: tuple[tuple[str, float], ...] = ()
    camera: str = ""
    why: str = ""
    odds: float = 0.0

    @property
    def unresolved(self) -> bool:
        """Whether a person must still say which tile this is."""
        return self.label in UNRESOLVED

    @property
    def open(self) -> bool:
        """Whether it was read from a photo and no person has checked it yet."""
        return bool(self.alternatives) and not self.checked

    @property
    def doubtful(self) -> bool:
        """Whether the reader was not sure and no person has checked it yet."""
        return not self.checked and (self.unresolved or self.confidence < DOUBTFUL_BELOW)


@dataclass(frozen=True, slots=True)
class Meld:
    """A meld laid apart from the hand; ``id`` is ``s1``, ``s2``, ... within the player."""

    id: str
    concealed: bool = False


@dataclass(frozen=True, slots=True)
class Player:
    """One player of a deal.

    Attributes:
        seat: the wind that the player is.
        name: the player's name, or empty.
        tiles: all tiles of the player, in the hand, in melds and apart.
        melds: the melds that are laid apart from the hand.
        photo: the id of the photo from which the tiles were read; None if they were tapped in.
        fishing: whether the player says that the hand is one tile short of going out.
        status: the id of a status of the ruleset; ``live`` for a hand that counts as usual.
        claimed: a total that was typed in instead of tiles.
        declared: with what words the player declared being ready, one of the ruleset's; or empty.
        told: the ids of the ruleset's flags that are true of this player's win alone.
        reds: those of the player's fives that are red, one of a suit.
    """

    seat: str
    name: str = ""
    tiles: tuple[Tile, ...] = ()
    melds: tuple[Meld, ...] = ()
    photo: str | None = None
    fishing: bool = False
    status: str = "live"
    claimed: int | None = None
    declared: str = ""
    told: tuple[str, ...] = ()
    reds: tuple[str, ...] = ()

    def in_place(self, place: str) -> tuple[Tile, ...]:
        """The tiles in the hand, among the bonus tiles or in one meld."""
        return tuple(t for t in self.tiles if t.place == place)

    @property
    def hand_size(self) -> int:
        """How many tiles the player shows, each set laid apart counted as three."""
        return len(self.in_place(HAND)) + 3 * len(self.melds)

    @property
    def doubtful(self) -> tuple[Tile, ...]:
        """The tiles that a person should look at."""
        return tuple(t for t in self.tiles if t.doubtful or t.unresolved)

    @property
    def entered(self) -> bool:
        """Whether this player has tiles or a typed total."""
        return bool(self.tiles) or self.claimed is not None


@dataclass(frozen=True, slots=True)
class Win:
    """Who went out and how; each field is None or false until it is answered.

    Attributes:
        drawn: whether nobody went out.
        seat: who went out.
        tile: the tile on which the player went out.
        source: the id of the ruleset's source from which the tile came.
        source_from: the seat of the player who gave the tile, if one did.
        last_tile, original_call, first_turn, after_two_kongs, last_of_kind: the answers to the
            further questions of the ruleset, each named by the id of its flag.
        also: the seats of others who went out on the same tile.
        liable: the seat of the player who has to pay for having fed the winner's last set.
        aborted: whether a drawn hand was broken off.
    """

    drawn: bool = False
    seat: str | None = None
    tile: str | None = None
    source: str | None = None
    source_from: str | None = None
    last_tile: bool = False
    original_call: bool = False
    first_turn: bool = False
    after_two_kongs: bool = False
    last_of_kind: bool = False
    also: tuple[str, ...] = ()
    liable: str | None = None
    aborted: bool = False

    @property
    def winners(self) -> tuple[str, ...]:
        """The seats of all who went out."""
        return () if self.seat is None else (self.seat, *self.also)


FLAGS: Final = (*WIN_FLAGS, "last_of_kind")
"""The flags that are told of a win, whoever of several winners it is of."""


@dataclass(frozen=True, slots=True)
class Penalty:
    """A fault at the table that the ruleset penalises: who made it and, if it matters, to whom."""

    kind: str
    offender: str
    victim: str | None = None


@dataclass(frozen=True, slots=True)
class Reread:
    """A tile, named by seat and id, that may have another label than the one it was read as."""

    seat: str
    tile: str
    read: str
    label: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Other labels for some tiles that people are asked about.

    Attributes:
        changes: the tiles with their other labels.
        odds: how many times as probable these labels are as the current ones; 0 if not estimated.
        reason: why they are suggested, in words.
    """

    changes: tuple[Reread, ...]
    odds: float
    reason: str


@dataclass(frozen=True, slots=True)
class DealState:
    """Everything that people have entered about one deal.

    Attributes:
        players: the players in the order of their seats, East first.
        ruleset: the id of the ruleset.
        round_wind: the wind of the round.
        goulash: whether the deal is played as a goulash.
        win: who went out and how.
        penalties: faults at the table.
        dealer: the seat of the dealer.
        changes: settings of the ruleset's options, by option id.
        suggestions: other labels of tiles that the joint decision on the deal found likely.
        tile_set: the profile of the tile set; empty for none, None for the one last used here.
        sides: the side of a photo of the whole table (near, right, far or left) at which the
            player of each seat sits, as far as it is known.
        only: the seat of the player whose hand alone is valued; None for a whole deal.
        dora, ura: the indicators that lie open, as some rulesets have them.
        honba, sticks: the counters and the sticks that lay on the table before the deal.
    """

    players: tuple[Player, ...]
    ruleset: str = "bmja-u3a"
    round_wind: str = "E"
    goulash: bool = False
    win: Win = field(default_factory=Win)
    penalties: tuple[Penalty, ...] = ()
    dealer: str = "E"
    changes: Mapping[str, ChangeValue] = field(default_factory=dict)
    suggestions: tuple[Suggestion, ...] = ()
    tile_set: str | None = None
    sides: Mapping[str, str] = field(default_factory=dict)
    only: str | None = None
    dora: tuple[str, ...] = ()
    ura: tuple[str, ...] = ()
    honba: int = 0
    sticks: int = 0

    def player(self, seat: str) -> Player:
        """The player at a seat.

        Raises:
            KeyError: the deal has no player at this seat.
        """
        for player in self.players:
            if player.seat == seat:
                return player
        raise KeyError(seat)

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats in play, East first."""
        return tuple(p.seat for p in self.players)


def new_deal(seats: tuple[str, ...], names: dict[str, str] | None = None) -> DealState:
    """An empty deal for the given seats."""
    names = names or {}
    return DealState(tuple(Player(seat, name=names.get(seat, "")) for seat in seats))


def place_for(label: str) -> str:
    """The place of a single tile by default: apart for flowers and seasons, else the hand."""
    return BONUS if is_bonus(label) else HAND


def to_json(state: DealState) -> dict[str, Any]:
    """The state as plain JSON values; a player's melds are stored under ``sets``."""
    value = asdict(state)
    value["players"] = [
        {"sets" if key == "melds" else key: part for key, part in player.items()}
        for player in value["players"]
    ]
    return value


def _tile(data: dict[str, Any]) -> Tile:
    quad = data.get("quad")
    return Tile(
        **{
            **data,
            "quad": None if quad is None else tuple((float(x), float(y)) for x, y in quad),
            "alternatives": tuple((str(c), float(p)) for c, p in data.get("alternatives", ())),
        }
    )


def _player(data: dict[str, Any]) -> Player:
    facts = {key: value for key, value in data.items() if key != "sets"}
    return Player(
        **{
            **facts,
            "tiles": tuple(_tile(tile) for tile in data["tiles"]),
            "melds": tuple(Meld(**meld) for meld in data["sets"]),
            **{key: tuple(data.get(key, ())) for key in ("told", "reds")},
        }
    )


def from_json(data: dict[str, Any]) -> DealState:
    """The state from the JSON values that :func:`to_json` returned."""
    return DealState(
        **{
            **data,
            "players": tuple(_player(p) for p in data["players"]),
            "win": Win(**{**data["win"], "also": tuple(data["win"].get("also", ()))}),
            **{key: tuple(data.get(key, ())) for key in ("dora", "ura")},
            "penalties": tuple(Penalty(**p) for p in data["penalties"]),
            "suggestions": tuple(_suggestion(s) for s in data.get("suggestions", ())),
        }
    )


def _suggestion(data: dict[str, Any]) -> Suggestion:
    return Suggestion(**{**data, "changes": tuple(Reread(**change) for change in data["changes"])})
