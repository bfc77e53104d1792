"""What the ``kongbox`` command writes, and how it ends."""

from __future__ import annotations

import json
import random
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, Final

import cv2

from scorer import Game
from tests.equal import inside_page, inside_scorer, inside_terminal, inside_vision
from tests.equal.canonical import plain
from tests.equal.masks import Masks
from tests.equal.records import Records
from tests.equal.spoiling import spoilt

DEALS: Final = 12
"""Of each ruleset; two of three are golden ones."""
GAMES: Final = 4

_NO_DEALS: Final = (
    *(b"", b" \n\n", b"\xff\xfe{}", b"seat,points", b'{"ruleset": "bmja-u3a",\n "players": [,]}'),
    *(b'{"ruleset": "a", "ruleset": "b"}', b'{"ruleset": NaN}', b"[" * 100_000, b"[]", b"3"),
    b'{"points": ' + b"9" * 5000 + b"}",
)
_CLUB: Final = """id = "our-club"
name = "Our club"
description = "As we have always played it."
base = "bmja-mjbr"

[changes]
limit = 500
purity = false
"""


class Terminal:
    """Runs commands in a folder of its own and records what they write."""

    def __init__(self, records: Records, folder: Path) -> None:
        self.folder = folder
        self._records = records
        self._masks = Masks([(str(folder), "<folder>"), (tempfile.gettempdir(), "<temporary>")])
        self._times: Counter[str] = Counter()

    def run(self, *words: str | Path, given: str | bytes = "", note: str = "") -> str:
        """Run a command; gives its output."""
        arguments = [str(word) for word in words]
        status, output, errors = inside_terminal.run(arguments, given)
        key = self._masks.text(f"kongbox {' '.join(arguments)} {note}".rstrip())
        self._times[key] += 1
        key = key if self._times[key] == 1 else f"{key} #{self._times[key]}"
        told = {"status": status, "output": self._masks.text(output)}
        self._records.add(key, {**told, "errors": self._masks.text(errors)})
        return output

    def file(self, name: str, content: str | bytes) -> Path:
        """A file in the folder."""
        path = self.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def content(self, name: str) -> None:
        """Record a file that a command wrote."""
        data = (self.folder / name).read_bytes()
        kind = "text/csv" if name.endswith(".csv") else ""
        self._records.add(f"file {name}", self._masks.body(kind, data))


