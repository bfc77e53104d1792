from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from scorer.tiles import READING_LABELS, parse_tiles
from tests.vision.table import PITCH, TILE_WIDTH, Laid, lay, rotation, see, shuffled, tile, turned
from vision.layout.arrange import arrange
from vision.layout.by_place import BonusGuess
from vision.vocabulary.readings import HandReading

HAND = "123m 456p 789s 1155z 2z"
TEN = "123m 45p 99s 115z"


def hand_of(laid: Laid) -> HandReading:
    layout = arrange(laid.quads, laid.labels)
    assert len(layout.hands) == 1
    return layout.hands[0]


def melds_of(hand: HandReading) -> list[tuple[str, str, bool]]:
    return [(meld.kind, " ".join(meld.tiles), meld.concealed) for meld in hand.melds]


def test_one_touching_row_is_the_hand() -> None:
    hand = hand_of(lay(HAND))
    assert hand == HandReading(0, tuple(parse_tiles(HAND)), (), ())


def test_no_tiles_make_no_hand() -> None:
    layout = arrange(np.empty((0, 4, 2), np.float32), [])
    assert layout.rows == ()
    assert layout.hands == ()


def test_sets_in_front_of_the_hand_are_exposed() -> None:
    hand = hand_of(lay("777z|456m", "1122p 333s"))
    assert melds_of(hand) == [("pung", "7z 7z 7z", False), ("chow", "4m 5m 6m", False)]
    assert hand.concealed == tuple(parse_tiles("1122p333s"))
    assert hand.row == 1


def test_sets_beside_the_hand_after_a_gap_are_exposed() -> None:
    hand = hand_of(lay("1122p 333s|777z|5555m"))
    assert melds_of(hand) == [("pung", "7z 7z 7z", False), ("kong", "5m 5m 5m 5m", False)]
    assert hand.concealed == tuple(parse_tiles("1122p333s"))


@pytest.mark.parametrize("apart", [0.0, 0.3])
def test_a_pair_with_one_tile_across_is_a_hand(apart: float) -> None:
    laid = lay("777z|456m|333s|888p", "1p|-1p")
    quads = laid.quads.copy()
    quads[-1, :, 0] += apart * TILE_WIDTH
    hand = hand_of(replace(laid, quads=quads))
    assert len(hand.melds) == 4
    assert hand.concealed == ("1p", "1p")


def test_touching_sets_in_front_of_the_hand_are_told_apart() -> None:
    hand = hand_of(lay("777z 456m 9999p", "2233s"))
    assert [meld[1] for meld in melds_of(hand)] == ["7z 7z 7z", "4m 5m 6m", "9p 9p 9p 9p"]
    assert hand.concealed == tuple(parse_tiles("2233s"))


def test_a_run_laid_in_any_order_is_a_chow() -> None:
    assert melds_of(hand_of(lay("4m6m5m", HAND))) == [("chow", "4m 5m 6m", False)]


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ("back 8s 8s back", ("kong", "8s 8s 8s 8s", True)),
        ("8s back back 8s", ("kong", "8s 8s 8s 8s", True)),
        ("8s 8s 8s back", ("kong", "8s 8s 8s 8s", True)),
        ("back back back 8s", ("kong", "8s 8s 8s 8s", True)),
        ("back back back back", ("kong", "back back back back", True)),
        ("8s back 8s", ("pung", "8s 8s 8s", True)),
        ("8s 8s 8s", ("pung", "8s 8s 8s", False)),
    ],
)
def test_face_down_tiles_show_a_concealed_set(shown: str, expected: tuple[str, str, bool]) -> None:
    assert melds_of(hand_of(lay(shown, TEN))) == [expected]


@pytest.mark.parametrize("shown", ["889s", "8s 9s 1s", "back back 8s", "5z 6z 7z", "8s 8s 8s 9s"])
def test_three_or_four_tiles_apart_that_complete_the_hand_are_a_set_to_be_checked(
    shown: str,
) -> None:
    hand = hand_of(lay(shown, TEN))
    assert hand.melds == ()
    assert hand.concealed == tuple(parse_tiles(shown) + parse_tiles(TEN))
    (apart,) = [part for part in hand.parts if part.role == "set"]
    assert apart.meld is None
    assert "do not make a set: check them" in str(apart.reason)


