"""Faults of a deal: what cannot be on a table, what cannot be understood."""

from __future__ import annotations

from typing import Final

FAULTS: Final = {
    "own_fault": (
        "this is a fault in the program, not of yours ({kind}); please report it with this deal"
    ),
    # The table.
    "too_many_entries": "{entries} are more than any deal has; {most} at most can be read",
    "wrong_number_of_players": "{given} players given; {wanted:or} can play",
    "unknown_seat": "unknown seat {seat!r}; use one of {seats:comma}",
    "seat_taken_twice": "this seat is taken twice; give each player a seat of their own",
    "no_east": "nobody is East; one of the players must be",
    "dealer_not_east": "the dealer must be East, who pays and receives double here",
    "dealer_absent": "nobody sits as {seat:seat}",
    "unknown_word": "needs one of {allowed:comma}, not {word!r}",
    "goulash_not_played": "no goulash is played under these rules; take the mark away",
    # A player's tiles.
    "unknown_tile": "{code!r} is no tile that can be scored; correct or remove it",
    "not_a_bonus_tile": "the {tile:tile} is no flower or season; put it with the other tiles",
    "bonus_tile_in_hand": "the {tile:tile} belongs to no set; put it with the flowers and seasons",
    "bonus_not_used": "flowers and seasons are not used under these rules; leave them out",
    "tiles_and_claim": "give either the tiles or a claimed total, not both",
    "claim_scores_nothing": "{status:word}: such a hand scores nothing, so leave its total out",
    "claim_above_limit": (
        "no hand scores more than {most} under these rules ({cite:cite}), and {total} is more: is "
        "it {most}?"
    ),
    "claim_not_rounded": (
        "totals are rounded to the nearest {to} under these rules ({cite:cite}), and {total} is "
        "not: is it {rounded}?"
    ),
    "claim_in_between": (
        "every total is a multiple of {step} under these rules, and {total} is not: is it {less} "
        "or {more}?"
    ),
    "wrong_meld": "{fault}; correct the {kind:word}",
    "second_chow": (
        "this hand has {laid} chows; {chows} is the most that it may have ({cite:cite})"
    ),
    "no_chow_allowed": "no chow is allowed {when}; this hand has {laid} ({cite:cite})",
    "wrong_tile_count": (
        "{count:n_tiles}, each kong counted as three; {wanted} are needed: add or remove tiles, or "
        "say that there are too few or too many"
    ),
    "not_too_few": "said to be too few, but there are {count:n_tiles}, each kong counted as three",
    "not_too_many": (
        "said to be too many, but there are {count:n_tiles}, each kong counted as three"
    ),
    "too_many_copies": (
        "there are {seen} of {tile:tile} in all hands together; a set of tiles has {most}: check "
        "where one was misread"
    ),
    # The win.
    "winner_absent": "nobody sits there; choose the winner's seat",
    "unknown_winning_tile": "{tile!r} is no tile that can complete a hand; correct it",
    "winner_not_live": "{status:word}: such a hand cannot go out",
    "winner_guilty": "a player who claimed a discard wrongly cannot go out in that hand",
    "no_winning_tile": "the winning tile is missing; name it",
    "winning_tile_not_held": (
        "the {tile:tile} is not among the winner's concealed tiles; list it there"
    ),
    "source_not_known": ("{source:word} wins nothing under these rules; choose {known:word or}"),
    "flag_not_known": "these rules have no use for this; take it away",
    "last_tile_elsewhere": "only {allowed:word or} can be the last one, not {source:word}",
    "first_turn_elsewhere": "only a discard from East can be East's first",
    "first_turn_last": "East's first discard is never the last tile; take one of the two away",
    "first_turn_called": (
        "on East's first discard only East has discarded, so nobody else was fishing after a first "
        "discard; take one of the two away"
    ),
    "laid_too_early": (
        "the hand was over before this set could be made; take it back, or correct how the hand "
        "was won"
    ),
    "kongs_missing": "two kongs in a row go only with a loose tile and two kongs laid down",
    "nothing_replaced": (
        "a loose tile replaces a flower, a season or the fourth tile of a kong, and the winner has "
        "none of them; add it, or say that the tile came from the wall"
    ),
    "dealt_impossible": (
        "only the dealer, {dealer:seat}, without sets laid down, wins with the tiles as dealt"
    ),
    "original_call_dealt": "a hand won as dealt was not fishing since the first discard",
    "original_call_claimed": (
        "a winner who has claimed a set was not fishing since the first discard; take that back, "
        "or correct the sets"
    ),
    "no_giver": ("the giver is missing: {source:word} comes from another player; say from whom"),
    "needless_giver": "{source:word} comes from nobody; leave the giver out",
    "giver_is_winner": "the winner did not give the tile; name the player who did",
    "giver_absent": "nobody sits as {seat:seat}",
    "robbed_pung_missing": (
        "no exposed pung of {tile:tile} lies before {seat:seat}, whose kong was robbed; write that "
        "player's set as a pung, or correct the tile"
    ),
    "robbed_kong_written": (
        "the kong of {tile:tile} was robbed, so its fourth tile is the winner's: write the set of "
        "{seat:seat} as a pung"
    ),
    # Why the winner's tiles are no hand.
    "robbed_kong_completes_not": (
        "a robbed kong cannot complete this hand, only a {allowed:word or_a}; correct the winning "
        "tile or its source"
    ),
    "joker_claimed": (
        "a discarded {tile:tile} may be claimed only as itself, not as a joker ({cite:cite})"
    ),
    "not_clean": (
        "more than one suit, but only clean hands may go out: one suit, with or without winds and "
        "dragons ({cite:cite})"
    ),
    "too_many_jokers": (
        "a set needs more jokers than may be in a pung or kong: {most} at most ({cite:cite})"
    ),
    "joker_pair": "the pair cannot be two jokers ({cite:cite})",
    "jokers_in_special_hand": (
        "more jokers than may be in a special hand without pungs: {most} at most ({cite:cite})"
    ),
    "set_exposed": "{hand:word} may have no exposed set ({cite:cite})",
    "last_tile_claimed": "the last tile of {hand:word} must be drawn, not claimed ({cite:cite})",
    "hand_not_played": "this is {hand:word}, which is not played under these rules ({cite:cite})",
    "rule_forbids": (
        'no {hand:word}: for "{rule:word}" these rules say "{setting:word}" ({cite:cite})'
    ),
    "no_winning_hand": (
        "these tiles make no winning hand: {lack}; check the tiles and the sets laid down"
    ),
    "lacks_pair": "the last two, {tiles:tile and}, are no pair",
    "lacks_sets": "{tiles:tile comma} fit into no set and no pair",
    "lacks_one_tile": "for {hand:word} all fit but the {tile:tile}",
    "lacks_shape": "neither four sets and a pair nor a special hand",
    "in_a_goulash": "in a goulash",
    "with_three_players": "with three players",
    "under_these_rules": "under these rules",
    # Penalties.
    "unknown_penalty": (
        "{kind:word}: no such penalty under these rules; known are {known:word comma}"
    ),
    "party_absent": "nobody sits as {seat:seat}",
    "victim_is_offender": "a fault is not done to oneself; name the other one",
    "no_victim": "{kind:word}: say to whom it was done",
    "penalty_without_discard": "{kind:word}: this goes only with a win on a discard",
    "offender_not_discarder": "{kind:word}: it is made by the player who gave the winning tile",
    "victim_not_winner": "{kind:word}: it is done to the winner",
    "penalty_given_twice": "{kind:word}: this is given twice; remove one",
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
    "fault_of_player": "player {player}, {field}: {fault}",
    "fault_of_deal": "the deal, {field}: {fault}",
    "no_object": "needs a JSON object, not {shown}",
    "unknown_key": "unknown key {shown}; known are {known:comma}",
    "missing_key": "is missing; it is required",
    "no_text": "needs a text, not {shown}",
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
    "number_too_long": "holds a number that is too long, or lists within lists without end",
    "key_twice": "is written twice in the same place: keep one of them",
    "no_json_number": "{text} is no number that JSON knows",
    "no_seat_in_claim": "{text!r} needs a seat and a value, such as S=352",
    "no_points_in_claim": "needs a whole number from 0 to {most}, not {text!r}",
    "no_winner_to_ask": "say with --seat whose hand; nobody has won",
    "no_option_in_text": "{text!r} needs the form option=value",
    "unreadable_hand": "{fault}; sets laid down are written as in 555m (7777z)",
    "hand_does_not_wait": "{count:n_tiles}, each kong counted as three; a hand waits with {wanted}",
    "tile_to_discard": (
        "{count:n_tiles}, each kong counted as three; a hand waits with {wanted}; leave out the "
        "one to be discarded"
    ),
}
"""A file that holds no deal, or a question on the command line that cannot be answered."""
