"""Faults of a deal: what cannot be on a table, what cannot be understood."""

from __future__ import annotations

from typing import Final

FAULTS: Final = {
    # The table.
    "wrong_number_of_players": "{given} players given; {wanted:or} can play",
    "unknown_seat": "unknown seat {seat!r}; use one of {seats:word comma}",
    "seat_taken_twice": "is taken twice; give each player a seat of their own",
    "no_east": "nobody is East; one of the players must be",
    "dealer_not_east": "must be E: East pays and receives double here",
    "dealer_absent": "no player sits at {seat:word}",
    "unknown_word": "needs one of {allowed:word comma}, not {word!r}",
    "goulash_not_played": "no goulash is played under this ruleset; set it to false",
    # A player's tiles.
    "unknown_tile": "{code!r} is no tile that can be scored; correct or remove it",
    "not_a_bonus_tile": "{tile:tile} is no flower or season; put it with the other tiles",
    "bonus_tile_in_hand": "{tile:tile} belongs to no set; put it under bonus",
    "bonus_not_used": "flowers and seasons are not used under these rules; leave them out",
    "tiles_and_claim": "give either the tiles or a claimed total, not both",
    "claim_scores_nothing": "a hand that is {status:word} scores nothing",
    "wrong_meld": "{fault}; correct the {kind:word}",
    "second_chow": "{laid} laid down as chows, only {chows} may be allowed here",
    "no_chow_allowed": "{laid} laid down as chows, no chow is allowed here",
    "wrong_tile_count": (
        "{count} tiles, each kong counted as three; {wanted} are needed: add or remove tiles, or "
        "say too_few or too_many"
    ),
    "not_too_few": "is too_few, but there are {count} tiles, each kong counted as three",
    "not_too_many": "is too_many, but there are {count} tiles, each kong counted as three",
    "too_many_copies": (
        "makes {seen} of {tile:tile} over all hands; a set of tiles has {most}: check where one "
        "was misread"
    ),
    # The win.
    "winner_absent": "nobody sits there; choose the winner's seat",
    "unknown_winning_tile": "{tile!r} is no tile that can complete a hand; correct it",
    "winner_not_live": "is {status:word}; such a hand cannot go out",
    "winner_guilty": "a player guilty of wrong_claim cannot go out",
    "no_winning_tile": "is missing; name the winning tile",
    "winning_tile_not_held": (
        "{tile:tile} is not among the winner's concealed tiles; list it there"
    ),
    "last_tile_elsewhere": "goes with wall or discard, not with {source:word}",
    "first_turn_elsewhere": "goes only with a discard from East",
    "kongs_missing": "goes only with a loose tile and two kongs laid down",
    "dealt_impossible": "only East, without melds, wins as dealt",
    "original_call_dealt": "does not go with a dealt win",
    "no_giver": "is missing; say who gave the tile of the {source:word}",
    "needless_giver": "does not go with {source:word}; leave it out",
    "giver_is_winner": "is the winner; name the player who gave the tile",
    "giver_absent": "nobody sits at {seat:word}",
    "robbed_pung_missing": (
        "no exposed pung of {tile:tile} lies before {seat:word}, whose kong was robbed; write that "
        "player's set as a pung, or correct the tile"
    ),
    "robbed_kong_completes_not": (
        "a robbed kong cannot complete this hand, only a {allowed:word or_a}; correct the winning "
        "tile or its source"
    ),
    "no_winning_hand": (
        "these tiles make no winning hand: neither four sets and a pair nor a special hand; check "
        "the tiles and the sets laid down"
    ),
    # Penalties.
    "unknown_penalty": "{kind} is unknown to this ruleset; known are {known:word comma}",
    "party_absent": "nobody sits at {seat:word}",
    "victim_is_offender": "is the offender; name the other one",
    "no_victim": "{kind} needs a victim",
    "penalty_without_discard": "{kind} goes only with a win on a discard",
    "offender_not_discarder": "{kind}: the offender must be the player named in win.from",
    "victim_not_winner": "{kind}: the victim must be the winner",
    "penalty_given_twice": "{kind} is given twice",
    # Melds.
    "meld_size": "a {kind:word} has {size} tiles, not {tiles}",
    "no_sequence": "a chow is three tiles of one suit in sequence",
    "not_of_one_kind": "a {kind:word} is {size} tiles of one kind",
    "not_of_one_kind_wild": (
        "a {kind:word} is {size} tiles of one kind, one {wild} as a joker at most"
    ),
    # Questions about one hand.
    "nobody_there": "nobody sits there",
    "tiles_not_shown": "the tiles of this hand are not shown; list them instead",
    "hand_not_counted": "is {status:word}; such a hand is not counted",
    "has_gone_out": "has gone out; only another player's hand can wait",
    "cannot_wait": "is {status:word}; a hand waits with {tiles} tiles",
    "drawn_not_scored": "is null: a drawn hand is not scored",
}
"""Deals that cannot be; :class:`scorer.counting.faults.Fault` explains the first four groups."""

FORM: Final = {
    "fault_of_player": "player {player}, {field}: {fault}",
    "fault_of_deal": "the deal, {field}: {fault}",
    "no_object": "needs a JSON object, not {shown}",
    "unknown_key": "unknown key {shown}; known are {known:word comma}",
    "missing_key": "is missing; it is required",
    "no_text": "needs a text, not {shown}",
    "not_one_of": "needs one of {allowed:word comma}, not {shown}",
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
    "unreadable_hand": "{fault}; write tiles as in 123m 45p 5z, sets as in 555m (7777z)",
    "hand_does_not_wait": "{count} tiles, each kong counted as three; a hand waits with {wanted}",
    "tile_to_discard": (
        "{count} tiles, each kong counted as three; a hand waits with {wanted}; leave out the one "
        "to be discarded"
    ),
}
"""A file that holds no deal, or a question on the command line that cannot be answered."""
