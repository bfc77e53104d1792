"""What is said beside a score: awards, why a rule does not count, what a claim comes from."""

from __future__ import annotations

from typing import Final

AWARDS: Final = {
    "limit_1_1": "the limit of {limit}",
    "limit_1_2": "half the limit of {limit}",
    "limit_1_3": "a third of the limit of {limit}",
    "limit_1_5": "a fifth of the limit of {limit}",
    "limit_2_5": "two fifths of the limit of {limit}",
    "limit_share": "{share} of the limit of {limit}",
    "times_the_points": "{times} times the {points} points of the hand",
    "bonus_doubled": "{bonus} ({reasons:semicolon})",
    "on_whole_score": "{rule}, on the whole score",
    "points_times": "points x {times}",
    "points_given": "{points}",
}
"""What a special hand or fishing for it earns."""

WINS: Final = {
    "nobody_went_out": "nobody went out",
    "won_as_dealt": "{seat:seat} went out with the tiles as dealt",
    "won_unseen": "{seat:seat} went out; the tiles are not shown",
    "won_by_wall": "{seat:seat} went out with the {tile:tile}, drawn from the wall",
    "won_by_loose": "{seat:seat} went out with the {tile:tile}, drawn as a loose tile",
    "won_by_discard": "{seat:seat} went out with the {tile:tile} that {giver:seat} discarded",
    "won_on_some_discard": "{seat:seat} went out with the {tile:tile}, a discard",
    "won_by_robbed_kong": (
        "{seat:seat} went out with the {tile:tile} by robbing the kong of {giver:seat}"
    ),
    "won_robbing_some_kong": "{seat:seat} went out with the {tile:tile} by robbing a kong",
    "last_tile_won": "it was the last tile of the wall",
    "final_discard_won": "it was the final discard",
    "original_call_won": "fishing since the first discard",
    "first_turn_won": "it was East's first discard",
    "after_two_kongs_won": "it followed two kongs in a row",
    "claim_exposed": "exposed, because its last tile was claimed",
    "played_as_goulash": "a goulash: the {wild:tile} is the joker",
}
"""How a hand was won, and what that made of it."""

PARTS: Final = {
    "part_winner_score": "The winner's score",
    "part_winner_difference": "The difference from the winner's score",
    "part_difference": "The difference of their scores",
    "part_for_another": "{penalty}, in place of {seat:seat}",
    "part_paid_back": "{penalty}, paid back",
    "part_base": "The winner's hand",
    "part_counters": "Counters",
    "part_stick": "The stick laid down on declaring riichi",
    "part_noten": "Not ready after a drawn hand",
}
"""For what one player pays another."""

FAN: Final = {
    "fan_counted": "{fan} fan",
    "faan_counted": "{fan} faan",
    "han_counted": "{fan} han",
    "points_counted": "{fan} points",
    "fan_and_fu": "{fan}, {fu} fu",
    "limits_together": "Limit hands: {limits}",
    "fu_of_going_out": "Going out",
    "fu_rounded": "Rounded up to a multiple of {to}",
}
"""Hands counted in fan."""

DANGERS: Final = {
    "danger_pay_for_all": (
        "Anyone who discards one of these and so lets this player win pays the winner for everyone."
    ),
    "danger_reimburse": (
        "Anyone who discards one of these and so lets this player win pays the winner as usual, "
        "and pays the others back what they paid the winner."
    ),
}
"""Who pays for a discard that should not have been made, by the effect of its penalty."""

STATUSES: Final = {
    "status_scores_nothing": "{name:word}: the hand scores nothing",
    "status_not_mentioned": 'Scores nothing: these rules do not mention "{status:word}"',
}
"""Why a hand is worth nothing."""

REASONS: Final = {
    "not_played": "it is not played under these rules, unless a club switches it on",
    "no_such_row": "{ruleset} has no rule or special hand called {row!r}",
    "cannot_go_out": "the hand cannot go out",
    "not_made": "what the rule asks of the tiles, the sets or the wait",
    "worth_nothing": "it is worth nothing under these rules, unless a club gives it a value",
    "only_the_winner": "only the winner scores it",
    "only_winner_or_fishing": "only the winner and players who had called fishing score it",
    "bonus_does_not_count": "flowers and seasons do not count under these rules",
    "one_of_a_family": "only one way of going out is doubled",
    "beside_special_hands": "it is only added to the award for a special hand",
    "award_is_all": "the hand counts as {name:word}, so its sets bring only that award",
    "no_bonus_beside_award": "flowers and seasons add nothing to this award",
    "no_fishing_award": "nothing is paid for fishing for it",
    "wrong_count_fishing": "a hand with the wrong number of tiles gets no award for fishing",
    "fishing_not_called": "fishing was not called",
    "tiles_are_not": "the tiles are not what it needs: {description:word}",
    "brings_more": "{name:word} is worth {award}; {read} the hand is worth {total}, which is more",
    "brings_as_much": (
        "{name:word} is worth {award}; {read} the hand is worth {total}, which is just as much"
    ),
    "read_as_it_lies": "as it is",
    "read_as": "as {name:word}",
    "needs_winning_tile": "the winning tile is {tile:tile}",
    "needs_no_exposed_meld": "no exposed sets",
    "needs_drawn_tile": "the winning tile is drawn, not claimed",
    "needs_four_melds": "four sets and a pair",
    "chows_needed": "{condition}, and {when} there are none",
    "other_places": "{condition}, but the {tiles:tile or} would have done too",
    "wrong_tiles": "{condition} (in the way: {tiles:tile comma})",
    "shown_melds": "{condition} (exposed: {tiles:tile comma})",
    "shape_without_kong": "{shape}; a kong that is laid down cannot be part of it",
    "shape_lacks": "{shape}; that would be {lacking:tile comma} instead of {instead:tile comma}",
    "needed": "needed: {missing:semicolon}",
    "not_condition": "not: {condition}",
    "concealed_melds": "concealed {kinds:word or}",
    "exposed_melds": "exposed {kinds:word or}",
    "melds": "{kinds:word or}",
    "bonus_tile": "a flower or season",
    "class_any": "{melds}",
    "class_suit": "{melds} of a suit",
    "class_honour": "{melds} of winds or dragons",
    "class_minor": "{melds} of twos to eights",
    "class_major": "{melds} of ones, nines, winds or dragons",
    "class_dragon": "{melds} of dragons",
    "class_terminal_or_wind": "{melds} of ones, nines or winds",
    "class_own_wind": "{melds} of your own wind",
    "class_round_wind": "{melds} of the wind of the round",
    "class_own_bonus": "{melds} of your own number",
    "no_such_special_hand": "{ruleset} has no special hand {row!r}",
    "takes_too_long": "this takes too long to work out; please try again in a minute",
    "no_practice_hand": "no practice hand was found for {ruleset}",
}
"""Why a rule or a special hand does not count for a player."""

