"""Which language a page is shown in: the one chosen in the settings, else the browser's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from flask import Flask, has_request_context, request
from flask_babel import Babel, get_locale, gettext

from webapp.language.translation import all_translated, as_sentence, translated

LANGUAGES: Final = {"en": "English", "zh_Hans": "简体中文"}
"""What can be chosen, each by its own name; the codes are those of the catalogues' folders."""

DEFAULT: Final = "en"
COOKIE: Final = "kongbox-language"
_ACCEPTED: Final = {"en": "en", "zh": "zh_Hans"}
_TAGS: Final = {"en": "en-GB", "zh_Hans": "zh-Hans"}


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
    return DEFAULT


def html_language() -> str:
    """The language of this request as HTML names it: en-GB."""
    locale = get_locale()
    return _TAGS.get(str(locale), _TAGS[DEFAULT])


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


def set_up(app: Flask) -> None:
    """Give templates ``_`` and answer every request in its language."""
    app.config["BABEL_DEFAULT_LOCALE"] = DEFAULT
    Babel(app, locale_selector=chosen_language)
    app.jinja_env.globals.update(
        html_language=html_language,
        languages=LANGUAGES,
        translated=translated,
        all_translated=all_translated,
        as_sentence=as_sentence,
    )
