"""Faults of a deal: what cannot be on a table, what cannot be understood."""

from __future__ import annotations

from typing import Final

FAULTS: Final = {
    "own_fault": (
        "this is a fault in the program, not your mistake ({kind}); please report it with this deal"
    ),
    # The table.
    "too_many_entries": "{entries} are more than any deal has; at most {most} can be read",
    "wrong_number_of_players": "{given} players given; {wanted:or} can play",
    "unknown_seat": "unknown seat {seat!r}; use one of {seats:comma}",
    "seat_taken_twice": "two players have this seat; give each a seat of their own",
    "no_east": "nobody is East; one of the players must be",
    "dealer_not_east": "the dealer must be East, who pays and receives double here",
    "dealer_absent": "nobody sits as {seat:seat}",
    "unknown_word": "needs one of {allowed:comma}, not {word!r}",
    "goulash_not_played": "these rules have no goulash; remove the mark",
    "not_broken_off": "these rules have no abortive draws, or somebody won; remove the mark",
    # A player's tiles.
    "unknown_tile": "{code!r} cannot be scored; correct or remove it",
    "not_a_bonus_tile": "the {tile:tile} is not a flower or season; put it with the other tiles",
    "bonus_tile_in_hand": (
        "the {tile:tile} cannot be part of a set; put it with the flowers and seasons"
    ),
    "bonus_not_used": "flowers and seasons are not used under these rules; leave them out",
    "tiles_and_claim": "give either the tiles or a claimed total, not both",
    "claim_scores_nothing": "{status:word}: such a hand scores nothing, so leave its total out",
    "claim_above_limit": (
        "no hand scores more than {most} under these rules ({cite:cite}), and {total} is more: do "
        "you mean {most}?"
    ),
    "claim_not_rounded": (
        "totals are rounded to the nearest {to} under these rules ({cite:cite}), and {total} is "
        "not: do you mean {rounded}?"
    ),
    "claim_in_between": (
        "every total is a multiple of {step} under these rules, and {total} is not: do you mean "
        "{less} or {more}?"
    ),
    "wrong_meld": "{fault}; correct the {kind:word}",
    "second_chow": ("this hand has {laid} chows; at most {chows} may be held ({cite:cite})"),
    "no_chow_allowed": "chows are not allowed {when}; this hand has {laid} ({cite:cite})",
    "wrong_tile_count": (
        "{count:n_tiles}, counting each kong as three; {wanted} are needed: add or remove tiles, "
        "or say that there are too few or too many"
    ),
    "not_too_few": "marked as too few, but there are {count:n_tiles}, counting each kong as three",
    "not_too_many": (
        "marked as too many, but there are {count:n_tiles}, counting each kong as three"
    ),
    "too_many_copies": (
        "all hands together have {seen} of {tile:tile}; a tile set has {most}: check whether one "
        "was misread"
    ),
    # The win.
    "too_few_fan": "the hand has {counted}; {least} are needed to go out ({cite:cite})",
    "one_winner_alone": "only one player can win a hand under these rules; leave the others out",
    "wins_differ": (
        "several winners must go out on the same tile of the same player; name each of them once"
    ),
    "winner_absent": "nobody sits there; choose the winner's seat",
    "unknown_winning_tile": "{tile!r} cannot complete a hand; correct it",
    "winner_not_live": "{status:word}: such a hand cannot go out",
    "winner_guilty": "a player who claimed a discard wrongly cannot go out in that hand",
    "no_winning_tile": "the winning tile is missing; name it",
    "winning_tile_not_held": (
        "the {tile:tile} is not among the winner's concealed tiles; add it there"
    ),
    "source_not_known": (
        "under these rules nobody can win with {source:word}; choose {known:word or}"
    ),
    "flag_not_known": "these rules do not use this; leave it out",
    "last_tile_elsewhere": "only {allowed:word or} can be the last tile, not {source:word}",
    "first_turn_elsewhere": "only a discard from East can be East's first discard",
    "first_turn_last": "East's first discard is never the last tile; remove one of the two",
    "first_turn_called": (
        "a hand won on East's first discard ends before anyone else has discarded, so nobody else"
        " can have been fishing since their first discard; remove one of the two"
    ),
    "laid_too_early": (
        "the hand was over before this set could be made; remove it, or correct how the hand was "
        "won"
    ),
    "kongs_missing": "two kongs in a row need a loose tile and two kongs laid down",
    "nothing_replaced": (
        "a loose tile replaces a flower, a season or the fourth tile of a kong, and the winner has"
        " none of them; add one, or say that the tile came from the wall"
    ),
    "dealt_impossible": (
        "only the dealer, {dealer:seat}, can win with the tiles as dealt, and only without sets "
        "laid down"
    ),
    "original_call_dealt": "a hand won as dealt cannot have been fishing since the first discard",
    "original_call_claimed": (
        "a winner who has claimed a set cannot have been fishing since the first discard; remove "
        "that, or correct the sets"
    ),
    "riichi_claimed": (
        "a player who has claimed a set cannot have declared riichi; remove that, or correct the "
        "sets"
    ),
    "riichi_undeclared": (
        "the winner has not declared riichi and cannot have won within a turn of it; say that it "
        "was declared, or correct that"
    ),
    "no_giver": ("{source:word} comes from another player; say from whom"),
    "needless_giver": "{source:word} does not come from another player; leave the player out",
    "giver_is_winner": "the winner cannot have given the tile; name the player who did",
    "giver_absent": "nobody sits as {seat:seat}",
    "robbed_pung_missing": (
        "{seat:seat}, whose kong was robbed, has no exposed pung of {tile:tile}; enter that "
        "player's set as a pung, or correct the tile"
    ),
    "robbed_kong_written": (
        "the kong of {tile:tile} was robbed, so its fourth tile is the winner's: enter "
        "{seat:seat}'s set as a pung"
    ),
    # Why the winner's tiles are no hand.
    "robbed_kong_completes_not": (
        "a robbed kong cannot complete this hand, only a {allowed:word or_a}; correct the winning "
        "tile or its source"
    ),
    "joker_claimed": (
        "a discarded {tile:tile} may only be claimed as itself, not as a joker ({cite:cite})"
    ),
    "not_clean": (
        "more than one suit, but only clean hands may go out: one suit, with or without winds and "
        "dragons ({cite:cite})"
    ),
    "too_many_jokers": (
        "a set needs more jokers than a pung or kong may have: at most {most} ({cite:cite})"
    ),
    "joker_pair": "the pair cannot be two jokers ({cite:cite})",
    "jokers_in_special_hand": (
        "too many jokers for a special hand without pungs: at most {most} ({cite:cite})"
    ),
    "set_exposed": "{hand:word} may not have exposed sets ({cite:cite})",
    "last_tile_claimed": "the last tile of {hand:word} must be drawn, not claimed ({cite:cite})",
    "hand_not_played": "this is {hand:word}, which is not played under these rules ({cite:cite})",
    "rule_forbids": (
        'no {hand:word}: for "{rule:word}" these rules say "{setting:word}" ({cite:cite})'
    ),
    "no_winning_hand": (
        "these tiles do not make a winning hand: {lack}; check the tiles and the sets laid down"
    ),
    "lacks_pair": "the last two, {tiles:tile and}, are not a pair",
    "lacks_sets": "{tiles:tile comma} do not fit into a set or a pair",
    "lacks_one_tile": "everything fits {hand:word} except the {tile:tile}",
    "lacks_shape": "neither four sets and a pair nor a special hand",
    "in_a_goulash": "in a goulash",
    "with_three_players": "with three players",
    "under_these_rules": "under these rules",
    # Penalties.
    "unknown_penalty": (
        "{kind:word}: these rules have no such penalty; choose from {known:word comma}"
    ),
    "party_absent": "nobody sits as {seat:seat}",
    "victim_is_offender": "nobody can do this fault to themselves; name another player",
    "no_victim": "{kind:word}: say who it was done to",
    "penalty_without_discard": "{kind:word}: this is only possible when someone wins on a discard",
    "offender_not_discarder": (
        "{kind:word}: only the player who gave the winning tile can have done this"
    ),
    "victim_not_winner": "{kind:word}: this can only be done to the winner",
    "penalty_given_twice": "{kind:word}: entered twice; remove one",
    # Melds.
    "meld_size": "a {kind:word} has {size:n_tiles}, not {tiles}",
    "no_sequence": "a chow is three tiles of one suit in sequence",
    "not_of_one_kind": "a {kind:word} is {size} tiles of one kind",
    "not_of_one_kind_wild": (
        "a {kind:word} is {size} tiles of one kind; jokers allowed among them: {most}"
    ),
    # Questions about one hand.
    "nobody_there": "nobody sits there",
    "tiles_not_shown": "the tiles of this hand are not shown; list them instead",
    "hand_not_counted": "{status:word}: such a hand is not counted",
    "has_gone_out": "this player has gone out; only another player's hand can wait",
    "cannot_wait": "{status:word}: a hand waits with {tiles} tiles",
    "drawn_not_scored": "a drawn hand is not scored",
}
"""Deals that cannot be; :class:`scorer.evaluation.faults.Fault` explains the first four groups."""

