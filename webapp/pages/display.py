"""The settings of how pages look on a device: language, size of print, contrast and colours.

What is chosen is stored in cookies of the device, without a login; what is not chosen follows the
settings of the device.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from flask import (
    Blueprint,
    Flask,
    flash,
    has_request_context,
    redirect,
    render_template,
    request,
    url_for,
)
from flask_babel import force_locale, gettext, lazy_gettext
from werkzeug.wrappers import Response

from webapp.language import chosen as languages
from webapp.security.policy import ANYBODY, Policy

pages = Blueprint("display", __name__)

KEPT_FOR: Final = timedelta(days=400)
"""How long a choice is kept: the longest time for which browsers keep a cookie."""

_SAME: Final = lazy_gettext("As this device is set")
"""The words for following the device."""

_NAMES: Final = {code: language.name for code, language in languages.LANGUAGES.items()}
"""The languages, each by its own name."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One setting; its empty value follows the device.

    Attributes:
        title: the name of the setting.
        values: the words for each value.
    """

    title: Any
    values: Mapping[str, Any]


CHOICES: Final[Mapping[str, Choice]] = {
    "language": Choice(lazy_gettext("Language"), {"": _SAME, **_NAMES}),
    "print": Choice(
        lazy_gettext("Size of print"),
        {
            "": lazy_gettext("Usual"),
            "large": lazy_gettext("Large"),
            "largest": lazy_gettext("Very large"),
        },
    ),
    "contrast": Choice(
        lazy_gettext("Contrast"), {"": _SAME, "high": lazy_gettext("High: black and white")}
    ),
    "colours": Choice(
        lazy_gettext("Background"),
        {"": _SAME, "light": lazy_gettext("Light"), "dark": lazy_gettext("Dark")},
    ),
}
"""The settings, by the names of their form fields."""


def cookie(name: str) -> str:
    """The name of the cookie that stores a setting."""
    return languages.COOKIE if name == "language" else f"kongbox-{name}"


def chosen(name: str) -> str:
    """The value that was chosen on this device; empty if none was."""
    value = request.cookies.get(cookie(name), "") if has_request_context() else ""
    return value if value in CHOICES[name].values else ""


def media(*, dark: bool, contrast: bool) -> str:
    """The media query under which a style sheet for dark or high-contrast pages applies."""
    wanted = []
    if dark:
        colours = chosen("colours")
        wanted.append(
            {"dark": "all", "light": "not all"}.get(colours, "(prefers-color-scheme: dark)")
        )
    if contrast:
        wanted.append("all" if chosen("contrast") else "(prefers-contrast: more)")
    if "not all" in wanted:
        return "not all"
    return " and ".join(query for query in wanted if query != "all") or "all"


@pages.get("/settings")
@Policy(ANYBODY)
def show() -> str:
    """Show the settings of this device, and the ways to those of the club."""
    return render_template("settings.html", choices=CHOICES, chosen=chosen)


@pages.post("/settings")
@Policy(ANYBODY, once=False)
def keep() -> Response:
    """Store the settings of this device."""
    response = redirect(url_for("display.show"), 303)
    given = {name: request.form.get(name, "") for name in CHOICES}
    for name, value in given.items():
        if value and value in CHOICES[name].values:
            response.set_cookie(
                cookie(name),
                value,
                max_age=KEPT_FOR,
                httponly=True,
                samesite="Lax",
            )
        else:
            response.delete_cookie(cookie(name))
    with force_locale(given["language"] if given["language"] in languages.LANGUAGES else "en"):
        flash(gettext("Saved on this device."), "good")
    return response


def set_up(app: Flask) -> None:
    """Register the page and give templates the settings of the device."""
    app.register_blueprint(pages)
    app.jinja_env.globals.update(display=chosen, display_media=media)
