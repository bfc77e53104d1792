"""Citations as people know them, instead of the numbers of the documents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel

from scorer.english.sources import SOURCES, cited
from scorer.rules.rulebook import load_ruleset, ruleset_ids


def _cites(value: Any) -> Iterator[str]:
    if isinstance(value, BaseModel):
        for name, held in value:
            yield from [held or ""] if name.endswith("cite") else _cites(held)
    elif isinstance(value, tuple):
        for held in value:
            yield from _cites(held)


@pytest.mark.parametrize("ruleset", ruleset_ids())
def test_every_citation_names_its_document(ruleset: str) -> None:
    for cite in filter(None, _cites(load_ruleset(ruleset))):
        told = cited(cite)
        assert told.startswith(tuple(SOURCES.values())), cite
        assert "Sheet" not in told, cite
        assert ", sheet " not in told or ": " in told, f"{cite}: the sheet has no title"


@pytest.mark.parametrize(
    ("cite", "told"),
    [
        ("000 Sheet 14", "U3A course, sheet 14: Scoring"),
        ("000 Sheet 30.2", "U3A course, sheet 30, point 2: Penalties"),
        ("000 Sheet 99", "U3A course, sheet 99"),
        ("001 Basic score", "Mah-Jong, British Rules, Basic score"),
        ("003 Seasons Law 2", "UK laws of 1924, seasons law 2"),
        ("003 Penalties 1 and 2", "UK laws of 1924, penalties 1 and 2"),
        ("999 Page 3", "999 Page 3"),
        ("Agreed on 3 May", "Agreed on 3 May"),
    ],
)
def test_a_citation_as_people_know_it(cite: str, told: str) -> None:
    assert cited(cite) == told