FORM: Final = {
    "win_and_wins": "give either win or wins, not both",
    "fault_of_player": "player {player}, {field}: {fault}",
    "fault_of_deal": "the deal, {field}: {fault}",
    "no_object": "needs a JSON object, not {shown}",
    "unknown_key": "unknown key {shown}; choose from {known:comma}",
    "missing_key": "is missing; it is required",
    "no_text": "needs text, not {shown}",
    "not_one_of": "needs one of {allowed:comma}, not {shown}",
    "no_flag": "needs true or false, not {shown}",
    "no_list": "needs a list, not {shown}",
    "no_tile_code": "needs tile codes such as '5z', not {shown}",
    "no_ruleset_named": "needs the id of a ruleset",
    "no_tiles": "is missing; list the tiles in hand or give a claimed total",
    "no_points": "needs a whole number from 0 to {most}",
    "no_options": "needs a JSON object of options, not {shown}",
    "no_option_value": "cannot use {option}: {setting}; give an option's id and its value",
    "in_entry": "{fault} (entry {number} of the players)",
}
"""A deal's JSON value that cannot be understood."""

FILES: Final = {
    "empty_file": "is empty: a deal as JSON is needed",
    "not_utf8": ("is not UTF-8 text (byte {byte} of line {line} on): save the deals as UTF-8 JSON"),
    "not_json": "{fault:word} at line {line}, column {column}",
    "number_too_long": "has a number that is too long, or too many lists inside one another",
    "key_twice": "appears twice in the same place: keep one of them",
    "no_json_number": "{text} is not a valid JSON number",
    "no_seat_in_claim": "{text!r} needs a seat and a value, such as S=352",
    "no_points_in_claim": "needs a whole number from 0 to {most}, not {text!r}",
    "no_winner_to_ask": "nobody has won: say with --seat whose hand it is",
    "no_option_in_text": "{text!r} needs the form option=value",
    "unreadable_hand": "{fault}; sets laid down are written as in 555m (7777z)",
    "hand_does_not_wait": (
        "{count:n_tiles}, counting each kong as three; a hand waits with {wanted}"
    ),
    "tile_to_discard": (
        "{count:n_tiles}, counting each kong as three; a hand waits with {wanted}; leave out the "
        "one to be discarded"
    ),
}
"""A file that holds no deal, or a question on the command line that cannot be answered."""
