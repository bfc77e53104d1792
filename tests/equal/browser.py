"""A browser whose every request is recorded, with the answer that it got."""

from __future__ import annotations

import html
import io
import re
from collections import Counter
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any, Final

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.equal import inside_page as inside
from tests.equal.canonical import digest
from tests.equal.masks import Masks
from tests.equal.records import Records

Form = Mapping[str, Any]

LANGUAGES: Final = {"en": "en", "zh": "zh_Hans"}
_COOKIE: Final = "kongbox-language"
_LEFT_OUT: Final = frozenset(
    {"Content-Length", "Date", "ETag", "Expires", "Last-Modified", "Set-Cookie"}
)
_MOST_HOPS: Final = 4


class Browser:
    """Asks a club for pages in one language and records what comes.

    Args:
        records: where to.
        club: whose pages are asked for.
        scene: begins the keys of the records.
        language: a key of :data:`LANGUAGES`.
    """

    def __init__(self, records: Records, club: inside.Club, scene: str, language: str) -> None:
        self.club = club
        self._records, self._scene, self._language = records, f"{scene} {language}", language
        self._masks = Masks([(str(club.folder), "<folder>")])
        self._times: Counter[str] = Counter()
        self.client: FlaskClient = club.client()
        self.leave()

    def leave(self) -> None:
        """Take another device, which nobody is logged in with."""
        self.client = self.club.client()
        self.client.set_cookie(_COOKIE, LANGUAGES[self._language])

    def enter(self, name: str) -> None:
        """Log in on another device."""
        self.leave()
        self.client.post("/login", data={"name": name, "password": inside.PASSWORD})

    def get(self, path: str, note: str = "", **more: Any) -> TestResponse:
        """Ask for a page, and for those that it leads on to; gives the last."""
        return self._asked("GET", path, None, note, more)

    def post(
        self, path: str, form: Form | None = None, note: str = "", *, wait: bool = True, **more: Any
    ) -> TestResponse:
        """Send a form, and ask for what it leads on to; gives the first answer.

        ``wait`` is false where the answer is asked for while a photo is still being read.
        """
        return self._asked("POST", path, form, note, more, wait=wait)

    def send(self, path: str, form: Form | None = None) -> str:
        """Send a form without recording it; gives where it leads."""
        answer = self.client.post(path, data=form)
        inside.rest(self.club)
        return answer.headers.get("Location", path)

    def _asked(
        self,
        method: str,
        path: str,
        form: Form | None,
        note: str,
        more: dict[str, Any],
        *,
        wait: bool = True,
    ) -> TestResponse:
        sent = {name: _sent(value) for name, value in (form or {}).items()}
        if form is not None:
            more = {**more, "data": form}
        answer = first = self.client.open(path, method=method, **more)
        told = [self._told(answer)]
        while 300 <= answer.status_code < 400 and len(told) <= _MOST_HOPS:
            if wait:
                inside.rest(self.club)
            answer = self.client.get(answer.headers["Location"])
            told.append(self._told(answer))
        if wait:
            inside.rest(self.club)
        self._keep(f"{method} {path} {note}".rstrip(), sent, told)
        return first if method == "POST" else answer

    def _keep(self, asked: str, sent: dict[str, Any], told: list[Any]) -> None:
        key = self._masks.text(f"{self._scene} {asked}")
        self._times[key] += 1
        if self._times[key] > 1:
            key = f"{key} #{self._times[key]}"
        masked = {name: self._masks.text(text) for name, text in sent.items()}
        self._records.add(key, {"sent": masked, "answers": told})

    def _told(self, answer: TestResponse) -> Any:
        with answer:
            headers = {
                name: self._masks.text(value)
                for name, value in sorted(answer.headers.items())
                if name not in _LEFT_OUT
            }
            if "Allow" in headers:
                headers["Allow"] = ", ".join(sorted(headers["Allow"].split(", ")))
            body = self._masks.body(answer.mimetype or "", answer.data)
        cookies = [cookie.partition("=")[0] for cookie in answer.headers.getlist("Set-Cookie")]
        return {"status": answer.status_code, "headers": headers, "cookies": cookies, "body": body}


def _sent(value: Any) -> str:
    """A field of a form as it is recorded."""
    if isinstance(value, tuple) and isinstance(value[0], io.BytesIO):
        return f"{value[1]} {digest(value[0].getvalue())}"
    if isinstance(value, list):
        return ", ".join(_sent(each) for each in value)
    return str(value)


def led(answer: TestResponse) -> str:
    """Where an answer leads; to the start where it leads nowhere."""
    return answer.headers.get("Location", "/")


def file(data: bytes, name: str = "a.jpg") -> tuple[io.BytesIO, str]:
    """A file as a form sends it."""
    return io.BytesIO(data), name


class _Links(HTMLParser):
    """Where the links of a page lead."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.found += [
                text.partition("#")[0] for name, text in attrs if name == "href" and text
            ]


TOKENS = ("csrf_token", "entry")
"""The hidden fields of every form."""


def links(page: str) -> list[str]:
    """The links of a page in their order."""
    reader = _Links()
    reader.feed(page)
    return [link for link in reader.found if link.startswith("/")]


def hidden(page: str) -> dict[str, str]:
    """The hidden fields of a page, the tokens apart."""
    found = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page)
    return {name: html.unescape(text) for name, text in found if name not in TOKENS}


def fields(page: str) -> dict[str, str]:
    """The fields of a page as they are filled in."""
    found: dict[str, str] = {}
    for tag in re.findall(r"<input\b[^>]*>", page):
        name, value = (re.search(rf'\b{key}="([^"]*)"', tag) for key in ("name", "value"))
        if name and (not re.search('type="(checkbox|radio)"', tag) or " checked" in tag):
            found[name[1]] = html.unescape(value[1]) if value else "on"
    for name, body in re.findall(r'<select name="([^"]+)"[^>]*>(.*?)</select>', page, re.DOTALL):
        chosen = re.search(r'value="([^"]*)" selected', body)
        found[name] = html.unescape(chosen[1]) if chosen else ""
    return {name: value for name, value in found.items() if name not in TOKENS}
