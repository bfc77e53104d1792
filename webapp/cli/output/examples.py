"""An example of each command, as its help shows it."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

EXAMPLES: Final = MappingProxyType(
    {
        "backup": "kongbox backup kongbox-may.sqlite3",
        "board": "kongbox board --to board.pdf",
        "check": "kongbox check kongbox-may.sqlite3",
        "compare": "kongbox compare deal.json --ruleset western --ruleset bmja-u3a",
        "demo": "kongbox demo season --db sqlite:///demo.sqlite3",
        "demo season": "kongbox demo season --db sqlite:///demo.sqlite3",
        "export": "kongbox export everything.zip",
        "game": "kongbox game evening.json --sheets",
        "import": "kongbox import everything.zip",
        "photos": "kongbox photos keep 30",
        "photos clean": "kongbox photos clean",
        "photos donate": "kongbox photos donate tiles.zip",
        "photos keep": "kongbox photos keep 30",
        "players": 'kongbox players rename "Ann Lee" "Ann Li"',
        "players erase": 'kongbox players erase "Ann Lee"',
        "players export": 'kongbox players export "Ann Lee" ann.zip',
        "players import": "kongbox players import members.xlsx --dry-run",
        "players list": "kongbox players list",
        "players rename": 'kongbox players rename "Ann Lee" "Ann Li"',
        "read": "kongbox read photo.jpg --why",
        "reread": "kongbox reread --where since=2026-09-01 --where corrected",
        "restore": "kongbox restore kongbox-may.sqlite3",
        "rules": "kongbox rules show bmja-mjbr",
        "rules check": "kongbox rules check our-club.toml",
        "rules diff": "kongbox rules diff bmja-mjbr western",
        "rules list": "kongbox rules list",
        "rules options": "kongbox rules options --ruleset bmja-u3a",
        "rules show": "kongbox rules show bmja-mjbr",
        "schema": "kongbox schema deal",
        "score": "kongbox score deal.json --all-readings",
        "seat": "kongbox seat --players 21 --rounds 4",
        "serve": "kongbox serve --https --port 8080",
        "sets": 'kongbox sets add "Club set" photo.jpg',
        "sets add": 'kongbox sets add "Club set" photo.jpg',
        "sets list": "kongbox sets list",
        "sets remove": 'kongbox sets remove "Club set"',
        "sets show": 'kongbox sets show "Club set"',
        "users": 'kongbox users add "Ann Lee" --role secretary',
        "users add": 'kongbox users add "Ann Lee" --role secretary',
        "users list": "kongbox users list",
        "users password": 'kongbox users password "Ann Lee"',
        "users remove": 'kongbox users remove "Ann Lee"',
        "value": "kongbox value photo.jpg --wind S --round E",
        "waits": 'kongbox waits "4477p" --melds "222m 555p 888m"',
        "watch": "kongbox watch 0 --window",
        "why": "kongbox why deal.json no_chows",
        "worker": "kongbox worker --db postgresql+psycopg://kongbox@host/kongbox",
    }
)
"""A line to type for each command, by the words that name it after ``kongbox``."""

START: Final = """\b
Examples:
  kongbox                   opens the page in the browser
  kongbox read photo.jpg    reads the tiles in a photo
  kongbox score deal.json   scores a deal
  kongbox score --help      tells more about a command"""
"""The examples of the whole program."""


def example_of(words: str) -> str:
    """The example of a command, laid out for the end of its help; empty for an unknown one."""
    line = EXAMPLES.get(words)
    return "" if line is None else f"\b\nExample:\n  {line}"