@pytest.mark.parametrize("shown", ["88s", "889s", "8s 9s 1s", "8s 8s 8s 9s"])
def test_what_is_no_set_and_would_be_too_many_is_left_aside(shown: str) -> None:
    laid = lay(shown, HAND)
    layout = arrange(laid.quads, laid.labels)
    assert layout.hands[0].concealed == tuple(parse_tiles(HAND))
    assert sorted(layout.strays) == list(range(len(parse_tiles(shown))))


def test_a_hand_in_two_rows_is_one_hand() -> None:
    hand = hand_of(lay("123m 456p 2z", "78s 1155z"))
    assert hand.concealed == tuple(parse_tiles("123m 456p 2z 78s 1155z"))


def test_a_long_row_of_backs_is_a_wall_and_four_are_a_kong() -> None:
    hand = hand_of(lay("back " * 9, TEN, "back " * 4))
    assert melds_of(hand) == [("kong", "back back back back", True)]
    assert hand.concealed == tuple(parse_tiles(TEN))
    assert "kong whose tile is not shown" in str(hand.parts[1].reason)


def test_tiles_thrown_at_any_angle_are_nobodys() -> None:
    laid = lay("777z", TEN)
    places = [
        (300, -150, 20),
        (420, -210, 75),
        (560, -140, 130),
        (690, -220, 200),
        (800, -160, 300),
    ]
    thrown = [tile(x, y, degrees=degrees) for x, y, degrees in places]
    quads = np.concatenate([laid.quads, np.array(thrown)])
    layout = arrange(quads, [*laid.labels, "1p", "1p", "1f", "9s", "back"])
    assert replace(layout.hands[0], row=1) == hand_of(laid)
    assert layout.strays == ()


def test_a_pair_nearer_to_the_player_is_the_hand_rather_than_a_tile_beyond_the_sets() -> None:
    laid = lay("3z", "222s | 999s | 345p | 777s", "88m")
    laid.quads[-2:] += [100.0, 150.0]
    assert hand_of(laid).concealed == ("8m", "8m")


@pytest.mark.parametrize(("face", "taken"), [("5z", False), ("6z", True)])
def test_what_may_be_sides_is_no_set_beside_a_whole_hand(face: str, *, taken: bool) -> None:
    beside = f"{face} {face} {face}"
    whole = hand_of(lay(f"777z|456m|{beside}", "1122p 333s"))
    assert (("pung", beside, False) in melds_of(whole)) == taken
    lacking = hand_of(lay(f"777z|{beside}", "1122p 333s"))
    assert ("pung", beside, False) in melds_of(lacking)


def test_a_sideways_tile_in_a_set_of_three_belongs_to_it() -> None:
    laid = lay("33s|- 3s", TEN)
    assert melds_of(hand_of(laid)) == [("pung", "3s 3s 3s", False)]


@pytest.mark.parametrize("turned_in", [(), (1, 2)])
def test_backs_taken_for_white_dragons_lie_as_a_set_laid_apart(turned_in: tuple[int, ...]) -> None:
    laid = lay("8s 5z 5z 8s|888m", "234p 777p 33z")
    quads = laid.quads.copy()
    for index in turned_in:
        quads[index] = np.roll(quads[index], 1, axis=0)
    hand = hand_of(Laid(laid.labels, quads))
    assert [part.tiles for part in hand.parts if part.role == "set"] == [(0, 1, 2, 3), (4, 5, 6)]
    assert hand.parts[0].meld is None


def test_a_hand_that_lies_for_the_player_opposite_is_told_from_discards() -> None:
    laid = lay("1p 7p 1z 3p 1m 2z", "7z 1z 3z 3z", "777z|456m|8888s", "2z 4z 7z 9m")
    quads = np.roll(laid.quads, 2, axis=1)
    quads[10:13] = laid.quads[10:13]
    quads[:10] -= [0, 150]
    assert sorted(hand_of(Laid(laid.labels, quads)).concealed) == ["2z", "4z", "7z", "9m"]


def test_a_face_down_tile_too_many_in_the_row_is_left_aside() -> None:
    hand = hand_of(lay("777z", "123m 45p 99s 1155z back"))
    assert hand.concealed == tuple(parse_tiles("123m 45p 99s 1155z"))
    assert melds_of(hand) == [("pung", "7z 7z 7z", False)]
    kept = hand_of(lay("777z", "123m 45p 99s 11z back"))
    assert kept.concealed == tuple(parse_tiles("123m 45p 99s 11z back"))


