"""All tiles of a deal decided together on the page, and the questions that follow."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.webapp.fakes import DEAL, read_as, reading_of
from vision.messages import say
from webapp.deal.edits import change_tile, with_player
from webapp.deal.for_scorer import table_facts
from webapp.deal.state import DealState, Player, Tile, Win, from_json, new_deal, to_json
from webapp.joint.decision import (
    accept,
    decline,
    tiles_missing,
    with_decision,
    with_winner_by_size,
)
from webapp.joint.decision_words import reason_words
from webapp.joint.questions import questions_of, repairs_of, versions_for
from webapp.language.kept import kept
from webapp.photos.from_reading import tiles_from_reading

PLAYERS: dict[str, dict[str, Any]] = {p["seat"]: p for p in DEAL["players"]}


def whole_deal(**misread: dict[int, tuple[str, str, float]]) -> DealState:
    """The deal as photographed; ``misread`` tiles were read as one label with some confidence."""
    state = table_facts(DEAL)
    for seat, true in PLAYERS.items():
        reading = reading_of(true, {})
        faults = misread.get(seat, {})
        shown = [tile for tile in reading["tiles"] if tile["row"] == 1]
        for index, (label, other, confidence) in faults.items():
            rest = round(0.999 - confidence, 4)
            shown[index] |= {
                "label": label,
                "confidence": confidence,
                "alternatives": [[label, confidence], [other, rest]],
            }
        for tile in reading["tiles"]:
            tile["alternatives"] = [[a, p] for a, p in tile["alternatives"] if p > 0.005]
        state = with_player(state, tiles_from_reading(Player(seat), read_as(reading), "photo"))
    return state


def decision_of(state: DealState, **copies: int) -> DealState:
    """The deal decided with a tile set that has so many of each face named as ``n1f`` and so on."""
    return with_decision(state, {name[1:]: count for name, count in copies.items()})


def labels_of(state: DealState, seat: str) -> list[str]:
    return [tile.label for tile in state.player(seat).in_place("hand")]


def test_a_clean_deal_is_left_as_it_was_read() -> None:
    state = whole_deal()
    assert decision_of(state).players == state.players
    assert questions_of(decision_of(state)) == ()


def test_a_winners_tile_is_put_right_and_says_so() -> None:
    read = whole_deal(S={2: ("5s", "6s", 0.6)})
    decided = decision_of(read)
    assert labels_of(decided, "S") == ["6s", "6s", "6s", "8s", "8s"]
    (repair,) = repairs_of(decided)
    assert (repair.tile.camera, repair.tile.label) == ("5s", "6s")
    assert repair.tile.odds > 100
    assert "winning hand" in repair.tile.why


def test_a_tile_that_a_person_has_named_is_never_read_otherwise() -> None:
    state = whole_deal(S={2: ("5s", "6s", 0.6)})
    player = state.player("S")
    wrong = next(tile for tile in player.tiles if tile.label == "5s")
    state = decision_of(with_player(state, change_tile(player, wrong.id, "5s")))
    assert labels_of(state, "S").count("5s") == 1
    assert repairs_of(state) == ()


def test_a_fifth_copy_is_put_right_whoever_holds_it() -> None:
    misread = {5: ("2z", "9m", 0.55)}
    state = whole_deal(N=misread)
    player = state.player("W")
    extra = replace(player.tiles[0], label="2z", alternatives=(("2z", 0.995),))
    west = replace(player, tiles=(extra, *player.tiles[1:]))
    decided = decision_of(replace(with_player(state, west), win=Win()))
    assert "9m" in labels_of(decided, "N")
    (repair,) = repairs_of(decided)
    assert "the set has 4" in repair.tile.why


def test_a_lawful_hand_is_no_reason_to_read_otherwise() -> None:
    state = decision_of(whole_deal(S={2: ("8s", "6s", 0.97)}))
    assert labels_of(state, "S") == ["6s", "6s", "8s", "8s", "8s"]
    assert repairs_of(state) == ()


def test_the_tiles_least_sure_are_asked_about_first() -> None:
    state = replace(whole_deal(N={3: ("7m", "8m", 0.8), 9: ("4z", "3z", 0.6)}), win=Win())
    asked = questions_of(decision_of(state))
    assert [question.tiles[0].label for question in asked] == ["4z", "7m"]
    assert asked[0].choices == ("4z", "3z")


@pytest.fixture
def doubtful() -> DealState:
    """A fifth 1z: which of two equally doubtful tiles it is cannot be told."""
    state = whole_deal()
    east = state.player("E")
    spare = [
        Tile(
            f"x{n}", "1z", confidence=0.6, checked=False, alternatives=(("1z", 0.6), (other, 0.39))
        )
        for n, other in enumerate(("9m", "9p", "3s"))
    ]
    others = [tile for tile in east.tiles if tile.label not in ("1m", "2m", "3m")]
    return decision_of(
        replace(with_player(state, replace(east, tiles=(*others, *spare))), win=Win(drawn=True))
    )


def test_too_many_of_a_face_are_one_question_with_every_one_of_them(doubtful: DealState) -> None:
    """A fifth may be any of the five; what each is otherwise is said by all tiles of the deal."""
    (question, *others) = questions_of(doubtful)
    assert [suspect.tile.label for suspect in question.suspects] == ["1z"] * 5
    assert [suspect.other for suspect in question.suspects[:3]] == ["9m", "9p", "3s"]
    assert others == [], "none of them is asked about twice"
    assert versions_for(doubtful, "E") == (question,)
    assert versions_for(doubtful, "S") == ()
    wrong = question.suspects[0]
    east = change_tile(doubtful.player("E"), wrong.tile.id, wrong.other)
    mended = decision_of(with_player(doubtful, east))
    assert not any(q.suspects for q in questions_of(mended))
    assert not any(q.suspects for q in questions_of(doubtful, {"1z": 5})), "this set has five"


def test_a_suggestion_is_taken_over_or_turned_down_with_one_tap(doubtful: DealState) -> None:
    number = 0
    change = doubtful.suggestions[number].changes[0]
    taken = decision_of(accept(doubtful, number))
    tile = next(t for t in taken.player(change.seat).tiles if t.id == change.tile)
    assert (tile.label, tile.checked) == (change.label, True)
    kept = decision_of(decline(doubtful, number))
    tile = next(t for t in kept.player(change.seat).tiles if t.id == change.tile)
    assert (tile.label, tile.checked) == (change.read, True)
    with pytest.raises(IndexError):
        accept(doubtful, 99)


def test_suggestions_are_stored_with_the_deal(doubtful: DealState) -> None:
    assert from_json(to_json(doubtful)) == doubtful
    assert doubtful.suggestions


def test_the_only_hand_of_fourteen_is_the_winners() -> None:
    state = replace(whole_deal(), win=Win())
    assert with_winner_by_size(state).win == Win(seat="S")
    assert with_winner_by_size(replace(state, win=Win(drawn=True))).win.drawn
    south = state.player("S")
    fewer = tuple(tile for tile in south.tiles if tile != south.in_place("hand")[0])
    short = with_player(state, replace(south, tiles=fewer))
    assert with_winner_by_size(short).win == Win()
    assert south.hand_size == 14


def test_the_only_whole_hand_is_the_winners_though_the_others_are_not_there_yet() -> None:
    state = replace(whole_deal(), win=Win())
    west = state.player("W")
    without = with_player(state, replace(west, tiles=(), melds=()))
    assert with_winner_by_size(without).win == Win(seat="S")
    south = without.player("S")
    first, second, *others = south.in_place("hand")
    other = next(tile for tile in others if tile.label != first.label)
    broken = replace(second, label="9s" if other.label != "9s" else "1z")
    tiles = tuple(broken if tile.id == second.id else tile for tile in south.tiles)
    unlike = with_player(without, replace(south, tiles=tiles))
    assert with_winner_by_size(unlike).win == Win()


def test_of_two_hands_of_fourteen_the_only_complete_one_is_the_winners() -> None:
    state = replace(whole_deal(), win=Win())
    west = state.player("W")
    stray = replace(west.in_place("hand")[0], id="t99")
    both = with_player(state, replace(west, tiles=(*west.tiles, stray)))
    assert [both.player(seat).hand_size for seat in "SW"] == [14, 14]
    assert with_winner_by_size(both).win == Win(seat="S")


def turned(state: DealState, seat: str, index: int) -> DealState:
    """The deal with one tile in a player's hand laid across the others."""
    player = state.player(seat)
    tile = player.in_place("hand")[index]
    assert tile.quad is not None
    (x, y), *_ = tile.quad
    across = replace(tile, quad=((x + 80, y), (x + 80, y + 60), (x, y + 60), (x, y)))
    tiles = tuple(across if t == tile else t for t in player.tiles)
    return with_player(state, replace(player, tiles=tiles))


