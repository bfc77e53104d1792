"""The deal on the table as people enter it: players, their tiles, and the facts of the win.

Everything is frozen; an edit (see :mod:`webapp.deal.edits`) returns a new :class:`DealState`.
:func:`to_json` and :func:`from_json` are exact inverses, so a state can be stored after each entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from scorer.deal import ChangeValue
from scorer.tiles import BACK, BLANK, OTHER, is_bonus
from vision.vocabulary.readings import DOUBTFUL_BELOW

HAND: Final = "hand"
BONUS: Final = "bonus"

UNRESOLVED: Final = frozenset({BACK, BLANK, OTHER})

Quad = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Tile:
    """One tile of a player.

    Attributes:
        id: unique within the player, ``t1``, ``t2``, ...
        label: a code of :data:`scorer.tiles.READING_LABELS`.
        place: ``hand``, ``bonus`` or the id of one of the player's sets.
        confidence: how sure the reader was, 0 to 1; 1 for a tile entered by a person.
        checked: a person has looked at it.
        quad: four (x, y) corners in pixels of the upright photo, or None.
        alternatives: (label, probability) pairs of the reader, best first.
        camera: what the camera alone said, where all tiles of the deal together say otherwise.
        why: the law behind that, in words.
        odds: how many times as likely the label is as what the camera alone said.
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
        """Whether the camera's word on it has not been settled by a person."""
        return bool(self.alternatives) and not self.checked

    @property
    def doubtful(self) -> bool:
        """Whether the reader was not sure and nobody has looked at it yet."""
        return not self.checked and (self.unresolved or self.confidence < DOUBTFUL_BELOW)


@dataclass(frozen=True, slots=True)
class Meld:
    """A set laid apart from the hand; ``id`` is ``s1``, ``s2``, ... within the player."""

    id: str
    concealed: bool = False


@dataclass(frozen=True, slots=True)
class Player:
    """One player's tiles and what was said about them."""

    seat: str
    name: str = ""
    tiles: tuple[Tile, ...] = ()
    melds: tuple[Meld, ...] = ()
    photo: str | None = None
    fishing: bool = False
    status: str = "live"
    claimed: int | None = None

    def in_place(self, place: str) -> tuple[Tile, ...]:
        """The tiles in the hand, among the bonus tiles or in one set."""
        return tuple(t for t in self.tiles if t.place == place)

    @property
    def doubtful(self) -> tuple[Tile, ...]:
        """The tiles that somebody should look at."""
        return tuple(t for t in self.tiles if t.doubtful or t.unresolved)

    @property
    def entered(self) -> bool:
        """Whether this player has tiles or a typed total."""
        return bool(self.tiles) or self.claimed is not None


@dataclass(frozen=True, slots=True)
class Win:
    """Who went out and how; every field is None or false until it is answered."""

    drawn: bool = False
    seat: str | None = None
    tile: str | None = None
    source: str | None = None
    source_from: str | None = None
    last_tile: bool = False
    original_call: bool = False
    first_turn: bool = False
    after_two_kongs: bool = False


@dataclass(frozen=True, slots=True)
class Penalty:
    """One fault at the table: who did it and, where it matters, to whom."""

    kind: str
    offender: str
    victim: str | None = None


@dataclass(frozen=True, slots=True)
class Reread:
    """A tile, by its seat and id, that is read as one label and may be another."""

    seat: str
    tile: str
    read: str
    label: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Another version of some tiles that people are asked about, and the reason in words.

    ``odds`` is how many times as likely it is as what is read now; 0 where that was not weighed.
    """

    changes: tuple[Reread, ...]
    odds: float
    reason: str


@dataclass(frozen=True, slots=True)
class DealState:
    """Everything entered about one deal.

    ``changes`` are the house rules it is played by, ``tile_set`` the profile of the set on the
    table: empty for none, None as at this table before. ``suggestions`` is what all tiles together
    say may be otherwise. ``sides`` tells at which side of a photo of the table (near, right, far or
    left) the player of each seat sits, as far as it is known.
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

    def player(self, seat: str) -> Player:
        """The player at a seat.

        Raises:
            KeyError: nobody sits there.
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
    """Where a single tile goes when nothing else is said: flowers and seasons lie apart."""
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
        }
    )


def from_json(data: dict[str, Any]) -> DealState:
    """The state that :func:`to_json` wrote."""
    return DealState(
        **{
            **data,
            "players": tuple(_player(p) for p in data["players"]),
            "win": Win(**data["win"]),
            "penalties": tuple(Penalty(**p) for p in data["penalties"]),
            "suggestions": tuple(_suggestion(s) for s in data.get("suggestions", ())),
        }
    )


def _suggestion(data: dict[str, Any]) -> Suggestion:
    return Suggestion(**{**data, "changes": tuple(Reread(**change) for change in data["changes"])})
