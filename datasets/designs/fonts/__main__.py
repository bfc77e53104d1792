"""List the typefaces that drawn tiles can use, or fetch more."""

from __future__ import annotations

from pathlib import Path

import click

from datasets.designs.errors import FontError, PackageError
from datasets.designs.fonts import find_fonts
from datasets.designs.fonts.fetch import fetch_fonts


@click.command()
@click.option("--fetch", type=click.Path(path_type=Path), help="Fetch free typefaces into DIR.")
@click.option("--fonts", type=click.Path(path_type=Path), help="Also search this folder.")
def main(fetch: Path | None, fonts: Path | None) -> None:
    """List the typefaces found, or fetch the free brush and display faces first."""
    try:
        if fetch:
            fetch_fonts(fetch)
        for font in find_fonts([folder for folder in (fetch, fonts) if folder]):
            click.echo(f"{font.name}: {len(font.glyphs)} glyphs")
    except (FontError, PackageError) as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main()
