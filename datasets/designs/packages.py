"""Free typefaces and pictures that are published as npm packages: fetching them."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path


class PackageError(ValueError):
    """A package that cannot be fetched."""


def fetch_packages(packages: Iterable[str], take: Callable[[str, Path], object]) -> None:
    """Fetch each package with ``npm pack`` and hand its archive over.

    Args:
        packages: their names.
        take: is given a package's name and its ``.tgz`` file, which is deleted afterwards.

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