def record(records: Records) -> None:
    """Record every command."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        with inside_page.settled(), inside_page.own_folders(folder):
            terminal = Terminal(records, folder)
            terminal.run("--version")
            terminal.run("nonsense")
            for words in inside_terminal.commands():
                terminal.run(*words, "--help")
            _deals(terminal, quick=records.quick)
            _waits(terminal)
            _games(terminal)
            _rules(terminal)
            _book(terminal)
            _photos(terminal, quick=records.quick)


def _deals(terminal: Terminal, *, quick: bool) -> None:
    """Deals that are scored, compared and asked about, and what is no deal."""
    for number, data in enumerate(_NO_DEALS):
        for command in ("score", "compare", "why"):
            terminal.run(command, "-", given=data, note=f"no deal {number}")
        terminal.run("score", "--json", given=data, note=f"no deal {number}")
    terminal.run("score", "no-such-file.json")
    terminal.run("serve", "--port", "0")
    lines = []
    for ruleset in inside_scorer.rulesets():
        golden = [deal for _, deal in inside_scorer.golden_deals(ruleset)]
        for number in range(2 if quick else DEALS):
            rng = random.Random(f"terminal {ruleset} {number}")
            deal = rng.choice(golden)
            deal = spoilt(rng, deal) if number % 3 == 2 else deal
            lines.append(json.dumps(plain(deal)))
            _ask(terminal, terminal.file("deal.json", lines[-1]), f"{ruleset} {number}")
    terminal.file("all.jsonl", "\n".join([*lines, '{"players": ', "{}"]))
    for options in ((), ("--json",), ("--ruleset", "western"), ("--all-readings", "--json")):
        terminal.run("score", terminal.folder / "all.jsonl", *options)


def _ask(terminal: Terminal, deal: Path, note: str) -> None:
    for words in (
        ("score",),
        ("score", "--json"),
        ("score", "--all-readings"),
        ("score", "--ruleset", "western"),
        ("why",),
        ("why", "--seat", "E", "--json"),
        ("why", "--seat", "S", "--ruleset", "uk-1924"),
        ("compare",),
        ("compare", "--json"),
        ("compare", "--ruleset", "western", "--ruleset", "bmja-u3a:limit=500"),
        ("compare", "--claim", "S=64", "--claim", "E=8"),
        ("compare", "--reading", "S=111m 234p 55z", "--json"),
        ("compare", "--claim", "S=many"),
        ("compare", "--ruleset", "western:limit"),
        ("compare", "--ruleset", "nobody's"),
    ):
        terminal.run(words[0], deal, *words[1:], note=note)
    terminal.run("why", deal, "purity", note=note)
    terminal.run("why", deal, "no_such_rule", "--json", note=note)


def _waits(terminal: Terminal) -> None:
    western = ("--ruleset", "western")
    for words in (
        ("4477p", "--melds", "222m 555p 888m"),
        ("112345678p1234z 1f", *western, "--seat", "E", "--round", "S"),
        ("1257m468p1379s25z",),
        ("34m44p", "--melds", "2222m 555p 888s", *western, "--set", "own_fours=true", "--json"),
        ("34m44p", "--melds", "222m 555p 888s", "--players", "3", "--json"),
        ("4p", "--melds", "222m 555p 888s 333z", "--goulash"),
        ("4p", "--melds", "222m 555p 888s 333z", "--goulash", "--ruleset", "ming-1876"),
        ("123m",),
        ("12q",),
        ("12q", "--json"),
        ("4477p", "--melds", "222m 5p"),
        ("4477p", "--set", "limit"),
        ("4477p", "--set", "limit=many"),
        ("4477p", "--ruleset", "nobody's"),
        ("4477p", "--seat", "X"),
    ):
        terminal.run("waits", *words)


def _games(terminal: Terminal) -> None:
    """Games of each ruleset, whole and with a hand otherwise."""
    for ruleset in inside_scorer.rulesets():
        for number in range(GAMES):
            rng = random.Random(f"terminal game {ruleset} {number}")
            document = plain(inside_scorer.written(_game(ruleset, rng)))
            text, note = json.dumps(document), f"{ruleset} {number}"
            for options in ((), ("--sheets",), ("--json",)):
                terminal.run("game", *options, given=text, note=note)
            if document["hands"]:
                document["hands"].insert(0, {"winner": "Bob", "payments": []})
            changed = json.dumps(document)
            for option in ("", "--reseat", "--reseat --json"):
                terminal.run("game", *option.split(), given=changed, note=f"{note} changed")
    for number, data in enumerate((*_NO_DEALS, b'{"ruleset": "x", "players": {}}')):
        terminal.run("game", given=data, note=f"no game {number}")


def _game(ruleset: str, rng: random.Random) -> Game:
    names = {"E": "Ann", "S": "Bob", "W": "Cat", "N": "Dee"}
    game = inside_scorer.begun(ruleset, names, {}, None)
    for _ in range(6):
        try:
            game = inside_scorer.with_hand(game, inside_scorer.random_hand(game, rng))
        except ValueError:
            continue
    return game


def _rules(terminal: Terminal) -> None:
    """Rulesets, those of a club among them, and files that cannot be used."""
    names = inside_scorer.rulesets()
    terminal.run("rules", "list")
    terminal.file("rulesets/our-club.toml", _CLUB)
    bad = terminal.file("rulesets/bad.toml", "id = ")
    odd = terminal.file("odd.toml", _CLUB.replace("500", '"many"').replace("our-club", "odd"))
    inside_page.forget_rules()
    for command in ("list", "show", "options"):
        terminal.run("rules", command)
        terminal.run("rules", command, "--json")
    for name in (*names, "our-club", "nobody's", str(odd)):
        terminal.run("rules", "show", name)
        terminal.run("rules", "show", name, "--json")
        terminal.run("rules", "options", "--ruleset", name)
        terminal.run("rules", "diff", "bmja-u3a", name)
        terminal.run("rules", "diff", name, "western", "--json")
    terminal.run("rules", "check", bad, odd, terminal.folder / "rulesets" / "our-club.toml")
    terminal.run("rules", "check", "none.toml")
    for path in (terminal.folder / "rulesets").iterdir():
        path.unlink()
    inside_page.forget_rules()


def _book(terminal: Terminal) -> None:
    """The club's book, its people and copies of it."""
    folder = terminal.folder
    for asked in ("board", "players list", "users list", "photos clean", "demo season"):
        terminal.run(*asked.split(), note="empty")
    own = f"sqlite:///{folder / 'data' / 'kongbox' / 'kongbox.sqlite3'}"
    for _ in range(2):
        terminal.run("demo", "season", "--evenings", "6", "--seed", "5", "--db", own)
    commands: tuple[tuple[str, ...], ...] = (
        ("board",),
        ("board", "--season", "spring"),
        ("board", "--season", "none"),
        ("board", "--to", str(folder / "board.csv")),
        ("board", "--to", str(folder / "board.xlsx")),
        ("board", "--to", str(folder / "board.pdf")),
        ("players", "list"),
        ("players", "rename", "Ann", "Ann Brown"),
        ("players", "rename", "Nobody", "Ann"),
        ("players", "rename", "Ann Brown", "=1"),
        ("players", "list"),
        ("players", "export", "Ann Brown", str(folder / "ann.zip")),
        ("players", "export", "Ann Brown", str(folder / "ann.zip")),
        ("players", "erase", "Ann Brown", "--yes"),
        ("players", "erase", "Nobody", "--yes"),
        *(("photos", "keep", days) for days in ("always", "evening", "7", "0", "soon")),
        ("photos", "clean"),
        ("export", str(folder / "all.zip")),
        ("export", str(folder / "all.zip")),
        ("import", str(folder / "all.zip")),
        ("import", str(folder / "all.zip"), "--db", f"sqlite:///{folder / 'other.sqlite3'}"),
        ("board", "--db", f"sqlite:///{folder / 'other.sqlite3'}"),
        ("backup", str(folder / "copy.sqlite3")),
        ("backup", str(folder / "copy.sqlite3")),
        ("restore", str(folder / "copy.sqlite3"), "--yes"),
        ("restore", str(folder / "board.csv"), "--yes"),
        ("restore", str(folder / "none.sqlite3")),
        ("board", "--db", "nonsense://x"),
    )
    for words in commands:
        terminal.run(*words)
    for name in ("board.csv", "board.xlsx", "ann.zip", "all.zip"):
        terminal.content(name)
    terminal.run("players", "erase", "Barbara", given="n\n")
    people: tuple[tuple[tuple[str, ...], str], ...] = (
        (("add", "Sam"), "teapot ladder moss\n"),
        (("add", "Sue", "--role", "secretary"), "short\n"),
        (("add", "Sue", "--role", "secretary"), "teapot ladder moss\n"),
        (("add", "Sam"), "teapot ladder moss\n"),
        (("password", "Sam"), "another password\n"),
        (("password", "Nobody"), "another password\n"),
        (("remove", "Sue"), ""),
        (("remove", "Sam"), ""),
        (("list",), ""),
    )
    for words, given in people:
        terminal.run("users", *words, given=given)


