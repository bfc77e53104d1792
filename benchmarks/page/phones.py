"""Phones that enter an evening at a server which may vanish, and remember what was acknowledged.

Each phone has tables and deals of its own. An entry that was not acknowledged is sent again to the
next server, as a phone does, and must then count once.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlencode

from webapp.database.ids import new_id

ANSWER_S = 30.0
"""Maximum time in seconds for an answer."""

KINDS = ("deal", "tile", "dispute", "drawn", "correction", "waited hand", "waited totals")
PLAYERS = {"E": "Ann", "S": "Bob", "W": "Cat", "N": "Dee"}
AT_TABLE = ("drawn", "waited hand", "waited totals")
HANDS = 12
"""Number of hands played at a table before the next one is opened, fewer than end a game."""

MOST_PAID = 500
"""Maximum payment in points of a hand that was corrected."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that a phone entered.

    Attributes:
        id: the id by which it counts once.
        kind: what it is, one of :data:`KINDS`.
        where: the deal or the table at which it was entered; for a deal the name of its East.
    """

    id: str
    kind: str
    where: str


@dataclass
class Phone:
    """A phone and what it has entered so far.

    Attributes:
        name: the name of the phone, which no other one has.
        kept: the acknowledged entries.
        unanswered: the entry to send again; None if all were acknowledged.
        deal: the deal into which it enters tiles and disputes; empty before the first.
        table: the table at which it enters hands; empty before the first.
        root: the part of the address below which its club's page is; empty for the only club.
    """

    name: str
    kept: list[Entry] = field(default_factory=list)
    unanswered: Entry | None = None
    deal: str = ""
    table: str = ""
    root: str = ""
    _at_table: int = 0
    _headers: dict[str, str] = field(default_factory=dict)

    def send_next(self, port: int) -> bool:
        """Send the unanswered entry again, or else the next one; whether it was acknowledged."""
        self._headers = headers = self._headers or begin_session(port, self.root)
        if not headers:
            return False
        if not self.table or (self._at_table >= HANDS and not self.unanswered):
            return self._open_table(port, headers)
        entry = self.unanswered or self._next()
        self.unanswered = entry
        place = _send(port, headers, entry, self.root)
        if place is None:
            return False
        self.unanswered = None
        self.kept.append(entry)
        self._at_table += entry.kind in AT_TABLE
        # A phone that never got the answer to a deal is told that it is there, but not where.
        if entry.kind == "deal" and "/deals/" in place:
            self.deal = place.rsplit("/", 1)[1]
        return True

    def _open_table(self, port: int, headers: dict[str, str]) -> bool:
        form = {f"name_{seat}": name for seat, name in PLAYERS.items()} | {"ruleset": "bmja-u3a"}
        opened = post(port, headers, f"{self.root}/tables", urlencode(form))
        if opened is not None:
            self.table = opened[0].rsplit("/", 1)[1]
            self._at_table = 0
        return opened is not None

    def _next(self) -> Entry:
        number = len(self.kept)
        kind = KINDS[number % len(KINDS)]
        if kind == "correction" and not self._at_table:
            kind = "drawn"
        if kind in ("tile", "dispute") and not self.deal:
            kind = "deal"
        named = {"deal": f"{self.name} {number}", "tile": self.deal, "dispute": self.deal}
        return Entry(new_id(), kind, named.get(kind, self.table))


def begin_session(port: int, root: str) -> dict[str, str]:
    """The headers with which a phone that opened the page sends its forms; none if it could not."""
    connection = HTTPConnection("127.0.0.1", port, timeout=ANSWER_S)
    try:
        connection.request("GET", f"{root}/")
        page = connection.getresponse()
        cookie = (page.getheader("Set-Cookie") or "").partition(";")[0]
        token = re.search(r'name="csrf-token" content="([^"]+)"', page.read().decode())
    except (OSError, HTTPException):
        return {}
    finally:
        connection.close()
    if token is None:
        raise RuntimeError("the page holds no token for its forms")
    kind = "application/x-www-form-urlencoded"
    return {"Content-Type": kind, "Cookie": cookie, "X-CSRFToken": token[1]}


def post(port: int, headers: dict[str, str], path: str, body: str) -> tuple[str, str] | None:
    """The address and text of the server's answer; None if the entry was not acknowledged.

    Raises:
        RuntimeError: the server refused the entry.
    """
    connection = HTTPConnection("127.0.0.1", port, timeout=ANSWER_S)
    try:
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        place, told = answer.getheader("Location") or "", answer.read().decode()
    except (OSError, HTTPException):
        return None
    finally:
        connection.close()
    if answer.status >= 400:
        raise RuntimeError(f"{path} was refused with {answer.status}")
    return place, told


def _send(port: int, headers: dict[str, str], entry: Entry, root: str) -> str | None:
    """Send an entry, and return where its answer leads; None if it was not acknowledged."""
    if entry.kind in ("waited hand", "waited totals"):
        as_json = headers | {"Content-Type": "application/json"}
        answer = post(port, as_json, f"{root}/offline/entries", _waited(entry))
        if answer is not None and json.loads(answer[1])["state"] != "kept":
            raise RuntimeError(f"what waited was refused: {answer[1]}")
        return None if answer is None else answer[0]
    path, form = _form(entry)
    answer = post(port, headers | {"X-Entry": entry.id}, root + path, urlencode(form))
    return None if answer is None else answer[0]


def _form(entry: Entry) -> tuple[str, dict[str, str]]:
    paid = {"from": "Bob", "to": "Ann", "amount": 1 + int(entry.id, 16) % MOST_PAID}
    agreed = json.dumps({"winner": "Ann", "payments": [paid]})
    return {
        "deal": ("/deals", {"name_E": entry.where, "name_S": "Ann"}),
        "tile": (
            f"/deals/{entry.where}/players/E/edit",
            {"action": "add", "mode": "tile", "label": "7z"},
        ),
        "dispute": (f"/deals/{entry.where}/dispute", {"who": "Ann", "text": entry.id}),
        "drawn": (f"/tables/{entry.where}/drawn", {}),
        "correction": (f"/tables/{entry.where}/hands/1/keep", {"hand": agreed, "why": entry.id}),
    }[entry.kind]


def _waited(entry: Entry) -> str:
    """A hand that was entered on a phone without a connection, as the page sends it."""
    sent: dict[str, object] = {
        "entry": entry.id, "game": entry.where, "number": 1, "kind": "drawn", "as_next": True
    }  # fmt: skip
    if entry.kind == "waited totals":
        told = dict.fromkeys(PLAYERS.values(), "16")
        sent |= {"kind": "totals", "totals": told, "winner": "Cat", "source": "wall"}
    return json.dumps(sent)


def lost_and_doubled(phones: list[Phone], stored: Counter[tuple[str, str]]) -> tuple[int, int]:
    """The number of acknowledged entries that are missing, and of entries that count twice.

    Args:
        phones: the phones, with what they know.
        stored: how often the database holds each entry: by the mark that :func:`mark` gives it.
    """
    told = Counter(mark(entry) for phone in phones for entry in phone.kept)
    perhaps = Counter(mark(phone.unanswered) for phone in phones if phone.unanswered)
    return (told - stored).total(), (stored - told - perhaps).total()


def mark(entry: Entry) -> tuple[str, str]:
    """By what an entry is found in the database; entries alike, such as two tiles, share one."""
    if entry.kind in AT_TABLE:
        return "hand", entry.where
    return entry.kind, entry.id if entry.kind in ("dispute", "correction") else entry.where
