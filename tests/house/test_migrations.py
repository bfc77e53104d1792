"""The migrations stand in one line, so that every database knows its next one."""

from __future__ import annotations

import re

from tests.house.test_imports import ROOT

VERSIONS = ROOT / "webapp" / "migrations" / "versions"


def test_each_migration_follows_the_one_with_the_number_before() -> None:
    told = {}
    for path in sorted(VERSIONS.glob("[0-9]*.py")):
        text = path.read_text("utf-8")
        found = dict(re.findall(r'^(revision|down_revision) = "?(\w+)"?$', text, re.MULTILINE))
        told[path.name[:4]] = found["revision"], found["down_revision"]
    count = len(list(VERSIONS.glob("[0-9]*.py")))
    numbers = [f"{number:04}" for number in range(1, count + 1)]
    assert told == {
        number: (number, before)
        for number, before in zip(numbers, ["None", *numbers[:-1]], strict=True)
    }
