"""The command that reads photos, several at a time."""

from __future__ import annotations

import atexit
import gc
import json
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import click
from tqdm import tqdm

from webapp.cli.output.photo_files import PhotoFault, in_one_line, photos_named, read_photo_file
from webapp.cli.shared import INPUT_ERROR, require_vision

if TYPE_CHECKING:
    from vision import Reading, SetProfile


@click.command()
@click.argument("photos", metavar="PHOTO...", nargs=-1, required=True)
@click.option(
    "--set", "set_name", metavar="NAME", help="The set on the table: its name, or a profile's file."
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    help="How many photos to read at a time; by default as many as there are processors.",
)
@click.option("--together", is_flag=True, help="The photos show the same tiles: read them as one.")
@click.option("--why", is_flag=True, help="Tell why tiles are taken for a hand, a set or bonus.")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON reading per line.")
def read(
    photos: tuple[str, ...],
    set_name: str | None,
    jobs: int | None,
    *,
    together: bool,
    why: bool,
    as_json: bool,
) -> None:
    """Read the tiles in each PHOTO (JPEG, PNG, WebP, HEIC or AVIF), or in all photos of a folder.

    Readings come in the order in which the photos were named. A photo that cannot be read is told
    on standard error and makes the exit status 2; the others are read all the same.

    With --together each photo must show some tiles that another one shows too; the reading is in
    pixels of the first photo.

    With --why the text names each part of a hand with the reason and how sure it is; a JSON reading
    then has a "layout" too: the side of the photo at which each hand lies, and its parts.
    """
    atexit.register(gc.freeze)  # a process that ends need not search its memory for garbage
    require_vision()
    profile = _profile(set_name)
    try:
        paths = photos_named(photos)
    except PhotoFault as fault:
        raise click.ClickException(str(fault)) from fault
    if together:
        _read_as_one(paths, profile, as_json=as_json, why=why)
        return
    failed = False
    with tqdm(total=len(paths), unit="photo", disable=_quiet(len(paths)), leave=False) as progress:
        for path, answer in _answers(paths, profile, jobs or os.cpu_count() or 1):
            if isinstance(answer, PhotoFault):
                failed = True
                _tell_fault(path, answer, as_json=as_json)
            else:
                _tell(_shown(path, answer, as_json=as_json, why=why))
            progress.update()
    sys.exit(INPUT_ERROR if failed else 0)


def _read_as_one(paths: list[str], profile: SetProfile | None, *, as_json: bool, why: bool) -> None:
    """Read photos of the same tiles and print the one reading that they give together."""
    from vision import ModelError, PhotoError, ProfileError, read_together
    from webapp.cli.output.reading import reading_summary

    try:
        found = read_together([read_photo_file(path) for path in paths], profile)
    except (ModelError, ProfileError) as error:
        raise click.ClickException(in_one_line(error)) from error
    except (PhotoFault, PhotoError) as error:
        _tell_fault(" + ".join(paths), PhotoFault(in_one_line(error)), as_json=as_json)
        sys.exit(INPUT_ERROR)
    if as_json:
        layout = {"layout": found.reading.layout_json()} if why else {}
        _tell(json.dumps({**found.to_json(paths), **layout}, ensure_ascii=False))
    else:
        _tell(reading_summary(" + ".join(paths), found.reading, why=why))


def _tell_fault(path: str, fault: PhotoFault, *, as_json: bool) -> None:
    tqdm.write(f"kongbox: {path}: {fault}", file=sys.stderr)
    if as_json:
        _tell(json.dumps({"photo": path, "error": str(fault)}, ensure_ascii=False))


def _tell(text: str) -> None:
    tqdm.write(text, file=sys.stdout)


def _quiet(count: int) -> bool:
    """Whether no progress is shown, as for a single photo or without a terminal."""
    return count < 2 or not sys.stderr.isatty()


def _profile(name: str | None) -> SetProfile | None:
    if name is None:
        return None
    from vision import ProfileError
    from vision.tilesets.profile_file import load_profile

    try:
        return load_profile(name)
    except ProfileError as error:
        raise click.ClickException(in_one_line(error)) from error


def _answers(
    paths: list[str], profile: SetProfile | None, jobs: int
) -> Iterator[tuple[str, Reading | PhotoFault]]:
    """Each path with its reading or why it could not be read, in the order of the paths."""
    from vision import ModelError, ProfileError

    try:
        ask = _reader(profile)
        with ThreadPoolExecutor(min(jobs, len(paths))) as pool:
            try:
                yield from zip(paths, pool.map(ask, paths), strict=True)
            finally:
                pool.shutdown(wait=False, cancel_futures=True)
    except (ModelError, ProfileError) as error:
        raise click.ClickException(in_one_line(error)) from error


def _reader(profile: SetProfile | None) -> Callable[[str], Reading | PhotoFault]:
    from vision import PhotoError, open_reader

    reader = open_reader(profile)

    def ask(path: str) -> Reading | PhotoFault:
        try:
            return reader.read(read_photo_file(path))
        except PhotoFault as fault:
            return fault
        except PhotoError as error:
            return PhotoFault(in_one_line(error))

    return ask


def _shown(path: str, reading: Reading, *, as_json: bool, why: bool) -> str:
    from webapp.cli.output.reading import reading_summary

    if as_json:
        layout = {"layout": reading.layout_json()} if why else {}
        return json.dumps({**reading.to_json(path), **layout}, ensure_ascii=False)
    return reading_summary(path, reading, why=why)
