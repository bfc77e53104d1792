"""What the page shows of a hand beside what truly lies on the table."""

from __future__ import annotations

from collections import Counter

from datasets.photographs.benchmark import TrueHand, TrueMeld
from scorer.tiles import BACK
from webapp.deal.state import BONUS, HAND, DealState, Player, Tile
from webapp.joint.questions import Question


def mode_of(meld: TrueMeld) -> str:
    """The name of the kind of meld on the page's keyboard."""
    return "concealed_kong" if meld.kind == "kong" and meld.concealed else meld.kind


def content(player: Player) -> tuple[list[str], list[tuple[list[str], bool]], list[str]]:
    """A player's tiles in hand, melds and bonus tiles as the page shows them, in order."""
    melds = [
        (sorted(tile.label for tile in player.in_place(laid.id)), laid.concealed)
        for laid in player.melds
    ]
    hand = sorted(tile.label for tile in player.in_place(HAND))
    return hand, sorted(melds), sorted(tile.label for tile in player.in_place(BONUS))


def true_content(hand: TrueHand) -> tuple[list[str], list[tuple[list[str], bool]], list[str]]:
    """The same of a hand that lies on the table."""
    melds = sorted((sorted(meld.tiles), meld.concealed) for meld in hand.melds)
    return sorted(hand.concealed), melds, sorted(hand.bonus)


def missing_of(player: Player, hand: TrueHand) -> Counter[str]:
    """The labels of the true tiles that the page does not show."""
    true = Counter([*hand.concealed, *hand.bonus, *(t for m in hand.melds for t in m.tiles)])
    return true - Counter(tile.label for tile in player.tiles)


def missing_beside(tile: Tile, player: Player, hand: TrueHand) -> Counter[str]:
    """The labels of the true tiles that the page lacks in hand, or in melds for a tile of one."""
    loose = tile.place in (HAND, BONUS)
    melded = [label for meld in hand.melds for label in meld.tiles]
    true = [*hand.concealed, *hand.bonus] if loose else melded
    shown = (t.label for t in player.tiles if (t.place in (HAND, BONUS)) == loose)
    return Counter(true) - Counter(shown)


def right_choice(question: Question, wanted: Counter[str]) -> str | None:
    """The label to tap, if one of those offered is missing on the page."""
    if question.versions or question.hidden:
        return None
    others = [label for label in question.choices if label != question.tiles[0].label]
    return next((label for label in others if wanted[label]), None)


def naming(tile: str, seat: str, label: str) -> str:
    """The button that names a tile in a question."""
    return (
        f"//form[.//input[@value='{tile}'] and .//input[@value='{seat}']]"
        f"//button[@name='label' and @value='{label}']"
    )


def wrong_suspect(question: Question, state: DealState, hands: dict[str, TrueHand]) -> str | None:
    """The button that names one of too many tiles rightly, if one is offered."""
    for suspect in question.suspects:
        seat = suspect.player.seat
        wanted = missing_beside(suspect.tile, state.player(seat), hands[seat])
        if suspect.other and wanted[suspect.other]:
            return naming(suspect.tile.id, seat, suspect.other)
    return None


def unmatched(player: Player, hand: TrueHand) -> list[TrueMeld]:
    """The true melds, starting with those that the page already shows."""
    laid = [sorted(tile.label for tile in player.in_place(s.id)) for s in player.melds]
    return sorted(hand.melds, key=lambda meld: sorted(meld.tiles) not in laid)


def _exact(labels: list[str], melds: list[TrueMeld]) -> list[TrueMeld]:
    return [meld for meld in melds if sorted(meld.tiles) == labels]


def hidden_kong(labels: list[str], melds: list[TrueMeld]) -> TrueMeld | None:
    """The concealed kong of which the page shows four face-down tiles.

    One tap names all four tiles. Kongs that the page already shows come first among the ``melds``,
    in the order of :func:`unmatched`.
    """
    if set(labels) != {BACK}:
        return None
    kongs = (meld for meld in melds[::-1] if meld.concealed and len(meld.tiles) == len(labels))
    return next(kongs, None)


def other_size(labels: list[str], melds: list[TrueMeld]) -> TrueMeld | None:
    """The kong of which these are three tiles, or the pung of which these are one too many."""
    if len(set(labels)) != 1 or _exact(labels, melds):
        return None
    return next((meld for meld in melds if set(meld.tiles) == set(labels)), None)


def nearest(labels: list[str], melds: list[TrueMeld]) -> TrueMeld | None:
    """The meld of the same size that shares most tiles with these, at least two."""

    def shared(meld: TrueMeld) -> int:
        return (Counter(labels) & Counter(meld.tiles)).total()

    alike = [meld for meld in melds if len(meld.tiles) == len(labels) and shared(meld) >= 2]
    return max(alike, key=shared) if alike else None
