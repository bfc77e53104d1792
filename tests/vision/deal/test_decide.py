from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.tiles import BACK, BONUS_TILES, PLAYING_TILES, is_bonus
from vision.deal.decide import Repairs, decide
from vision.deal.decision import Decision, JointTile
from vision.deal.options import CLEAR
from vision.deal.winner import Winner
from vision.vocabulary.readings import HandReading

WALL = [*PLAYING_TILES * 4, *BONUS_TILES]
QUICK = settings(max_examples=20, deadline=None)


def seen(
    *chances: tuple[str, float], player: str | None = "E", group: str | None = None
) -> JointTile:
    return JointTile(chances, player, group)


def clear(labels: str, player: str | None = "E", group: str | None = None) -> list[JointTile]:
    """Clear tiles of these codes, such as ``1m 2m``."""
    return [seen((label, 0.999), player=player, group=group) for label in labels.split()]


def asked(decision: Decision) -> set[int]:
    return {change.tile for found in decision.suggestions for change in found.changes}


def over(labels: tuple[str, ...]) -> dict[str, int]:
    counts = Counter(labels)
    return {k: n for k, n in counts.items() if n > (1 if is_bonus(k) else 4)}


@st.composite
def deals(draw: st.DrawFn) -> tuple[list[JointTile], list[str]]:
    """Lawful tiles of up to four players, clear and doubtful ones, some of them misread."""
    rng = random.Random(draw(st.integers(0, 10**6)))
    truths = rng.sample(WALL, draw(st.integers(1, 56)))
    tiles = []
    for place, truth in enumerate(truths):
        player = "ESWN"[place // 14]
        other = rng.choice([tile for tile in PLAYING_TILES if tile != truth])
        first = rng.uniform(0.5, 0.98)
        pair = [truth, other] if rng.random() < 0.9 else [other, truth]
        if rng.random() < 0.6:
            tiles.append(seen((truth, rng.uniform(CLEAR, 1)), player=player))
        else:
            tiles.append(
                seen((pair[0], first), (pair[1], (1 - first) * rng.random()), player=player)
            )
    return tiles, truths


@QUICK
@given(deals())
def test_the_laws_of_the_set_hold_or_the_tiles_are_flagged(
    deal: tuple[list[JointTile], list[str]],
) -> None:
    decision = decide(deal[0])
    for face in over(decision.labels):
        at = {i for i, label in enumerate(decision.labels) if label == face}
        assert any(set(problem.tiles) == at for problem in decision.problems)
        assert asked(decision) & at
    if not over(decision.labels):
        assert not decision.problems


@QUICK
@given(deals())
def test_a_clear_tile_is_never_read_otherwise(deal: tuple[list[JointTile], list[str]]) -> None:
    tiles, _ = deal
    winner = Winner("E", lambda hand: hand.concealed.count("1m") >= 1)
    for decision in (decide(tiles), decide(tiles, winner=winner, sizes={"E": 14})):
        for tile, result in zip(tiles, decision.tiles, strict=True):
            if tile.alternatives[0][1] >= CLEAR:
                assert not result.changed


@QUICK
@given(st.integers(0, 10**6), st.integers(1, 56))
def test_a_clear_reading_of_a_lawful_deal_stays_as_it_is(seed: int, count: int) -> None:
    truths = random.Random(seed).sample(WALL, count)
    tiles = [seen((t, 0.995), ("1m" if t != "1m" else "2m", 0.004)) for t in truths]
    decision = decide(tiles, winner=Winner("E", lambda _: True))
    assert decision.labels == tuple(truths)
    assert not decision.suggestions
    assert not decision.problems


@QUICK
@given(deals(), st.randoms(use_true_random=False))
def test_the_order_of_the_tiles_does_not_matter(
    deal: tuple[list[JointTile], list[str]], rng: random.Random
) -> None:
    tiles, _ = deal
    order = list(range(len(tiles)))
    rng.shuffle(order)
    plain, mixed = decide(tiles), decide([tiles[i] for i in order])
    assert [plain.labels[i] for i in order] == list(mixed.labels)
    assert {p.text for p in plain.problems} == {p.text for p in mixed.problems}


@QUICK
@given(deals())
def test_a_winner_who_can_have_no_hand_changes_nothing(
    deal: tuple[list[JointTile], list[str]],
) -> None:
    tiles, _ = deal
    plain, never = decide(tiles), decide(tiles, winner=Winner("E", lambda _: False))
    assert never.tiles == plain.tiles
    assert never.suggestions == plain.suggestions
    (told,) = set(never.problems) - set(plain.problems)
    assert str(told.text) == (
        "East's tiles as they are read do not make a winning hand: check them."
    )


def test_a_doubtful_fifth_copy_is_repaired() -> None:
    tiles = [*clear("9s 9s 9s 9s"), seen(("9s", 0.7), ("8s", 0.25))]
    decision = decide(tiles)
    last = decision.tiles[-1]
    assert (last.label, last.camera, last.changed) == ("8s", "9s", True)
    assert last.ratio is not None
    assert last.ratio > 100
    assert str(last.reason) == "5 tiles were read as nine bamboo; the set has 4."
    assert not decision.suggestions
    assert not decision.problems


def test_what_is_not_weighed_any_more_is_suggested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.deal.decide.REPAIRS", Repairs(most=0))
    decision = decide([*clear("9s 9s 9s 9s"), seen(("9s", 0.7), ("8s", 0.25))])
    assert decision.labels == ("9s",) * 5
    (found,) = decision.suggestions
    assert [(change.tile, change.label) for change in found.changes] == [(4, "8s")]


def test_five_clear_copies_are_flagged_and_left() -> None:
    decision = decide(clear("9s 9s 9s") + clear("9s 9s 1m", "S"))
    assert decision.labels == ("9s",) * 5 + ("1m",)
    (problem,) = decision.problems
    assert problem.tiles == (0, 1, 2, 3, 4)
    assert str(problem.text) == "5 tiles are read as nine bamboo, but the set has 4: check them."


def test_which_of_five_like_copies_is_wrong_is_asked() -> None:
    decision = decide([seen(("9s", 0.6), ("8s", 0.3))] * 5)
    assert decision.labels == ("9s",) * 5
    assert len(decision.suggestions) == 2
    for found in decision.suggestions:
        (change,) = found.changes
        assert (change.camera, change.label) == ("9s", "8s")


def test_the_set_profile_says_how_many_there_are() -> None:
    tiles = [*clear("1f"), seen(("1f", 0.8), ("2f", 0.15))]
    assert decide(tiles).labels == ("1f", "2f")
    assert decide(tiles, copies={"1f": 2}).labels == ("1f", "1f")
    none = decide([seen(("1f", 0.6), ("1y", 0.3))], copies={"1f": 0})
    assert none.labels == ("1y",)


@pytest.mark.parametrize(
    ("others", "doubtful", "label"),
    [
        ("2s 3s", (("5s", 0.7), ("4s", 0.25)), "4s"),
        ("7p 7p", (("1p", 0.6), ("7p", 0.3)), "7p"),
        ("7p 7p 7p", (("1p", 0.6), ("7p", 0.3)), "7p"),
        ("7p back back", (("1p", 0.6), ("7p", 0.3)), "7p"),
    ],
)
def test_a_set_laid_apart_is_made_whole(
    others: str, doubtful: tuple[tuple[str, float], ...], label: str
) -> None:
    decision = decide([*clear(others, group="a"), seen(*doubtful, group="a")])
    assert decision.labels == (*others.split(), label)
    assert "laid apart" in str(decision.tiles[-1].reason)


def test_a_run_that_may_be_read_in_two_orders_is_one_set() -> None:
    ends = [seen(("3m", 0.7), ("5m", 0.2), group="a"), seen(("3m", 0.6), ("5m", 0.3), group="a")]
    decision = decide([*clear("4m", group="a"), *ends])
    assert decision.labels == ("4m", "3m", "5m")
    assert not decision.suggestions


def test_two_ways_to_make_a_set_are_asked_about() -> None:
    tiles = [*clear("2s 3s", group="a"), seen(("5s", 0.6), ("4s", 0.2), ("1s", 0.15), group="a")]
    decision = decide(tiles)
    assert decision.labels[-1] == "5s"
    assert {found.changes[0].label for found in decision.suggestions} == {"4s", "1s"}


def test_tiles_of_a_concealed_kong_that_lie_face_down_are_counted() -> None:
    kong = clear(f"{BACK} 5p 5p {BACK}", group="k")
    decision = decide([*kong, seen(("5p", 0.8), ("6p", 0.15))])
    assert decision.labels[-1] == "6p"


def test_a_hand_with_a_tile_too_few_has_a_bonus_tile_misread() -> None:
    tiles = [*clear("1m 2m 3m"), seen(("1f", 0.7), ("1s", 0.25))]
    assert decide(tiles, sizes={"E": 4}).labels[-1] == "1s"
    assert decide(tiles, sizes={"E": 3}).labels[-1] == "1f"
    (problem,) = decide(tiles, sizes={"E": 6}).problems
    assert "East shows 4 tiles instead of 6" in str(problem.text)


def pair_hand(hand: HandReading) -> bool:
    """A rule of these tests: every concealed tile is there twice."""
    return all(count == 2 for count in Counter(hand.concealed).values())


def test_the_winners_hand_is_completed_and_a_losers_is_not() -> None:
    doubtful = (("1m", 0.6), ("2m", 0.3))
    tiles = [
        *clear("2m 5z 5z"),
        seen(*doubtful),
        *clear("2m 5z", "S"),
        seen(*doubtful, player="S"),
    ]
    decision = decide(tiles, winner=Winner("E", pair_hand))
    assert [tile.changed for tile in decision.tiles] == [False] * 3 + [True] + [False] * 3
    assert decision.tiles[3].label == "2m"
    assert decision.tiles[3].ratio == pytest.approx(500)
    assert "winning hand" in str(decision.tiles[3].reason)


def test_a_doubt_that_the_hand_does_not_depend_on_is_no_rival_to_its_completion() -> None:
    tiles = [*clear("2m 5z 5z"), seen(("1m", 0.6), ("2m", 0.3)), seen(("1f", 0.5), ("2f", 0.4))]
    decision = decide(tiles, winner=Winner("E", pair_hand))
    assert decision.labels == ("2m", "5z", "5z", "2m", "1f")
    assert not decision.suggestions


def test_an_unlikely_completion_is_only_suggested() -> None:
    tiles = [*clear("2m 5z 5z"), seen(("1m", 0.95), ("2m", 0.04))]
    decision = decide(tiles, winner=Winner("E", pair_hand))
    assert decision.labels[-1] == "1m"
    (found,) = decision.suggestions
    (change,) = found.changes
    assert (change.tile, change.camera, change.label) == (3, "1m", "2m")
    assert found.ratio == pytest.approx(0.04 / 0.95 * 1000)
    assert decision.problems


def test_a_clear_face_is_only_ever_suggested_otherwise() -> None:
    tiles = [*clear("2m 5z 5z"), seen(("1m", 0.99), ("2m", 0.01))]
    decision = decide(tiles, winner=Winner("E", pair_hand))
    assert decision.labels[-1] == "1m"
    assert asked(decision) == {3}


def test_two_completions_alike_are_both_suggested() -> None:
    tiles = [seen(("1m", 0.6), ("2m", 0.3)), seen(("2m", 0.6), ("1m", 0.3))]
    decision = decide(tiles, winner=Winner("E", pair_hand))
    assert decision.labels == ("1m", "2m")
    assert asked(decision) == {0, 1}


def test_the_winning_tile_lies_in_the_winners_hand() -> None:
    tiles = [seen(("1m", 0.6), ("2m", 0.35)), seen(("1m", 0.6), ("2m", 0.35)), *clear("5z 5z")]
    assert decide(tiles, winner=Winner("E", pair_hand)).labels[:2] == ("1m", "1m")
    assert decide(tiles, winner=Winner("E", pair_hand, "2m")).labels[:2] == ("2m", "2m")


def test_copies_that_are_all_misread_alike_are_left_without_a_word() -> None:
    tiles = [seen(("7z", 0.7), ("6z", 0.28))] * 2 + clear("1m 1m")
    decision = decide(tiles, winner=Winner("E", pair_hand))
    assert decision.labels == ("7z", "7z", "1m", "1m")
    assert not decision.suggestions


def test_melds_and_bonus_tiles_reach_the_callers_rules() -> None:
    hands = []

    def note(hand: HandReading) -> bool:
        hands.append(hand)
        return True

    tiles = [*clear("1f 9m"), *clear("2s 3s 4s", group="a"), *clear("back 5p 5p back", group="b")]
    decide(tiles, winner=Winner("E", note))
    assert hands[0].concealed == ("9m",)
    assert hands[0].bonus == ("1f",)
    assert [(m.kind, m.concealed) for m in hands[0].melds] == [("chow", False), ("kong", True)]


def test_the_search_for_a_hand_is_bounded() -> None:
    tried = []

    def never(hand: HandReading) -> bool:
        tried.append(hand)
        return False

    rows = (("1m", 0.5), ("2m", 0.2), ("3m", 0.1), ("4m", 0.1), ("5m", 0.1))
    decide([seen(*rows)] + [seen(("1z", 0.5), ("2z", 0.3))] * 13, winner=Winner("E", never))
    assert 3 <= len(tried) <= 502


@pytest.mark.parametrize(
    "chances",
    [
        (),
        (("1m", 0.5), ("1m", 0.4)),
        (("joker", 0.5),),
        (("1m", 1.5),),
        (("1m", 0.8), ("2m", 0.8)),
        (("1m", 0.2), ("2m", 0.8)),
    ],
)
def test_tiles_that_cannot_be_are_refused(chances: tuple[tuple[str, float], ...]) -> None:
    with pytest.raises(ValueError, match=r"label|probabilities"):
        JointTile(chances)


def test_sets_and_players_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="the set 'a' has 2 tiles"):
        decide(clear("1m 1m", group="a"))
    with pytest.raises(ValueError, match="N has no tiles"):
        decide(clear("1m"), sizes={"N": 13})
    with pytest.raises(ValueError, match="S has no tiles"):
        decide(clear("1m"), winner=Winner("S", pair_hand))


def test_no_tiles_are_decided_at_once() -> None:
    assert decide([]) == Decision((), (), ())


def test_a_back_that_the_camera_rules_out_is_taken_for_a_tile_of_another_set() -> None:
    tiles = [
        seen(("3m", 0.98), ("2m", 0.01), group="a"),
        seen(("3m", 0.98), ("2m", 0.01), group="a"),
        seen(("2m", 0.9), (BACK, 0.0), group="a"),
    ]
    assert decide(tiles).labels == ("3m", "3m", "2m")