def test_the_winning_tile_is_the_one_that_lies_turned_until_another_is_told() -> None:
    state = decision_of(replace(turned(whole_deal(), "S", 3), win=Win(seat="S")))
    south = state.player("S")
    lying = south.in_place("hand")[3]
    assert state.win.tile == lying.label == "8s"
    assert decision_of(replace(state, win=Win(seat="S", tile="6s"))).win.tile == "6s"
    named = with_player(state, change_tile(south, lying.id, "9s"))
    assert decision_of(named).win.tile == "8s", "the winner has another of it"
    alone = replace(state, win=Win(seat="S", tile="1p"))
    assert decision_of(alone).win.tile == "8s", "nobody went out with a tile that is not there"
    assert decision_of(replace(whole_deal(), win=Win(seat="S"))).win.tile is None


def test_a_kong_that_is_not_shown_is_asked_once_and_named_at_once() -> None:
    reading = reading_of(PLAYERS["S"], {})
    for tile in reading["tiles"][6:10]:
        tile |= {"label": "back", "alternatives": [["back", 0.99]]}
    reading["hands"][0]["melds"][2]["tiles"] = ["back"] * 4
    state = with_player(
        table_facts(DEAL), tiles_from_reading(Player("S"), read_as(reading), "photo")
    )
    state = decision_of(state)
    (question,) = questions_of(state)
    assert question.hidden
    assert len(question.tiles) == 4
    south = change_tile(state.player("S"), question.tiles[1].id, "7z")
    assert [tile.label for tile in south.in_place("s3")] == ["7z"] * 4
    assert questions_of(decision_of(with_player(state, south))) == ()


