"""The command that writes a file of photos for those who improve the reading."""

from __future__ import annotations

from pathlib import Path

import click

from webapp.cli.shared import db_option, opened, require_vision


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@db_option
def donate(file: Path, db: str | None) -> None:
    """Write the photos and what people said of their tiles to the new ZIP FILE, without names.

    Only where the club has decided that they may be given, on the page “Our club”.
    """
    require_vision()
    from webapp.rereading.donation import GiftRefused, write_gift

    with opened(db, GiftRefused) as engine:
        count = write_gift(engine, file)
    click.echo(
        f"{file}: {count} photos, {file.stat().st_size / 1e6:.1f} MB. Look through the pictures "
        "before you send it: what else lay on the table is on them, too."
    )
