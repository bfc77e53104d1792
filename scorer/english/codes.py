"""What people call the codes of a deal: how a hand stands, how it was won, what went wrong."""

from __future__ import annotations

from typing import Final

CODE_NAMES: Final = {
    "live": "the right number of tiles",
    "too_few": "too few tiles",
    "too_many": "too many tiles",
    "dead": "a dead hand",
    "wall": "a tile from the wall",
    "discard": "a discard",
    "loose": "a loose tile",
    "robbed_kong": "a robbed kong",
    "dealt": "a dealt hand",
    "false_naming_set": "discard named wrongly, claimed for a set",
    "false_naming_win": "discard named wrongly, claimed for Mah Jong",
    "false_win": "false Mah Jong",
    "wrong_claim": "discard wrongly claimed",
    "cannon": "letting off a cannon",
}
"""Statuses, sources of the winning tile and penalties by their codes."""

KEY_NAMES: Final = {
    "absent_bonus": "The flower and season of an absent player count",
    "chows.goulash": "Chows allowed in a goulash",
    "chows.three_players": "Chows allowed with three players",
    "count_times": "What the count is multiplied by",
    "dealer_moves": "Players keep their winds all evening",
    "limit.caps_special": "Special hands stop at the limit",
    "players": "How many can play",
    "robbed_completes": "What a robbed kong may complete",
    "robbed_special": "What a robbed kong may complete in a special hand",
    "special_bonus": "Flowers and seasons with special hands",
}
"""What people call the keys of a ruleset that no house rule sets everywhere."""

FIELD_NAMES: Final = {
    "deal": "the deal",
    "players": "the players",
    "seat": "the seat",
    "name": "the name",
    "status": "the number of tiles",
    "concealed": "the tiles in hand",
    "melds": "the sets laid down",
    "bonus": "flowers and seasons",
    "claimed": "the total",
    "fishing": "fishing",
    "dealer": "the dealer",
    "round_wind": "the wind of the round",
    "goulash": "the goulash",
    "ruleset": "the rules",
    "changes": "the house rules",
    "win": "the win",
    "win.seat": "the winner",
    "win.tile": "the winning tile",
    "win.source": "how the tile came",
    "win.from": "who gave the tile",
    "win.last_tile": "the last tile",
    "win.original_call": "fishing since the first discard",
    "win.first_turn": "East's first discard",
    "win.after_two_kongs": "two kongs in a row",
    "penalties": "the penalties",
    "penalties.kind": "what went wrong",
    "penalties.offender": "who made the fault",
    "penalties.victim": "who it was done to",
    "rounds": "the rounds",
    "waiting": "who sits out",
    "out": "who sits out the next hand",
    "gone": "who has gone",
    "hand": "the hand",
    "winner": "the winner",
    "drawn": "the drawn hand",
    "payments": "the payments",
    "payments.from": "who pays",
    "payments.to": "who is paid",
    "payments.amount": "the amount",
}
"""The fields of a deal or a game in which a fault is found."""
