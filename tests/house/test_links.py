"""What the documents link to exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "document",
    [
        "README.md",
        "CONTRIBUTING.md",
        "models/README.md",
        "models/HISTORY.md",
        "datasets/README.md",
        "docs/ACCURACY.md",
        "docs/CLUB.md",
        "docs/COMMANDS.md",
        "docs/INSTALL.md",
        "docs/PHOTOS.md",
        "docs/RULESETS.md",
        "docs/DOCKER.md",
        "docs/PI.md",
        "docs/PLATFORMS.md",
        "docs/SECURITY.md",
    ],
)
def test_every_file_that_is_linked_exists(document: str) -> None:
    path = ROOT / document
    links = re.findall(r"\]\(([^)#]+)\)", path.read_text("utf-8"))
    inside = [link for link in links if "://" not in link]
    assert [link for link in inside if not (path.parent / link).exists()] == []
