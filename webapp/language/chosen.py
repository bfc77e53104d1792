"""Which language a page is shown in: that chosen in the settings, the browser's, or the club's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from flask import Flask, current_app, has_request_context, request
from flask_babel import Babel, force_locale, get_locale, gettext

from webapp.language.translation import all_translated, as_sentence, translated


@dataclass(frozen=True, slots=True)
class Language:
    """A language of the page.

    Attributes:
        name: its own name.
        tag: what HTML calls it.
        unread: whether no native reader has read its words yet.
    """

    name: str
    tag: str
    unread: bool = False


DEFAULT: Final = "en"
COOKIE: Final = "kongbox-language"

CATALOGUES: Final = Path(__file__).parents[1] / "translations"
"""The folder with a folder of each language but English."""

_KNOWN: Final = {
    DEFAULT: Language("English", "en-GB"),
    "zh_Hans": Language("简体中文", "zh-Hans"),
    "nl": Language("Nederlands", "nl", unread=True),
    "de": Language("Deutsch", "de", unread=True),
}
"""Languages by the codes that the folders of their catalogues have."""

LANGUAGES: Final[Mapping[str, Language]] = {
    code: language
    for code, language in _KNOWN.items()
    if code == DEFAULT or (CATALOGUES / code).is_dir()
}
"""What can be chosen: the languages that have a catalogue."""

EXTENSION: Final = "kongbox-language"
"""The key of the application's extensions under which the club's language is found."""

_FOR_PROGRAMS: Final = "/api/"
"""The beginning of the addresses for programs, which the club's language does not concern."""

_ACCEPTED: Final = {code.partition("_")[0]: code for code in LANGUAGES}
"""The codes of the languages by what a browser begins theirs with."""


def chosen_language() -> str:
    """The code of the language of this request; the default outside of one."""
    if not has_request_context():
        return DEFAULT
    chosen = request.cookies.get(COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    for tag in request.accept_languages.values():
        spoken = tag.replace("_", "-").partition("-")[0].lower()
        if spoken in _ACCEPTED:
            return _ACCEPTED[spoken]
    if request.path.startswith(_FOR_PROGRAMS):
        return DEFAULT
    of_club: Callable[[], str | None] = current_app.extensions.get(EXTENSION, lambda: None)
    decided = of_club()
    return DEFAULT if decided is None or decided not in LANGUAGES else decided


def html_language() -> str:
    """The language of this request as HTML names it: en-GB."""
    locale = get_locale()
    return tag_of(str(locale))


def tag_of(code: str) -> str:
    """What HTML calls a language; English for a code that has none."""
    return LANGUAGES.get(code, LANGUAGES[DEFAULT]).tag


def reader_wanted() -> tuple[tuple[str, str], ...]:
    """That a native reader is wanted, by tag in the language of the request and in English.

    Nothing where the language was read by one.
    """
    code = chosen_language()
    if not LANGUAGES[code].unread:
        return ()
    told = []
    for language in (code, DEFAULT):
        with force_locale(language):
            told.append((tag_of(language), _wanted(code)))
    return tuple(told)


def _wanted(code: str) -> str:
    words: str = gettext(
        "No native speaker has checked the words in %(language)s yet; we would be glad of one. The"
        " words are in Kongbox's file %(file)s, the course sheets in %(sheets)s: correct what "
        "sounds wrong, or write it down, and send it to the person who gave you Kongbox.",
        language=get_locale().languages[code],
        file=f"webapp/translations/{code}/LC_MESSAGES/messages.po",
        sheets=f"webapp/course/sheets/{code}",
    )
    return words


class Translated(Mapping[str, str]):
    """Words by their codes, each in the language of the request in which it is asked for."""

    def __init__(self, words: Mapping[str, str]) -> None:
        self._words = words

    def __getitem__(self, key: str) -> str:
        words: str = gettext(self._words[key])
        return words

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def __len__(self) -> int:
        return len(self._words)


def set_up(app: Flask, of_club: Callable[[], str | None]) -> None:
    """Give templates ``_`` and answer every request in its language.

    Args:
        app: the application.
        of_club: the code of the language that the club has decided on, if any.
    """
    app.extensions[EXTENSION] = of_club
    app.config["BABEL_DEFAULT_LOCALE"] = DEFAULT
    Babel(app, locale_selector=chosen_language)
    app.jinja_env.globals.update(
        html_language=html_language,
        reader_wanted=reader_wanted,
        tag_of=tag_of,
        translated=translated,
        all_translated=all_translated,
        as_sentence=as_sentence,
    )
