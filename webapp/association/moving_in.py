"""What a club that joins an association brings along beside its book: rulesets and tile sets."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from webapp.association.machines.mirror import FILES, Mirror
from webapp.association.places import Places

OWN: Final = {"rulesets": ".toml", "sets": ".kongset"}
"""The folders of a club's own files, and how their names end."""


def bring_files(places: Places, club_id: str, source: Path) -> int:
    """Copy a club's rulesets and tile sets, and tell how many; none takes the place of another.

    Args:
        places: where the clubs of the association keep what is their own.
        club_id: the club.
        source: the data folder of the computer on which the club had Kongbox.
    """
    folder, mirror = places.folder_of(club_id), None
    if places.engine.dialect.name != "sqlite":
        mirror = Mirror(places.database_of(club_id), folder)
        mirror.pull()
    count = _copy(source, folder)
    if mirror is not None and mirror.push():
        from webapp.association.machines.signals import Signals

        Signals(places.engine).send(FILES, club_id)
    return count


def _copy(source: Path, folder: Path) -> int:
    count = 0
    for name, end in OWN.items():
        (folder / name).mkdir(mode=0o700, exist_ok=True)
        for file in sorted((source / name).glob(f"*{end}")):
            if not (folder / name / file.name).exists():
                shutil.copyfile(file, folder / name / file.name)
                count += 1
    return count
