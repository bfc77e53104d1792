#!/usr/bin/env bash
# The letters of the suits in PyMahjongGB, which counts by the Chinese official rules.
#
# Guess: W, T and B are characters, circles and bamboo: B is what English notations call bamboo, and T
#   what Riichi players call tong, the circles. A hand in the wrong letters is refused, or counts the same.
# Seen (PyMahjongGB 1.4.0): the letters are the first of the Chinese names, wan, tiao, bing: T is bamboo
#   and B circles. Every hand is valid either way, and nearly all count alike, as the suits are equal to
#   most rules. Where green tiles matter they do not: 234 234 666 88 of B with green dragons has no
#   All Green and 11 points; of T it has 93. A test of hands without such tiles notices nothing.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check PyMahjongGB==1.4.0
"$folder/venv/bin/python" - <<'PY'
from MahjongGB import MahjongFanCalculator


def points(suit, numbers, honours, winning):
    """The fans of a concealed hand that is won by a discard, for East in the East round."""
    hand = tuple([suit + number for number in numbers] + honours)
    melds, flowers, east = (), 0, 0
    fans = MahjongFanCalculator(
        melds, hand, winning, flowers, False, False, False, False, east, east
    )
    return sum(worth for worth, _name in fans), sorted(name for _worth, name in fans)


GREEN = {suit: points(suit, "22334466688", ["J2", "J2"], "J2") for suit in "WTB"}
PLAIN = {suit: points(suit, "11223345699", ["J2", "J2"], "J2") for suit in "WTB"}
for suit in "WTB":
    print(suit, "green tiles:", GREEN[suit], " others:", PLAIN[suit])
assert "绿一色" in GREEN["T"][1], GREEN
assert GREEN["W"] == GREEN["B"], GREEN
assert "绿一色" not in GREEN["B"][1], GREEN
assert (GREEN["T"][0], GREEN["B"][0]) == (93, 11), GREEN
assert PLAIN["W"] == PLAIN["T"] == PLAIN["B"], PLAIN
PY
echo "as it was seen"
