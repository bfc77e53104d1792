#!/usr/bin/env bash
# Who says that the winning tile is the last of its kind in PyMahjongGB (Chinese official, "Last Tile", 4 fan).
#
# Guess: is4thTile says it: with False there is no Last Tile, as with isAboutKong and isWallLast, since only
#   the caller sees the table.
# Seen (PyMahjongGB 1.4.0): with False the 4 fan are counted all the same where the winner's own exposed sets
#   hold the three others, in an exposed pung or in three chows alike; a concealed set does not count. So
#   whoever compares another program with it and leaves the flag at False has to look for those.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check PyMahjongGB==1.4.0
"$folder/venv/bin/python" - <<'PY'
from MahjongGB import MahjongFanCalculator

LAST, WIN, FLOWERS, EAST = "和绝张", "B5", 0, 0
REST = ("W1", "W2", "W3", "T7", "T8", "T9", "F1", "F1")


def names(melds, hand, *, fourth):
    """The names of the fans of a hand that is won by a discard, for East in the East round."""
    fans = MahjongFanCalculator(
        melds, hand, WIN, FLOWERS, False, fourth, False, False, EAST, EAST
    )
    return [name for _worth, name in fans]


PUNG = ((("PENG", "B5", 1),), ("B4", "B6", *REST))
CHOWS = (tuple(("CHI", "B5", taken) for taken in (1, 2, 3)), ("B4", "B6", "F1", "F1"))
CONCEALED = ((), ("B5", "B5", "B5", "B4", "B6", *REST))
for title, (melds, hand) in (("pung", PUNG), ("chows", CHOWS), ("concealed", CONCEALED)):
    print(title, names(melds, hand, fourth=False))
assert LAST in names(*PUNG, fourth=False)
assert LAST in names(*CHOWS, fourth=False)
assert LAST not in names(*CONCEALED, fourth=False)
assert names(*PUNG, fourth=False) == names(*PUNG, fourth=True)
PY
echo "as it was seen"
