#!/usr/bin/env bash
# Red fives in the notation that the library mahjong takes.
#
# Guess: in tenhou's notation 0 is a red five. TilesConverter reads it as a five, red or not, or refuses
#   it where red fives are not asked for (has_aka_dora is False by default).
# Seen (mahjong 2.1.0): without has_aka_dora=True each 0 becomes another tile, without a word: it counts
#   as the tile before the suit's one. 0p is a nine of characters, 0s a nine of circles, and 0m the tile
#   number -4, which Python counts from the end of the list: a Red dragon. A complete hand is one tile
#   short then, and a wrong one may win. With has_aka_dora=True all is as guessed. Who takes hands from
#   people's notation has to pass it always; the number of tiles does not betray it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check mahjong==2.1.0
"$folder/venv/bin/python" - <<'PY'
from mahjong.shanten import Shanten
from mahjong.tile import TilesConverter

HAND = {"man": "345", "pin": "067", "sou": "234", "honors": "66677"}


def read(red_fives):
    single = {
        suit: TilesConverter.to_34_array(
            TilesConverter.string_to_136_array(**{suit: "0"}, has_aka_dora=red_fives)
        ).index(1)
        for suit in ("man", "pin", "sou")
    }
    tiles = TilesConverter.string_to_136_array(**HAND, has_aka_dora=red_fives)
    return single, len(tiles), Shanten().calculate_shanten(TilesConverter.to_34_array(tiles))


CHARACTERS_5, CHARACTERS_9, CIRCLES_5, CIRCLES_9, BAMBOO_5, RED_DRAGON = 4, 8, 13, 17, 22, 33
plain, told = read(False), read(True)
print("by default:        ", plain)
print("has_aka_dora=True: ", told)
assert plain == ({"man": RED_DRAGON, "pin": CHARACTERS_9, "sou": CIRCLES_9}, 14, 0), plain
assert told == ({"man": CHARACTERS_5, "pin": CIRCLES_5, "sou": BAMBOO_5}, 14, -1), told
PY
echo "as it was seen"
