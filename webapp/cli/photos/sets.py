"""The commands that teach Kongbox a tile set from photos of its faces."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scorer.tiles import NAMES, READING_LABELS, TILES, sort_tiles
from webapp.cli.output.photo_files import PhotoFault, in_one_line, read_photo_file
from webapp.cli.shared import require_vision

if TYPE_CHECKING:
    from vision.tilesets.profile import SetProfile
    from vision.tilesets.teaching import SetPhoto

_SKIP = "-"
"""The answer about a tile that is not to be learnt."""


@click.command()
@click.argument("name")
@click.argument("photos", metavar="PHOTO...", nargs=-1, required=True)
@click.option("--yes", is_flag=True, help="Accept every label without asking.")
@click.option(
    "--white-dragon",
    type=click.Choice(["seen", "blank", "marked"]),
    default="seen",
    show_default=True,
    help="Whether it is a tile with nothing on it, or as it looks in the photo.",
)
@click.option(
    "--copies",
    metavar="TILE=N",
    multiple=True,
    help="The set has N of this tile, not 4 (of a bonus tile 1); 0 if it has none.",
)
def add(
    name: str, photos: tuple[str, ...], *, yes: bool, white_dragon: str, copies: tuple[str, ...]
) -> None:
    """Learn the set NAME from each PHOTO, or add to what is known of it.

    A photo shows one of each of the 42 faces, or the three dragons, the flowers and the seasons
    alone, in any order. You are asked about the few tiles that are not clear.
    """
    require_vision()
    from vision.tilesets.profile import ProfileError
    from vision.tilesets.profile_file import known_as, load_profile, save_profile

    try:
        before = known_as(name)
        known = load_profile(before) if before else None
        numbers = _copies(copies)
        pictures = [_labelled(name, photo, yes=yes) for photo in photos]
        profile = _learn(name, known, pictures, white_dragon, numbers)
        path = save_profile(profile)
    except (ProfileError, PhotoFault) as error:
        raise click.ClickException(in_one_line(error)) from error
    click.echo(_summary(profile))
    absent = [tile for tile in TILES if not profile.shot_counts()[tile]]
    if absent and absent != list(TILES):
        click.echo(f"Not seen yet: {', '.join(NAMES[tile] for tile in absent)}.")
    click.echo(f"Kept in {path}. Read photos with: kongbox read PHOTO --set {name!r}")


def _copies(values: Iterable[str]) -> dict[str, int]:
    numbers = {}
    for value in values:
        label, _, number = value.partition("=")
        if label not in TILES or not number.isdecimal():
            raise click.BadParameter(
                f"{value!r} is not of the form TILE=N, such as 1f=0.", param_hint="--copies"
            )
        numbers[label] = int(number)
    return numbers


def _labelled(name: str, photo: str, *, yes: bool) -> SetPhoto:
    """One photo with the labels of its tiles, after questions about the doubtful ones."""
    from vision import ModelError, PhotoError, read_set_photo
    from vision.tilesets.profile import ProfileError

    try:
        picture = read_set_photo(read_photo_file(photo))
    except (PhotoError, ProfileError) as error:
        raise PhotoFault(f"{photo}: {in_one_line(error)}") from error
    except ModelError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{photo}: {len(picture.tiles)} tiles")
    for warning in picture.warnings:
        click.echo(f"  ! {warning}")
    if yes or not picture.doubtful():
        return picture
    return _asked(name, picture)


def _asked(name: str, picture: SetPhoto) -> SetPhoto:
    from vision.runtime.opencv import cv2
    from vision.tilesets.contact_sheet import contact_sheet
    from vision.tilesets.profile_file import profile_path

    doubtful = picture.doubtful()
    tiles = [picture.tiles[index] for index in doubtful]
    captions = [f"{number}: {tile.label} ?" for number, tile in enumerate(tiles, 1)]
    sheet = profile_path(name).with_suffix(".png")
    sheet.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    _done, data = cv2.imencode(".png", contact_sheet([tile.crop for tile in tiles], captions))
    sheet.write_bytes(data.tobytes())
    click.echo(
        f"{len(tiles)} of them are not clear; they are shown in {sheet}\n"
        f"For each press Enter if it is right, or give the tile's code, or {_SKIP} to leave it out."
    )
    said: dict[int, str] = {}
    for number, index in enumerate(doubtful, 1):
        tile = picture.tiles[index]
        question = f"  tile {number} of the sheet: {NAMES[tile.label]}"
        said[index] = click.prompt(question, default=tile.label, type=click.Choice(_answers()))
    left_out = [index for index, label in said.items() if label == _SKIP]
    labels = {index: label for index, label in said.items() if label != _SKIP}
    return picture.with_labels(labels).without(left_out)


def _answers() -> list[str]:
    return [*READING_LABELS, _SKIP]


def _learn(
    name: str,
    known: SetProfile | None,
    pictures: list[SetPhoto],
    white_dragon: str,
    copies: dict[str, int],
) -> SetProfile:
    from vision import open_classifier
    from vision.tilesets.profile import make_profile, seen_by, with_copies, with_shots

    classifier = open_classifier()
    shots = [shot for picture in pictures for shot in picture.shots()]
    seen = [blank for picture in pictures if (blank := picture.blank_white()) is not None]
    blank = {"blank": True, "marked": False}.get(white_dragon, any(seen) if seen else None)
    if known is None:
        profile = make_profile(name, shots, classifier.entry, blank_white=bool(blank))
    else:
        profile = with_shots(seen_by(known, classifier), shots, blank_white=blank)
    return with_copies(profile, copies)


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object per set.")
def list_sets(*, as_json: bool) -> None:
    """List the sets that Kongbox knows."""
    require_vision()
    from vision.tilesets.profile import ProfileError
    from vision.tilesets.profile_file import list_profiles, load_profile

    names = list_profiles()
    if not names and not as_json:
        click.echo("No sets yet. Add one with: kongbox sets add NAME PHOTO")
    for name in names:
        try:
            profile = load_profile(name)
        except ProfileError as error:
            click.echo(f"kongbox: {in_one_line(error)}", err=True)
            continue
        click.echo(json.dumps(_facts(profile)) if as_json else _summary(profile))


def _facts(profile: SetProfile) -> dict[str, object]:
    counts = profile.shot_counts()
    return {
        "name": profile.name,
        "shots": {label: counts[label] for label in sort_tiles(counts)},
        "white_dragon": "blank" if profile.blank_white else "marked",
        "copies": dict(profile.copies),
        "classifier": profile.version,
    }


def _summary(profile: SetProfile) -> str:
    faces = sum(label in TILES for label in profile.shot_counts())
    white = "blank" if profile.blank_white else "marked"
    return (
        f"{profile.name}: {faces} of {len(TILES)} faces, {len(profile.shots)} pictures, "
        f"white dragon {white}"
    )


@click.command()
@click.argument("name")
@click.option(
    "--sheet", type=click.Path(dir_okay=False, path_type=Path), help="Draw its pictures as a PNG."
)
@click.option("--json", "as_json", is_flag=True, help="Write a JSON object.")
def show(name: str, sheet: Path | None, *, as_json: bool) -> None:
    """Tell what is known of the set NAME, and where its file is, which can be shared."""
    require_vision()
    from vision.runtime.opencv import cv2
    from vision.tilesets.contact_sheet import contact_sheet
    from vision.tilesets.profile import ProfileError
    from vision.tilesets.profile_file import load_profile, profile_path

    try:
        profile = load_profile(name)
        path = profile_path(profile.name)
    except ProfileError as error:
        raise click.ClickException(in_one_line(error)) from error
    if as_json:
        click.echo(json.dumps(_facts(profile)))
    else:
        counts = profile.shot_counts()
        lines = [_summary(profile), f"  file: {path}", f"  classifier: {profile.version}"]
        lines += [f"  {counts[label]} x {NAMES[label]}" for label in sort_tiles(counts)]
        lines += [f"  the set has {n} of {NAMES[label]}" for label, n in profile.copies.items()]
        click.echo("\n".join(lines))
    if sheet is not None:
        shots = sorted(profile.shots, key=lambda shot: READING_LABELS.index(shot.label))
        picture = contact_sheet([s.crop for s in shots], [s.label for s in shots], columns=9)
        done, data = cv2.imencode(".png", picture)
        try:
            sheet.write_bytes(data.tobytes() if done else b"")
        except OSError as error:
            raise click.ClickException(
                f"{sheet} cannot be written: {error.strerror or error}."
            ) from error


@click.command()
@click.argument("name")
def remove(name: str) -> None:
    """Forget the set NAME."""
    require_vision()
    from vision.tilesets.profile import ProfileError
    from vision.tilesets.profile_file import remove_profile

    try:
        remove_profile(name)
    except ProfileError as error:
        raise click.ClickException(in_one_line(error)) from error
    click.echo(f"{name} is forgotten.")
