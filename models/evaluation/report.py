"""Writes the tables of docs/ACCURACY.md from the figures that ``models.evaluation`` stored.

``python -m models.evaluation.report`` reads every ``models/evaluation/figures/*.json`` and replaces
the text between the lines ``<!-- accuracy -->`` and ``<!-- end of accuracy -->`` of that page;
``--check`` only checks whether the tables are up to date.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

FIGURES: Final = Path(__file__).with_name("figures")
"""Folder of the stored figures."""
PAGE: Final = Path(__file__).parents[2] / "docs" / "ACCURACY.md"
BEGIN: Final = "<!-- accuracy -->"
"""Mark at the beginning of the tables."""
END: Final = "<!-- end of accuracy -->"
"""Mark at the end of the tables."""
NAMES: Final = {
    "sheets": "photos of whole sets, 3 sets never seen",
    "retaken": "those photos taken anew: small, tilted, in poor light",
    "scenes": "phone photos on tables, 1 set never seen",
    "rendered": "rendered hands, designs never seen",
    "games": "rendered hands, 4 sets that others drew",
    "benchmark": "path-traced photos, designs never seen",
}
"""Description of each file of figures in the table."""
_ORDER: Final = tuple(NAMES)
_HEAD: Final = (
    "| pictures | tiles | found | invented | read right | suits, honours | bonus tiles | "
    "whole photo right | ECE |\n|---|---|---|---|---|---|---|---|---|\n"
)
_SIZE_HEAD: Final = (
    "| narrower side of the tile in the path-traced photos | tiles | found | read right |\n"
    "|---|---|---|---|\n"
)


class ReportError(ValueError):
    """A file of figures, or the page, has the wrong form."""


def load_figures(folder: Path) -> list[dict[str, Any]]:
    """All figures stored in a folder, plain ones before those with set profiles.

    Figures with set profiles contain plain ones of the same tiles, which are a row of their own.

    Raises:
        ReportError: there are none, or a file is damaged.
    """
    figures = []
    for path in sorted(folder.glob("*.json")):
        try:
            kept = json.loads(path.read_text("utf-8"))
        except json.JSONDecodeError as error:
            raise ReportError(f"{path} is damaged: {error}") from error
        figures.append(kept)
        if "plain" in kept:
            figures.append({**kept, **kept["plain"], "set_profile": False})
    if not figures:
        raise ReportError(
            f"{folder} holds no figures; make some with models.evaluation ... --json FILE"
        )
    return sorted(figures, key=_place)


def _place(figures: Mapping[str, Any]) -> tuple[int, str, bool]:
    what = str(figures["what"])
    known = _ORDER.index(what) if what in _ORDER else len(_ORDER)
    return known, what, bool(figures["set_profile"])


def table(figures: Iterable[Mapping[str, Any]]) -> str:
    """The Markdown table of all figures, with a row for each and the models measured.

    Raises:
        ReportError: a figure is missing.
    """
    rows, models = [], set()
    for row in figures:
        try:
            rows.append(_row(row))
            models.add(", ".join(f"{k} {v}" for k, v in sorted(row["models"].items())))
            models.add(str(row["date"]))
        except KeyError as error:
            raise ReportError(f"the figures of {row.get('what')} lack {error}") from error
    return f"{_HEAD}{''.join(rows)}\nMeasured with {'; '.join(sorted(models, reverse=True))}.\n"


def _row(figures: Mapping[str, Any]) -> str:
    detection, reading, kinds = figures["detection"], figures["reading"], figures["kinds"]
    name = NAMES.get(figures["what"], figures["what"])
    cells = [
        f"{name}, with a set profile" if figures["set_profile"] else name,
        f"{figures['tiles']} in {figures['pictures']}",
        f"{detection['recall']:.1%}",
        f"{detection['invented_per_tile']:.1%}",
        f"{reading['top1']:.1%}",
        _kind(kinds["suits and honours"]),
        _kind(kinds["bonus tiles"]),
        f"{figures['exact'] / max(1, figures['pictures']):.0%}",
        f"{reading['ece']:.3f}",
    ]
    return f"| {' | '.join(cells)} |\n"


def _kind(row: Mapping[str, float]) -> str:
    return f"{row['top1']:.1%}" if row["found"] else "none"


def size_table(figures: Iterable[Mapping[str, Any]]) -> str:
    """The Markdown table of path-traced photos by tile size, or empty text without such figures."""
    rows = [row for row in figures if row["what"] == "benchmark" and not row["set_profile"]]
    if not rows:
        return ""
    sizes = rows[0]["sizes"]
    lines = [
        f"| {size} | {row['tiles']} | {row['recall']:.1%} | {row['top1']:.1%} |\n"
        for size, row in sizes.items()
    ]
    return f"\n{_SIZE_HEAD}{''.join(lines)}"


def insert(page: str, text: str) -> str:
    """The page with ``text`` between its marks.

    Raises:
        ReportError: the page lacks a mark.
    """
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ReportError(f"the page needs the lines {BEGIN} and {END}")
    return f"{before}{BEGIN}\n{text}{END}{after}"


def main() -> None:
    """Write the tables, or check them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--figures", type=Path, default=FIGURES, help="folder of JSON figures")
    parser.add_argument("--page", type=Path, default=PAGE, help="Markdown file with the marks")
    parser.add_argument("--check", action="store_true", help="change nothing, tell if it is old")
    options = parser.parse_args()
    try:
        page = options.page.read_text("utf-8")
        figures = load_figures(options.figures)
        wanted = insert(page, table(figures) + size_table(figures))
    except (OSError, ReportError) as error:
        sys.exit(f"models.evaluation.report: {error}")
    if options.check:
        sys.exit("models.evaluation.report: the table is out of date" if page != wanted else 0)
    options.page.write_text(wanted, "utf-8")


if __name__ == "__main__":
    main()
