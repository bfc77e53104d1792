"""Drawing SVG pictures with librsvg's command."""

from __future__ import annotations

import subprocess

from datasets.designs.errors import PackageError


def draw_svg(svg: bytes, *size: str) -> bytes:
    """The picture as a PNG file.

    Args:
        svg: the picture.
        size: options of ``rsvg-convert`` for the size, such as ``--height 192``.

    Raises:
        PackageError: rsvg-convert is not installed, or cannot draw that.
    """
    command = ["rsvg-convert", "--keep-aspect-ratio", *size]
    try:
        done = subprocess.run(command, input=svg, capture_output=True, check=True)  # noqa: S603
    except FileNotFoundError as error:
        raise PackageError(
            "rsvg-convert is not installed; on Debian or Ubuntu run: "
            "sudo apt-get install librsvg2-bin"
        ) from error
    except subprocess.CalledProcessError as error:
        raise PackageError(f"a picture cannot be drawn: {error.stderr.decode()}") from error
    return done.stdout
