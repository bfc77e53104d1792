"""Downloads free typefaces and pictures that are published as npm packages."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.designs.errors import DesignError, PackageError

Kept = TypeVar("Kept")


def fetch_packages(packages: Iterable[str], take: Callable[[str, Path], object]) -> None:
    """Fetch each package with ``npm pack`` and process its archive.

    Args:
        packages: names of the packages.
        take: called with a package's name and its ``.tgz`` file, which is deleted afterwards.

    Raises:
        PackageError: npm is not installed, or some packages could not be fetched.
    """
    from tqdm import tqdm

    npm = shutil.which("npm")
    if npm is None:
        raise PackageError(
            "npm is not installed; on Debian or Ubuntu run: sudo apt-get install npm"
        )
    failed = []
    for package in tqdm(list(packages), desc="packages"):
        with tempfile.TemporaryDirectory() as work:
            command = [npm, "pack", "--silent", "--pack-destination", work, package]
            done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603
            archives = list(Path(work).glob("*.tgz"))
            if done.returncode or not archives:
                failed.append(package)
            else:
                take(package, archives[0])
    if failed:
        raise PackageError(f"could not fetch {', '.join(failed)}; run again to retry")


def read_transparent(path: Path) -> NDArray[np.uint8] | None:
    """A picture (h, w, 4) uint8 BGRA, or None if the file is not one with transparency."""
    picture = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None or picture.ndim != 3 or picture.shape[2] != 4:
        return None
    return np.asarray(picture, np.uint8)


def sets_in(
    folder: Path | None, what: str, take: Callable[[Path], Kept | None]
) -> tuple[Kept, ...]:
    """Sets of pictures that were downloaded into a folder, each in its own subfolder.

    Args:
        folder: the folder; None for no sets.
        what: name of the module of :mod:`datasets.designs` that downloads them.
        take: creates a set from its subfolder, or returns None if it holds too little.

    Raises:
        DesignError: the folder holds no set.
    """
    if folder is None:
        return ()
    paths = sorted(folder.iterdir()) if folder.is_dir() else []
    found = tuple(one for one in map(take, paths) if one is not None)
    if not found:
        raise DesignError(
            f"{folder} holds no {what}; get some with: "
            f"python -m datasets.designs.{what} --fetch {folder}"
        )
    return found
