"""A player's hand as people type it: compact tile strings, melds laid down apart."""

from __future__ import annotations

from scorer.deal import Meld, Player
from scorer.messages import say
from scorer.tiles import NotationError, is_bonus, parse_tiles


def parse_melds(text: str) -> tuple[Meld, ...]:
    """Melds laid down, separated by blanks; those in brackets are concealed.

    >>> [(meld.kind, meld.concealed) for meld in parse_melds("345m (7777z) 555p")]
    [('chow', False), ('kong', True), ('pung', False)]

    Whether the tiles make such melds is left to the check of the deal.

    Raises:
        NotationError: the text holds something that is no tile, or a meld of another size.
    """
    return tuple(_meld(part) for part in text.split())


def _meld(text: str) -> Meld:
    concealed = text.startswith("(") and text.endswith(")")
    tiles = tuple(parse_tiles(text[1:-1] if concealed else text))
    if len(tiles) not in (3, 4):
        raise NotationError(say("meld_of_wrong_length", text=text, tiles=len(tiles)))
    kind = "kong" if len(tiles) == 4 else "chow" if len(set(tiles)) == 3 else "pung"
    return Meld(kind, tiles, concealed)


def parse_player(seat: str, tiles: str, melds: str = "") -> Player:
    """A player who has not gone out, flowers and seasons written among the tiles.

    >>> parse_player("S", "123m 2f", "(5555z)").bonus
    ('2f',)

    Raises:
        NotationError: as :func:`parse_melds`.
    """
    held = parse_tiles(tiles)
    return Player(
        seat,
        concealed=tuple(tile for tile in held if not is_bonus(tile)),
        melds=parse_melds(melds),
        bonus=tuple(tile for tile in held if is_bonus(tile)),
    )
