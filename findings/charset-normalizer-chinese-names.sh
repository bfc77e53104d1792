#!/usr/bin/env bash
# The first guess of charset-normalizer at a list of Chinese names.
#
# Guess: where two encodings both fit, the likelier language decides; a list of some of the commonest names
#   of China in GBK is told from Korean, or the guess says that it is unsure.
# Seen (charset-normalizer 3.5.2): two or three names are cp949, Korean, with a chaos of 0.0, which is no
#   doubt at all; of ten names it is still Korean, and only of twenty Chinese. One name alone is Big5. The
#   true encoding stands second to fourth in the list. What is read has the right number of letters, all
#   of them real ones, so nothing breaks. Who takes in lists of a club has to let known headings decide,
#   or ask.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check charset-normalizer==3.5.2
"$folder/venv/bin/python" - <<'PY'
from charset_normalizer import from_bytes

NAMES = (
    "王伟 李娜 张敏 刘洋 陈静 杨帆 赵磊 黄丽 周杰 吴芳 "
    "徐强 孙悦 马超 朱琳 胡军 郭燕 何勇 林霞 罗斌 高翔"
).split()

seen = {}
for count in (1, 2, 3, 5, 10, 20):
    guesses = from_bytes("\n".join(NAMES[:count]).encode("gbk"))
    best, order = guesses.best(), [guess.encoding for guess in guesses]
    seen[count] = best.encoding, round(best.chaos, 3), order.index("gb18030") + 1
    print(count, "names:", seen[count], str(best).split("\n")[0])
assert seen[1][0] == "big5", seen
assert [seen[count][:2] for count in (2, 3)] == [("cp949", 0.0)] * 2, seen
assert [seen[count][0] for count in (5, 10)] == ["cp949"] * 2, seen
assert all(2 <= seen[count][2] <= 4 for count in (1, 2, 3, 5, 10)), seen
assert seen[20][0] == "gb18030", seen
PY
echo "as it was seen"
