"""The command that reads tiles live from a camera or a video."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final, NoReturn

import click

from scorer.tiles import SEATS, format_tiles
from vision.messages import Message
from webapp.cli.output.photo_files import in_one_line
from webapp.cli.shared import INPUT_ERROR, require_vision
from webapp.cli.watch.page_client import PageRefused, open_page

if TYPE_CHECKING:
    from vision.multiview.cameras import Source
    from vision.multiview.watcher import Sight, Watcher
    from vision.vocabulary.readings import HandReading

NOTHING_SETTLED: Final = (
    "No tiles lay still long enough to be read. Hold the camera still above the tiles, in good "
    "light, for two seconds."
)
"""The message for a video in which no reading settled."""

Output = Callable[["Sight"], None]


@click.command()
@click.argument("source")
@click.option(
    "--set", "set_name", metavar="NAME", help="The set on the table: its name, or a profile's file."
)
@click.option("--json", "as_json", is_flag=True, help="Write one JSON reading per line.")
@click.option("--window", is_flag=True, help="Show the picture with what is read; Q closes it.")
@click.option(
    "--table",
    metavar="LINK",
    help="Hand readings to the page at this address: copy it from the browser.",
)
@click.option(
    "--seat",
    type=click.Choice(SEATS),
    help="Give each stable reading to this player in the deal at LINK. Without it "
    "the page offers the reading beside “Take a photo”.",
)
@click.option("--user", metavar="NAME", help="Who you are, where the page asks for a login.")
def watch(
    source: str,
    set_name: str | None,
    *,
    as_json: bool,
    window: bool,
    table: str | None,
    seat: str | None,
    user: str | None,
) -> None:
    """Read the tiles before a camera, live, until Ctrl+C.

    SOURCE is the number of a camera of this computer (0 is the first), the address of a camera in
    the network (rtsp:// or http://), or a video file. Whenever the tiles lie still they are read
    from several pictures; what is read is told each time it changes.

    The password that belongs to --user is asked for, or taken from KONGBOX_PASSWORD.
    """
    require_vision()
    from vision import ModelError, ProfileError
    from vision.errors import CameraError
    from vision.multiview.cameras import parse_source
    from vision.multiview.watcher import open_watcher
    from vision.tilesets.profile_file import load_profile

    if seat is not None and table is None:
        raise click.UsageError("--seat needs --table with the address of a deal.")
    try:
        given = parse_source(source)
        outputs = [_teller(given.shown, as_json=as_json)]
        if table is not None:
            outputs.append(open_page(table, seat, user, given.shown).take)
        watcher = open_watcher(None if set_name is None else load_profile(set_name))
        settled = _watch(given, watcher, outputs, window=window)
    except KeyboardInterrupt:
        return
    except (CameraError, ModelError, ProfileError, PageRefused) as error:
        _fail(source, error, as_json=as_json)
    if given.kind == "file" and not settled:
        _fail(source, CameraError(Message(NOTHING_SETTLED)), as_json=as_json)


def _watch(source: Source, watcher: Watcher, outputs: list[Output], *, window: bool) -> bool:
    """Watch until the end of the video or until the window is closed.

    Returns:
        Whether the tiles lay still once or someone closed the window.
    """
    from vision.multiview.cameras import frames
    from webapp.cli.watch.window import Window, WindowClosed

    settled = False
    with ExitStack() as closing:
        if window:
            outputs = [*outputs, closing.enter_context(Window(source.shown)).show]
        stream = frames(source, tell=lambda text: click.echo(f"kongbox: {text}", err=True))
        closing.callback(stream.close)
        try:
            for frame in stream:
                sight = watcher.look(frame.image, frame.seconds)
                settled = settled or sight.state == "settled"
                for output in outputs:
                    output(sight)
        except WindowClosed:
            return True
    return settled


def _teller(name: str, *, as_json: bool) -> Output:
    """An output that prints a line whenever what the camera sees changes."""
    last: tuple[object, ...] = ()

    def tell(sight: Sight) -> None:
        nonlocal last
        if sight.told != last:
            last = sight.told
            click.echo(json.dumps(sight.to_json(name)) if as_json else sight_line(sight))

    return tell


def sight_line(sight: Sight) -> str:
    """What is seen now, on one line; warnings follow on lines of their own."""
    line = f"{sight.seconds:7.1f} s  {sight.state:<8}"
    if sight.reading is None:
        return line.rstrip()
    hands = "  //  ".join(_hand(hand) for hand in sight.reading.hands)
    warnings = "".join(f"\n{'':>11}! {text}" for text in sight.reading.warnings)
    return f"{line}  {hands}{warnings if sight.state == 'settled' else ''}"


def _hand(hand: HandReading) -> str:
    parts = [format_tiles(hand.concealed)]
    parts += [f"{meld.kind} {format_tiles(meld.tiles)}" for meld in hand.melds]
    parts.append(format_tiles(hand.bonus))
    return ", ".join(filter(None, parts))


def _fail(source: str, error: Exception, *, as_json: bool) -> NoReturn:
    message = in_one_line(error)
    click.echo(f"kongbox: {message}", err=True)
    if as_json:
        click.echo(json.dumps({"photo": source, "error": message}, ensure_ascii=False))
    sys.exit(INPUT_ERROR)
