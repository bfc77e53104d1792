"""Whole games where the rule systems differ: what a draw does, the Jong, going broke."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scorer.deal import Win
from scorer.errors import GameError
from scorer.game.game import record
from scorer.game.hands import Agreed, Drawn, Transfer
from scorer.game.scoresheet import player_sheets, table_sheet
from scorer.tiles import parse_tiles
from tests.scorer.game.games import FOUR, THREE, claims, play, started
from tests.scorer.systems import MING, UK, WESTERN


def test_the_family_game_starts_with_points_and_ends_when_a_player_is_broke() -> None:
    """002: 2010 points each; the worked Woo of 17920 ends the game at once."""
    game = started(MING)
    assert game.totals == dict.fromkeys(FOUR.values(), 2010)
    game = record(game, claims(game, "Ann", Ann=17920, Bob=0, Cat=0, Dee=0))
    assert game.totals == {"Ann": 55770, "Bob": -15910, "Cat": -15910, "Dee": -15910}
    assert (game.next, game.ended, game.broke) == (None, "broke", ("Bob", "Cat", "Dee"))
    with pytest.raises(GameError, match="the game is over"):
        record(game, Drawn())


def test_a_player_with_nothing_left_is_broke() -> None:
    game = record(started(MING), Agreed("Bob", (Transfer("Ann", "Bob", 2009),)))
    assert (game.totals["Ann"], game.ended, game.broke) == (1, None, ())
    game = record(game, Agreed("Cat", (Transfer("Ann", "Cat", 1),)))
    assert (game.totals["Ann"], game.ended, game.broke) == (0, "broke", ("Ann",))
    assert game.next is None
    lent = started(MING, changes={"broke_ends": False, "start_points": 100})
    lent = record(lent, Agreed("Bob", (Transfer("Ann", "Bob", 900),)))
    assert (lent.totals["Ann"], lent.ended) == (-800, None)
    assert lent.broke == ("Ann",)


def test_winds_stay_with_the_players_while_the_jong_moves() -> None:
    game = play(started(MING), "BCC")
    assert game.next is not None
    assert dict(game.next.seats) == FOUR
    assert (game.next.dealer, game.next.dealer_wins) == ("W", 1)
    assert game.blank_deal().dealer == "W"
    with pytest.raises(GameError, match="is East, but it is West in this hand: set it to W"):
        record(game, replace(claims(game, "Ann"), dealer="E"))


def test_the_jong_pays_double_where_the_office_is() -> None:
    game = play(started(MING), "B")
    state = record(game, claims(game, "Dee", Ann=0, Bob=0, Cat=0, Dee=40)).hands[-1]
    assert state.gains == {"Ann": -40, "Bob": -80, "Cat": -40, "Dee": 160}


def test_a_drawn_hand_of_the_family_game_settles_differences_and_passes_the_jong() -> None:
    game = started(MING)
    with pytest.raises(GameError, match="differences are settled after a drawn hand") as caught:
        record(game, Drawn())
    assert (caught.value.hand, caught.value.field) == (1, "drawn")
    game = record(game, claims(game, None, Ann=8, Bob=4, Cat=4, Dee=0))
    assert game.hands[0].gains == {"Ann": 16, "Bob": 0, "Cat": 0, "Dee": -16}
    assert game.hands[0].winner is None
    assert game.next is not None
    assert (game.next.dealer, game.next.goulash) == ("S", False)
    assert table_sheet(game).start_points == 2010
    (sheet,) = player_sheets(game, "Ann")
    assert (sheet.brought_forward, sheet.carried_forward) == (2010, 2026)
    assert [row.note for row in sheet.rows] == [("drawn",)]


def test_the_family_game_needs_four() -> None:
    with pytest.raises(GameError, match="players: 3 given; 4 can play"):
        started(MING, THREE)


def test_winds_pass_after_a_draw_under_the_laws_of_1924() -> None:
    game = play(started(UK), "-")
    assert game.hands[0].transfers == ()
    assert game.next is not None
    assert (game.next.seats["E"], game.next.goulash) == ("Bob", False)
    three = play(started(UK, THREE), "BDA" * 3)
    assert (len(three.hands), three.ended) == (9, "rounds")


def test_no_goulash_where_none_is_played() -> None:
    game = play(started(WESTERN), "A-")
    assert game.next is not None
    assert (game.next.goulash, game.next.seats["E"], game.next.dealer_wins) == (False, "Ann", 1)


def test_a_hand_complete_as_dealt_is_whoever_dealt_be_it_the_jong_or_not() -> None:
    game = play(started(MING), "BC")
    assert game.next is not None
    assert (game.next.dealer, game.next.seats["W"]) == ("W", "Cat")
    tiles = tuple(parse_tiles("222444m555p888s11z"))
    deal = game.blank_deal()
    for seat, name in (("W", "Cat"), ("S", "Bob")):
        players = tuple(
            replace(player, concealed=tiles) if player.seat == seat else replace(player, claimed=0)
            for player in deal.players
        )
        dealt = replace(deal, players=players, win=Win(seat, None, "dealt"))
        assert record(game, dealt).hands[-1].winner == name