def _photos(terminal: Terminal, *, quick: bool) -> None:
    """Photos that are read, a set that is taught, a film that is watched."""
    folder = terminal.folder
    (folder / "photos").mkdir()
    for number, case in zip((1, 2), inside_vision.cases()[:13:12], strict=True):
        terminal.file(f"photos/photo{number}.png", _png(case.load()))
    bad = terminal.file("broken.jpg", b"just some words")
    first, second = (folder / "photos" / f"photo{number}.png" for number in (1, 2))
    terminal.run("check")
    terminal.run("read", first, "--why")
    terminal.run("read", first, bad, folder / "none.jpg", "--json", "--jobs", "1")
    terminal.run("read", bad)
    terminal.run("read", folder / "no-folder")
    terminal.run("read", first, "--set", "Nobody's")
    terminal.run("sets", "list")
    terminal.run("watch", folder / "none.avi")
    terminal.run("watch", folder / "none.avi", "--json")
    terminal.run("watch", "0", "--seat", "E")
    if quick:
        return
    terminal.run("read", folder / "photos", "--json", "--why", "--jobs", "1")
    terminal.run("read", second, "--why")
    terminal.run("read", first, first, "--together", "--why")
    terminal.run("read", first, second, "--together", "--json")
    _sets(terminal, first)
    tiles = ("1m", "2m", "3m", "4p", "5p", "6p", "7z")
    film = inside_vision.laid_film(5, inside_vision.design(), tiles, (3, 4))
    film.write(folder / "film.avi")
    terminal.run("watch", folder / "film.avi")
    terminal.run("watch", folder / "film.avi", "--json")
    terminal.run("watch", first)


def _sets(terminal: Terminal, photo: Path) -> None:
    """A set that is learnt, shown, read with and forgotten."""
    whole = terminal.file("set.png", _png(inside_vision.set_photos()[0].load()))
    terminal.run("sets", "add", "../x", whole, "--yes")
    terminal.run("sets", "add", "Club", terminal.folder / "none.png", "--yes")
    terminal.run("sets", "add", "Club", whole, "--yes", "--copies", "1f")
    terminal.run("sets", "add", "Club", whole, "--yes", "--copies", "1f=0")
    terminal.run("sets", "add", "Club", photo, "--yes")
    for words in (("list",), ("list", "--json"), ("show", "Club"), ("show", "None")):
        terminal.run("sets", *words)
    terminal.run("sets", "show", "Club", "--sheet", terminal.folder / "sheet.png")
    terminal.content("sheet.png")
    terminal.run("read", photo, "--set", "Club", "--json")
    for _ in range(2):
        terminal.run("sets", "remove", "Club")


def _png(image: Any) -> bytes:
    return bytes(cv2.imencode(".png", image)[1].tobytes())