def test_the_players_opposite_are_told_apart_though_all_tiles_are_read_alike() -> None:
    near, far = lay("123m 456p 789s 1155z"), lay("234m 567p 678s 2266z")
    left = turned(lay("345m 123p 345s 3377z"), 90.0)
    high = far.quads - [0, 1000]
    aside = left.quads - left.quads.reshape(-1, 2).mean(axis=0) + [-200, -400]
    quads = np.concatenate([near.quads, high, aside]).astype(np.float32)
    hands = arrange(quads, [*near.labels, *far.labels, *left.labels]).hands
    assert [hand.position for hand in hands] == ["near", "far", "left"]


def test_sets_and_bonus_tiles_alone_are_a_hand_without_a_row() -> None:
    hand = hand_of(lay("back 8s 8s back|1f"))
    assert hand.concealed == ()
    assert melds_of(hand) == [("kong", "8s 8s 8s 8s", True)]
    assert hand.bonus == ("1f",)


def test_a_wall_alone_is_no_hand() -> None:
    laid = lay("back " * 12)
    assert arrange(laid.quads, laid.labels).hands == ()


def test_each_part_of_a_hand_tells_why_and_how_surely() -> None:
    laid = lay("777z|1f", TEN)
    hand = hand_of(laid)
    assert [(part.role, len(part.tiles)) for part in hand.parts] == [
        ("set", 3),
        ("bonus", 1),
        ("hand", 10),
    ]
    assert all(0.5 < part.confidence <= 1 and str(part.reason).endswith(".") for part in hand.parts)
    assert [laid.labels[index] for index in hand.parts[0].tiles] == ["7z"] * 3


def test_bonus_tiles_are_found_wherever_they_lie() -> None:
    hand = hand_of(lay("1f3y|777z", "123m 2y 456p 99s 1z 4f"))
    assert hand.bonus == ("1f", "3y", "2y", "4f")
    assert melds_of(hand) == [("pung", "7z 7z 7z", False)]
    assert hand.concealed == tuple(parse_tiles("123m456p99s1z"))


def test_bonus_tiles_touching_a_set_do_not_hide_it() -> None:
    hand = hand_of(lay("1f 777z", HAND))
    assert hand.bonus == ("1f",)
    assert melds_of(hand) == [("pung", "7z 7z 7z", False)]


def test_four_exposed_sets_leave_a_single_tile_in_hand() -> None:
    hand = hand_of(lay("111m|222m|333m|444m", "5m"))
    assert len(hand.melds) == 4
    assert hand.concealed == ("5m",)
    assert hand.row == 1


def test_a_lone_set_is_taken_for_the_hand() -> None:
    hand = hand_of(lay("777z"))
    assert hand.melds == ()
    assert hand.concealed == ("7z", "7z", "7z")


@pytest.mark.parametrize("order", list(permutations(("6666m", "6666z", "8888s", "7777m"))))
def test_four_kongs_alone_are_sets_and_no_hand(order: tuple[str, ...]) -> None:
    hand = hand_of(lay(*order))
    assert hand.concealed == ()
    assert [meld.kind for meld in hand.melds] == ["kong"] * 4


def test_sets_alone_are_a_hand_though_one_is_a_kong() -> None:
    hand = hand_of(lay("7777z|456m|333s|888p"))
    assert hand.concealed == ()
    assert [meld.kind for meld in hand.melds] == ["kong", "chow", "pung", "pung"]


@pytest.mark.parametrize("degrees", [0.0, 90.0])
@pytest.mark.parametrize("gap", [80.0, 150.0, 200.0])
def test_a_pair_laid_apart_belongs_to_the_hand_that_lacks_it(gap: float, degrees: float) -> None:
    row = lay("123m 456p 789s 111z")
    x = row.quads[-1, :, 0].max() + gap
    pair = [
        tile(x + TILE_WIDTH / 2, 140.0 + 64 * place, degrees=90.0)
        if degrees
        else tile(x + TILE_WIDTH / 2 + 64 * place, 100.0)
        for place in range(2)
    ]
    laid = Laid([*row.labels, "2z", "2z"], np.concatenate([row.quads, np.stack(pair)]))
    hand = hand_of(laid)
    assert len(hand.concealed) + 3 * len(hand.melds) == 14
    assert hand.concealed[-2:] == ("2z", "2z")


def test_a_pair_beside_a_whole_hand_is_left_aside() -> None:
    assert len(hand_of(lay("123m 456p 789s 11155z|22z")).concealed) == 14


