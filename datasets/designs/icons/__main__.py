"""Fetch the icons that drawn tiles can use, or list those in a folder."""

from __future__ import annotations

from pathlib import Path

import click

from datasets.designs.errors import DesignError, PackageError
from datasets.designs.icons import find_icons
from datasets.designs.icons.fetch import fetch_icons


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option("--fetch", type=click.Path(path_type=Path), help="Fetch free icons into DIR.")
def main(folder: Path | None, fetch: Path | None) -> None:
    """List the icons in FOLDER, or fetch them first."""
    folder = fetch or folder
    if folder is None:
        raise click.UsageError("name a folder with icons, or one for new ones: --fetch DIR")
    try:
        if fetch:
            fetch_icons(fetch)
        for icons in find_icons(folder):
            click.echo(f"{icons.name}: {len(icons.birds)} birds, {len(icons.others)} others")
    except (DesignError, PackageError, OSError) as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main()