def test_an_empty_deal_needs_no_decision() -> None:
    state = new_deal(("E", "S", "W", "N"))
    assert decision_of(state) == state


def test_reasons_are_told_in_the_pages_language(app: Any) -> None:
    with app.test_request_context():
        surplus = say("decision.surplus", count=5, face="1z", limit=4)
        assert reason_words(kept(surplus)) == "5 tiles were read as East wind; the set has 4."
        size = say("decision.hand_size", player="E", size=13)
        assert (
            reason_words(kept(size))
            == "That makes 13 tiles in the hand, counting each set as three."
        )
        other = kept(say("decision.other_repairs"))
        assert reason_words(other) == "It follows from the other tiles."
        earlier = "So East's hand has 13 tiles, counting each set as three."
        assert reason_words(earlier) == earlier, "as an older version kept it"


def put_right(state: DealState, seat: str, read: str, label: str) -> DealState:
    """A person names one of a player's tiles that were read as something else."""
    player = state.player(seat)
    tile = next(t for t in player.tiles if t.label == read and not t.checked)
    return decision_of(with_player(state, change_tile(player, tile.id, label)))


def misread_alike() -> DealState:
    """All of East's, South's and West's nines of circles are ones, and one of East's is clear."""
    shown = {"E": ["9p", "1p", "5m"], "S": ["9p", "9p"], "W": ["9p"]}
    other = {"9p": "1p", "1p": "9p", "5m": "6m"}
    state = table_facts(DEAL)
    for seat, labels in shown.items():
        tiles = tuple(
            Tile(
                f"t{n}",
                label,
                confidence=0.95,
                checked=False,
                alternatives=((label, 0.95), (other[label], 0.03)),
            )
            for n, label in enumerate(labels)
        )
        state = with_player(state, Player(seat, tiles=tiles))
    return replace(state, win=Win())


