"""Nobody is sent to a terminal: no word of the page names a command, an option or a setting."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

WEBAPP = Path(__file__).parents[3] / "webapp"
CATALOGUE = WEBAPP / "translations" / "zh_Hans" / "LC_MESSAGES" / "messages.po"
OF_A_TERMINAL = re.compile(
    r"\bkongbox [a-z]|\bmake [a-z]+ *(run|HOST)|\s--[a-z]|[A-Z]{3,}_[A-Z]|`|sudo|\bpip\b|Ctrl"
    r"|command line|terminal(?!s\b| chows)|prompt"
)
"""What stands on a page only where somebody is told to type it elsewhere."""

ANSWERS_OF_COMMANDS = (
    "nobody has won: say with --seat whose hand it is",
    "OpenCV, which reads the photos, cannot start on this computer",
)
"""What is said in a terminal alone: to who asks a command about a deal, and before the page is
served."""


def words() -> set[tuple[str, str]]:
    """Every sentence of the page, in English and in Chinese."""
    with CATALOGUE.open("rb") as file:
        return {(str(message.id), str(message.string)) for message in read_po(file) if message.id}


def test_no_word_of_the_page_names_a_command() -> None:
    found = {said[0] for said in words() if OF_A_TERMINAL.search(" / ".join(said))}
    assert {text for text in found if not text.startswith(ANSWERS_OF_COMMANDS)} == set()


@pytest.mark.parametrize("path", sorted(WEBAPP.rglob("templates/**/*.html")), ids=lambda p: p.stem)
def test_no_template_shows_a_command(path: Path) -> None:
    assert re.findall(r"<code|<kbd|<pre", path.read_text("utf-8")) == []


def test_the_test_sees_a_command() -> None:
    for line in ("type kongbox users add", "set KONGBOX_HOSTS", "use --host 0.0.0.0"):
        assert OF_A_TERMINAL.search(line)