CONDITIONS: Final = {
    "condition_one_suit": "all suit tiles are of one suit",
    "condition_no_honours": "no winds or dragons",
    "condition_some_honours": "some winds or dragons",
    "condition_some_terminals": "some ones or nines",
    "condition_no_chow": "no chow",
    "condition_no_kong": "no kong",
    "condition_all_concealed": "no set exposed",
    "condition_all_majors": "no tiles from two to eight",
    "condition_all_honours": "winds and dragons only",
    "condition_all_terminals": "ones and nines only",
    "condition_all_green": "green tiles only",
    "condition_green_dragons": "a pung or kong of green dragons",
    "condition_four_kongs": "four kongs",
    "condition_four_chows": "four chows",
    "condition_scoreless": "sets and pair that score nothing",
    "condition_three_dragon_sets": "sets of all three dragons",
    "condition_four_wind_sets": "sets of all four winds",
    "condition_three_dragons": "two sets and a pair of dragons",
    "condition_four_winds": "three sets and a pair of winds",
    "condition_rest_in_one_suit": "the other sets and the pair in one suit",
    "condition_chows_allowed": "chows allowed in this hand",
    "condition_own_flower": "your own flower",
    "condition_own_season": "your own season",
    "condition_all_flowers": "all four flowers",
    "condition_all_seasons": "all four seasons",
    "condition_no_bonus": "no flower or season",
    "condition_dealer": "the player is the dealer",
    "condition_none_claimed": "nothing claimed before the winning tile",
    "condition_from_wall": "winning tile from the wall",
    "condition_drawn": "winning tile drawn",
    "condition_unclaimed": "winning tile drawn or dealt",
    "condition_last_tile_of_wall": "won with the last tile of the wall",
    "condition_last_tile_drawn": "won by drawing the last tile",
    "condition_final_discard": "won with the final discard",
    "condition_loose_tile": "won with a loose tile",
    "condition_robbed_kong": "won by robbing a kong",
    "condition_dealt": "won with the tiles as dealt",
    "condition_riichi": "riichi declared",
    "condition_double_riichi": "riichi declared with the first discard",
    "condition_ippatsu": "won within one turn of riichi",
    "condition_last_of_kind": "won with the last of its kind",
    "condition_last_tile": "won with the last tile",
    "condition_claimed": "won with a claimed tile",
    "condition_last_tile_claimed": "won with the last tile, claimed",
    "condition_original_call": "fishing since the first discard",
    "condition_first_turn": "won on East's first discard",
    "condition_after_two_kongs": "won after two kongs",
    "condition_only_place": "only one kind of tile could complete the hand",
    "condition_called_fishing": "fishing called, and another player went out",
}
"""Each condition of :data:`scorer.rules.conditions.CONDITIONS`, as something that a hand needs."""

CLAIMS: Final = {
    "other_reading_scores_it": (
        "read as {melds}, the hand scores it, but another reading scores more"
    ),
    "limit_left_out": "without the limit: {points} points doubled {times}",
    "doubled_otherwise": "{points} points doubled {claimed} instead of {times}",
    "without_line": 'without "{line}"',
    "without_lines": 'without "{line}" and without "{other}"',
    "with_rule": 'with "{rule}", which does not count: {reasons:semicolon}',
    "not_at_all": "not at all",
    "once": "once",
    "twice": "twice",
    "times": "{count} times",
    "reading_scores_more": "read as {melds}, the hand scores more",
    "does_not_hold": "{seat:seat} does not hold {tiles:tile comma}",
    "meld_stays": "{tiles} is laid down and remains a {kind:word}",
    "too_many_chows": "{chows} chows, but only {allowed} allowed",
    "chows_not_allowed": "{chows} chows, but none allowed",
    "no_such_reading": "these rules do not allow that reading",
}
"""By which mistake or other reading a claim would be reached."""