def test_a_tile_turned_sideways_belongs_to_its_row() -> None:
    laid = lay("123m 456p 789s 1155z|- 2z")
    layout = arrange(laid.quads, laid.labels)
    assert len(layout.rows) == 1
    assert layout.hands[0].concealed == tuple(parse_tiles(HAND))


@pytest.mark.parametrize(("pung", "across"), [("-5s|55s", 0), ("5s|-5s|5s", 1), ("55s|-5s", 2)])
@pytest.mark.parametrize(("beside", "hand"), [("", TEN), ("|777z", "123m 45p 99s")])
@pytest.mark.parametrize("degrees", [0, 35, 180])
def test_a_tile_added_to_a_claimed_pung_makes_a_kong(
    pung: str, across: int, beside: str, hand: str, degrees: float
) -> None:
    laid = lay(pung + beside, hand, gap=0.0)
    added = laid.quads[across] - np.array([0, PITCH], np.float32)
    laid = Laid([*laid.labels, "5s"], np.concatenate([laid.quads, added[np.newaxis]]))
    found = melds_of(hand_of(turned(laid, degrees)))
    assert ("kong", "5s 5s 5s 5s", False) in found
    assert len(found) == 1 + bool(beside)


def test_a_sideways_tile_belongs_to_a_set_that_is_seen_from_low_down() -> None:
    laid = lay("56p|- 4p", TEN)
    quads, middle = laid.quads.copy(), laid.quads[:3].mean(axis=(0, 1))
    from_low_down = np.array([[1.0, 0.0], [-0.6, 0.4]], np.float32)
    quads[:3] = (quads[:3] - middle) @ from_low_down + middle
    assert melds_of(hand_of(Laid(laid.labels, quads))) == [("chow", "4p 5p 6p", False)]


def test_loosely_laid_tiles_are_one_hand() -> None:
    tiles = lay("1m|2m|5p|8s|9s|3z|7z|7z", gap=15.0)
    assert len(hand_of(tiles).concealed) == 8
    assert len(arrange(tiles.quads, tiles.labels).rows[0].groups) == 1


def test_tiles_read_upside_down_do_not_disturb_the_order() -> None:
    laid = lay(HAND)
    quads = laid.quads.copy()
    for index in (0, 5, 9):
        quads[index] = np.roll(quads[index], 2, axis=0)
    assert hand_of(Laid(laid.labels, quads)).concealed == tuple(parse_tiles(HAND))


def test_labels_must_match_quads() -> None:
    with pytest.raises(ValueError, match="2 quads cannot have 1 labels"):
        arrange(lay("12m").quads, ["1m"])


TABLES = [
    lay(HAND),
    lay("777z|456m", "1122p 333s"),
    lay("1122p 333s|777z|5555m"),
    lay("1f3y", "back 8s 8s back|777z", "123m 456p"),
    lay("123m 456p 789s 1155z|- 2z"),
    lay("111m|222m|333m|444m", "5m 5m", "1f"),
]


@pytest.mark.parametrize("laid", TABLES)
@given(
    degrees=st.floats(0, 360),
    scale=st.floats(0.2, 5),
    order=st.randoms(use_true_random=False),
)
@settings(max_examples=40, deadline=None)
def test_turning_scaling_and_order_of_finding_change_nothing(
    laid: Laid, degrees: float, scale: float, order: object
) -> None:
    before = hand_of(laid)
    places = list(range(len(laid.labels)))
    order.shuffle(places)  # type: ignore[attr-defined]
    view = turned(laid, degrees)
    moved = shuffled(Laid(view.labels, (view.quads * scale).astype(np.float32)), places)
    assert hand_of(moved) == before


def perspective(tilt: float, degrees: float) -> NDArray[np.float64]:
    """A look at the table from the side: what is far gets smaller."""
    matrix = np.eye(3)
    matrix[:2, :2] = rotation(degrees)
    matrix[2, 1] = -tilt
    return matrix


@pytest.mark.parametrize("laid", TABLES)
@pytest.mark.parametrize("tilt", [-0.0005, 0.0003, 0.0006])
@pytest.mark.parametrize("degrees", [-20.0, 0.0, 35.0])
def test_a_look_from_the_side_changes_nothing(laid: Laid, tilt: float, degrees: float) -> None:
    centred = Laid(laid.labels, laid.quads - laid.quads.reshape(-1, 2).mean(axis=0))
    assert hand_of(see(centred, perspective(tilt, degrees))) == hand_of(laid)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_careless_laying_changes_nothing(seed: int) -> None:
    laid = TABLES[1]
    random = np.random.default_rng(seed)
    quads = laid.quads.copy()
    for quad in quads:
        centre = quad.mean(axis=0)
        turn = rotation(random.uniform(-6, 6))
        quad[:] = (quad - centre) @ turn.T + centre + random.uniform(-4, 4, 2)
    assert hand_of(Laid(laid.labels, quads)) == hand_of(laid)


