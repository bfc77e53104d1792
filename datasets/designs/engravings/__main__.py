"""Fetch tile faces that others drew, or list those in a folder."""

from __future__ import annotations

from pathlib import Path

import click

from datasets.designs.engravings import find_engravings
from datasets.designs.engravings.fetch import fetch_engravings
from datasets.designs.errors import DesignError, PackageError


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option("--fetch", type=click.Path(path_type=Path), help="Get free ones into DIR.")
def main(folder: Path | None, fetch: Path | None) -> None:
    """List the engravings in FOLDER, or fetch them first."""
    folder = fetch or folder
    if folder is None:
        raise click.UsageError("name a folder with engravings, or one for new ones: --fetch DIR")
    try:
        missing = fetch_engravings(fetch) if fetch else []
        for engravings in find_engravings(folder):
            art = "colours" if engravings.coloured else "lines"
            click.echo(f"{engravings.name}: {len(engravings.faces)} tiles in {art}")
    except (DesignError, PackageError, OSError) as error:
        raise click.ClickException(str(error)) from error
    if missing:
        click.echo(f"not installed, for more: sudo apt-get install {' '.join(missing)}")


if __name__ == "__main__":
    main()
