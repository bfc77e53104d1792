"""Faults of a game: its setup, and hands that do not belong where they stand."""

from __future__ import annotations

from typing import Final

FAULTS: Final = {
    "fault_of_game": "the game, {field}: {fault}",
    "fault_of_game_player": "the game, {player}, {field}: {fault}",
    "fault_of_hand": "hand {hand}, {field}: {fault}",
    "fault_of_hand_player": "hand {hand}, {player}, {field}: {fault}",
    # The setup.
    "wrong_number_in_game": "{given} given; {wanted:or} can play",
    "unknown_wind": "unknown wind {seat!r}; use {seats:word comma}",
    "no_first_east": "nobody is East in the first hand; East's seat cannot be empty",
    "no_name": "{name!r} is not a name; write a name on a single line",
    "same_names": "two players are called {name!r}; tell them apart",
    "seat_is_free": "{name!r} is waiting although a seat is free; give that seat to {name!r}",
    "too_many_wait": "at most {most} can wait at a table; open another table",
    "has_not_gone": "{name!r} has not gone home from this table",
    "nobody_comes_in": "nobody is waiting to come in; end the game, or play on with three",
    "wrong_rounds": "needs a number from 1 to {most}",
    # Whose hand it is.
    "does_not_play": "{name!r} is not playing; the players are {players:comma}",
    "does_not_play_here": "{name!r} is not playing here; the players are {players:comma}",
    "name_given_twice": "is given twice",
    "player_missing": "is missing from the deal",
    "nobody_at": "nobody sits at {seat:seat}; the seats of this hand are {seats:seat comma}",
    "payer_is_receiver": "is also the payer; name two different players",
    "no_amount": "needs points above 0, not {amount}; leave out anyone who pays nothing",
    "nobody_waits": "nobody sits out at this table; leave it out",
    "others_wait": "needs {count} of these to sit out: {players:comma}",
    "not_at_the_table": "{name!r} does not sit at the table in this hand; choose one who does",
    "does_not_wait": "{name!r} does not sit out this hand; choose one who does",
    # Which hand it is.
    "no_such_hand": "there is no such hand in this game",
    "no_hand_of_number": "there is no hand with this number; the hands are 1 to {last}",
    "no_hand_played": "there is no hand with this number; no hand has been played",
    "game_ended": "the game ended with hand {last}, so this one is not valid; delete it",
    "game_over": "the game is over since hand {last}; start a new one",
    "game_closed": "the game has been ended; undo that first",
    "only_drawn_or_agreed": "only drawn hands and payments can be entered this way",
    "drawn_is_settled": (
        "differences are settled after a drawn hand: give its deal, or the agreed payments"
    ),
    "no_form_of_hand": 'needs "deal", or "drawn": true, or "winner" and "payments"',
    # What the hands before it lead to.
    "other_ruleset": "is {given}, but this game is played by {ruleset}",
    "other_changes": "are {given}, but this game is played with {changes}",
    "house_rules": "{rules:comma}",
    "house_rule": "{option:word}: {setting:word}",
    "no_house_rules": "no house rules",
    "other_name": "is {given!r}, but {seat:seat} is {name!r} in this hand",
    "other_wind": "is {given:seat}, but it is {wind:seat} in this hand: set it to {code:word}",
    "unknown_wind_given": (
        "is {given!r}, but it is {wind:seat} in this hand: set it to {code:word}"
    ),
    "other_seats": "sit at {given:word comma}, but in this hand they are {sitting:comma}",
    "other_on_table": "is {given}, but {due} lie on the table before this hand",
    "sits": "{seat:seat} {name}",
    "goulash_due": ("is not marked, but the hand before was drawn and a goulash is due: mark it"),
    "no_first_goulash": (
        "is marked, but the first hand of a game is never a goulash: remove the mark"
    ),
    "no_goulash_due": "is marked, but the hand before does not lead to a goulash: remove the mark",
}