@given(
    quads=st.lists(
        st.lists(
            st.tuples(st.floats(-50, 4000, width=32), st.floats(-50, 4000, width=32)),
            min_size=4,
            max_size=4,
        ),
        max_size=8,
    ),
    labels=st.lists(st.sampled_from(READING_LABELS), min_size=8, max_size=8),
)
@example(quads=[[(0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 2.0**-52)]], labels=["1m"] * 8)
@settings(max_examples=60, deadline=None)
def test_whatever_is_found_each_tile_lies_in_one_row(
    quads: list[list[tuple[float, float]]], labels: list[str]
) -> None:
    found = np.array(quads, np.float32).reshape(-1, 4, 2)
    layout = arrange(found, labels[: len(found)])
    members = [index for row in layout.rows for index in row.members]
    assert sorted(members) == list(range(len(found)))
    held = [index for hand in layout.hands for index in hand.tiles]
    assert len(set(held)) == len(held)
    assert set(held) | set(layout.strays) <= set(members)
    for hand in layout.hands:
        laid = [tile for meld in hand.melds for tile in meld.tiles]
        assert len(hand.concealed) + len(laid) + len(hand.bonus) == len(hand.tiles)


def test_rows_of_players_who_face_each_other_stay_apart() -> None:
    near = lay("123m 456p", "")
    far = turned(lay("789s 1155z"), 180.0)
    quads = np.concatenate([near.quads, far.quads - far.quads.min(axis=(0, 1)) + [100, 400]])
    rows = arrange(quads.astype(np.float32), near.labels + far.labels).rows
    read = [[(near.labels + far.labels)[i] for i in row.members] for row in rows]
    assert sorted(read) == sorted([parse_tiles("123m456p"), parse_tiles("789s1155z")])


BLURRED_FLOWER = "1122p 333s|777z|5555m|3m"
"""A whole hand and one tile more, which is read as something that is no bonus tile."""


@pytest.mark.parametrize(("chance", "bonus"), [(0.4, ("4y",)), (0.01, ())])
def test_a_tile_beside_a_whole_hand_that_may_be_a_flower_is_one(
    chance: float, bonus: tuple[str, ...]
) -> None:
    laid = lay(BLURRED_FLOWER)
    guess = BonusGuess(["4y"] * len(laid.labels), np.full(len(laid.labels), 0.01))
    guess.chances[-1] = chance
    layout = arrange(laid.quads, laid.labels, guess)
    assert layout.hands[0].bonus == bonus
    assert set(layout.bonus) == ({len(laid.labels) - 1} if bonus else set())
    assert len(melds_of(layout.hands[0])) == 2


@pytest.mark.parametrize(("beside", "bonus"), [("1f", ("4y", "1f")), ("4m", ())])
def test_a_tile_beside_a_flower_is_easily_taken_for_one(
    beside: str, bonus: tuple[str, ...]
) -> None:
    laid = lay(f"{BLURRED_FLOWER} {beside}")
    guess = BonusGuess(["4y"] * len(laid.labels), np.full(len(laid.labels), 0.02))
    assert arrange(laid.quads, laid.labels, guess).hands[0].bonus == bonus


def test_a_set_stays_one_though_its_tiles_may_be_flowers() -> None:
    laid = lay("1122p 333s|777z|555m")
    layout = arrange(laid.quads, laid.labels, BonusGuess(laid.labels, np.full(13, 0.4)))
    assert len(melds_of(layout.hands[0])) == 2
    assert layout.hands[0].bonus == ()


def test_of_two_rows_at_a_players_sets_the_one_that_is_upright_like_them_is_the_hand() -> None:
    laid = lay("6s 2m 4s 4p 1m 6z 2p 7m", "333z|666m", "567p 44z 777z")
    quads = laid.quads.copy()
    quads[:8:2] = np.roll(quads[:8:2], 2, axis=1)
    quads[-8:, :, 1] += 115
    hand = hand_of(Laid(laid.labels, quads))
    assert hand.concealed == tuple(parse_tiles("567p 44z 777z"))
    assert len(hand.melds) == 2
