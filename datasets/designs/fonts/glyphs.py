"""The characters on tiles, and the names of the web-font files that have them."""

from __future__ import annotations

import re
from typing import Final

NUMERALS: Final = "一二三四五六七八九"
FORMAL_NUMERALS: Final = "壹貳參肆伍陸柒捌玖"
SIMPLIFIED_FORMAL_NUMERALS: Final = "壹贰叁肆伍陆柒捌玖"
HANZI: Final = (
    NUMERALS
    + FORMAL_NUMERALS
    + SIMPLIFIED_FORMAL_NUMERALS
    + "萬万東东南西北中發发発白春夏秋冬梅蘭兰菊竹福祿壽貴喜財神百搭"
)
LATIN: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
WEB_FONT: Final = re.compile(
    r"(?P<family>[a-z0-9-]+?)-(?:\d+|latin|japanese|chinese-(?:simplified|traditional))"
    r"-(?P<weight>\d+)-normal$"
)
"""Pattern of the stem of one upright slice: family, part of the character set, weight."""
