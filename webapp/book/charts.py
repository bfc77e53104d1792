"""Charts of a player's evenings as SVG pictures, drawn by pygal but without its scripts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import accumulate
from typing import Any, Final
from xml.etree.ElementTree import Element, tostring

import pygal
from flask_babel import gettext
from pygal.style import Style

from webapp.book.ratings import Rating
from webapp.language.days import shortest_day
from webapp.language.numbers import grouped

WIDTH: Final = 480
"""Width of a chart in units of the SVG."""

HEIGHT: Final = 300
"""Height of a chart in units of the SVG."""

LABELS: Final = 4
"""Maximum number of days that are written below a chart."""

_STYLE: Final = Style(
    background="#ffffff",
    plot_background="#ffffff",
    foreground="#1b2320",
    foreground_strong="#1b2320",
    foreground_subtle="#b9c2bd",
    opacity=".9",
    guide_stroke_color="#c9d0cc",
    major_guide_stroke_color="#c9d0cc",
    colors=("#0b5c38", "#0a5a8c", "#7a3d00"),
    font_family="system-ui, sans-serif",
    label_font_size=17,
    major_label_font_size=17,
    value_font_size=17,
    value_label_font_size=17,
    tooltip_font_size=17,
    no_data_font_size=20,
    stroke_width="3",
)
"""Colours and sizes of a chart, those of the page in light colours."""


def _chart(kind: type[Any], **settings: Any) -> Any:  # noqa: ANN401 - pygal has no types
    return kind(
        width=WIDTH,
        height=HEIGHT,
        style=_STYLE,
        js=[],
        show_legend=False,
        disable_xml_declaration=True,
        margin=8,
        truncate_label=-1,
        max_scale=7,
        value_formatter=lambda value: grouped(round(value)),
        **settings,
    )


def _days(chart: Any, days: Sequence[date]) -> None:  # noqa: ANN401 - pygal has no types
    """Set the days of a chart as its labels, of which only a few are shown."""
    told = [shortest_day(day) for day in days]
    chart.x_labels = told
    step = max(1, -(-len(told) // LABELS))
    chart.x_labels_major = told[::step]


def _drawn(chart: Any) -> bytes:  # noqa: ANN401 - pygal has no types
    """The chart as SVG, without the script that pygal adds."""
    root: Element = chart.render_tree()
    for parent in root.findall(".//{*}script/.."):
        for script in parent.findall("{*}script"):
            parent.remove(script)
    return tostring(root)


def form_chart(evenings: Sequence[tuple[date, int]]) -> bytes:
    """A line chart of the points won or lost since the first evening.

    Args:
        evenings: day and gain of each evening, in order; at least one.
    """
    days = [day for day, _ in evenings]
    chart = _chart(pygal.Line, include_x_axis=True, show_minor_x_labels=False, dots_size=3)
    _days(chart, days)
    chart.add(gettext("Points since the beginning"), list(accumulate(g for _, g in evenings)))
    return _drawn(chart)


def evenings_chart(evenings: Sequence[tuple[date, int]]) -> bytes:
    """A bar chart of the points won or lost at each evening.

    Args:
        evenings: day and gain of each evening, in order; at least one.
    """
    chart = _chart(pygal.Bar, show_minor_x_labels=False)
    _days(chart, [day for day, _ in evenings])
    chart.add(gettext("Points of the evening"), [gain for _, gain in evenings])
    return _drawn(chart)


def rating_chart(ratings: Sequence[Rating]) -> bytes:
    """A line chart of the rating after each evening.

    Args:
        ratings: the ratings in order; at least one.
    """
    last = {rating.day: rating for rating in ratings}
    chart = _chart(pygal.Line, show_minor_x_labels=False, dots_size=3)
    _days(chart, list(last))
    chart.add(gettext("Rating"), [rating.points for rating in last.values()])
    return _drawn(chart)