def asked_of(state: DealState) -> list[str]:
    """Whose tiles are asked about, once for each."""
    return [change.seat for found in state.suggestions for change in found.changes]


def test_what_is_said_of_one_tile_is_asked_of_those_read_alike() -> None:
    assert asked_of(decision_of(misread_alike())) == []
    state = put_right(misread_alike(), "E", "9p", "1p")
    assert asked_of(state) == ["S", "S", "W"]
    assert {(c.read, c.label) for s in state.suggestions for c in s.changes} == {("9p", "1p")}
    assert reason_words(state.suggestions[0].reason).startswith("Another tile read as")
    (own,) = versions_for(state, "S")
    assert [tile.label for tile in own.tiles] == ["9p", "9p"]
    assert versions_for(state, "E") == ()


def test_an_answer_about_tiles_read_alike_is_taken_over_or_turned_down() -> None:
    state = put_right(misread_alike(), "E", "9p", "1p")
    taken = decision_of(accept(state, 0))
    assert [tile.label for tile in taken.player("S").tiles] == ["1p", "1p"]
    assert asked_of(taken) == [], "the set has no fifth"
    kept = decision_of(decline(state, 0))
    assert [tile.label for tile in kept.player("S").tiles] == ["9p", "9p"]
    assert asked_of(kept) == ["W"]


@pytest.mark.parametrize("label", ["9p", "1s", "1f"])
def test_nothing_is_asked_of_others_that_cannot_be_meant(label: str) -> None:
    """The camera was right, or saw no likeness, or no two of the kind exist."""
    assert asked_of(put_right(misread_alike(), "E", "9p", label)) == []


def test_tiles_are_missing_where_some_of_a_hand_were_found() -> None:
    east = whole_deal().player("E")
    assert tiles_missing(east) == 0
    fewer = replace(east, tiles=tuple(t for t in east.tiles if t != east.in_place("hand")[0]))
    assert tiles_missing(fewer) == tiles_missing(east) + 1 + (13 - east.hand_size)
    assert tiles_missing(replace(fewer, claimed=40)) == 0
    assert tiles_missing(replace(fewer, status="dead")) == 0
    assert tiles_missing(Player("E")) == 0


def doubtful_flower() -> DealState:
    """South's flower read as the first one with some confidence."""
    state = whole_deal()
    south = state.player("S")
    tiles = tuple(
        replace(t, label="1f", confidence=0.6, alternatives=(("1f", 0.6), ("3f", 0.39)))
        if t.place == "bonus"
        else t
        for t in south.tiles
    )
    return with_player(state, replace(south, tiles=tiles))


def test_a_face_that_the_tile_set_lacks_is_not_decided_on() -> None:
    state = doubtful_flower()
    (usual,) = decision_of(state).player("S").in_place("bonus")
    assert (usual.label, usual.camera) == ("1f", "")
    (lacking,) = decision_of(state, n1f=0).player("S").in_place("bonus")
    assert (lacking.label, lacking.camera) == ("3f", "1f")
    assert decision_of(decision_of(state, n1f=0), n1f=0) == decision_of(state, n1f=0)


@pytest.mark.parametrize("copies", [{}, {"n6p": 5}, {"n6p": 3}])
def test_others_read_alike_are_asked_about_if_the_tile_set_has_so_many(
    copies: dict[str, int],
) -> None:
    tiles = [Tile(f"t{n}", "6p", checked=True, confidence=1.0) for n in range(3)]
    read = (("5p", 0.9), ("6p", 0.09))
    tiles[0] = replace(tiles[0], alternatives=read)
    tiles.append(Tile("t3", "5p", checked=False, confidence=0.9, alternatives=read))
    state = with_player(new_deal(("E", "S", "W", "N")), Player("E", tiles=tuple(tiles)))
    asked = [
        change.label
        for found in decision_of(state, **copies).suggestions
        for change in found.changes
    ]
    assert asked == ([] if copies == {"n6p": 3} else ["6p"])
