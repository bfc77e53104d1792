from __future__ import annotations

from pathlib import Path

import pytest

from webapp.cli.output.photo_files import photos_named


@pytest.mark.parametrize("name", ["a.HIF", "a.heic", "a.HEIF", "a.avif", "a.webp", "a.bmp"])
def test_a_folder_gives_what_phones_and_cameras_call_their_photos(
    name: str, tmp_path: Path
) -> None:
    (tmp_path / name).touch()
    (tmp_path / "notes.txt").touch()
    assert photos_named((str(tmp_path),)) == [str(tmp_path / name)]
