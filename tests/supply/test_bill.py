"""The lock is read line by line, and the bill of materials is the same each time."""

from __future__ import annotations

import json

import pytest

from supply.bill import bill, read_lock

HASH = "0123456789abcdef" * 4
LOCK = f"""flask[async]==3.1.3 \\
    --hash=sha256:{HASH} \\
    --hash=sha256:{HASH[::-1]}
    # via kongbox (pyproject.toml)
colorama==0.4.6 ; sys_platform == 'win32' \\
    --hash=sha256:{HASH}
    # via
    #   -c requirements/runtime.txt
    #   click
    #   flask
# The following packages were left out:
# torch
"""


def test_pins_hashes_markers_and_who_wants_them_are_read() -> None:
    flask, colorama = read_lock(LOCK)
    assert (flask.name, flask.version, flask.marker) == ("flask", "3.1.3", "")
    assert flask.hashes == (HASH, HASH[::-1])
    assert flask.wanted_by == ("kongbox",)
    assert (colorama.purl, colorama.marker) == (
        "pkg:pypi/colorama@0.4.6",
        "sys_platform == 'win32'",
    )
    assert colorama.wanted_by == ("click", "flask")


@pytest.mark.parametrize(
    "text",
    [
        "flask==3.1.3\n",
        f"flask>=3 \\\n    --hash=sha256:{HASH}\n",
        f"flask==3.1.3 \\\n    --hash=md5:{HASH}\n",
        f"--index-url https://elsewhere\nflask==3.1.3 \\\n    --hash=sha256:{HASH}\n",
    ],
)
def test_what_is_no_pin_with_hashes_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not the pin of a package with its hashes"):
        read_lock(text)


def test_the_same_lock_gives_the_same_bill() -> None:
    models = {"judge": {"file": "judge.onnx", "sha256": HASH, "version": "1.0.0"}}
    text = bill("0.1.0", read_lock(LOCK), models)
    assert text == bill("0.1.0", read_lock(LOCK), models)
    told = json.loads(text)
    assert [part.get("scope") for part in told["components"]] == ["required", "optional", None]
    assert told["components"][2]["type"] == "machine-learning-model"
    assert {"ref": "pkg:pypi/flask@3.1.3", "dependsOn": ["pkg:pypi/colorama@0.4.6"]} in told[
        "dependencies"
    ]
