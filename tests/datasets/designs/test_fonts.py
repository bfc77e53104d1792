"""Finding typefaces, and fetching packages of them."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from datasets.designs import FontError, find_fonts, fonts
from datasets.designs.errors import PackageError
from datasets.designs.fonts import glyph_mask
from datasets.designs.fonts.__main__ import main
from datasets.designs.fonts.fetch import fetch_fonts, unpack_fonts
from datasets.designs.fonts.glyphs import HANZI, LATIN, NUMERALS
from tests.datasets.designs.typeface import build_typeface


@pytest.fixture(autouse=True)
def _no_system_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "_FOLDERS", ())


def make_package(path: Path) -> Path:
    """An npm package of a web font: two slices, an italic, and one without glyphs of tiles."""
    folder = path.parent / "package"
    folder.mkdir()
    build_typeface(folder / "brush-117-400-normal.woff2", NUMERALS + "中西北")
    build_typeface(folder / "brush-latin-400-normal.woff2", LATIN + "é")
    build_typeface(folder / "brush-latin-400-italic.woff2", LATIN)
    build_typeface(folder / "brush-3-400-normal.woff2", "éèêA")
    with tarfile.open(path, "w:gz") as archive:
        archive.add(folder, "package/files")
    return path


def test_without_any_typeface_the_error_says_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(FontError, match=r"sudo apt-get install fonts-noto-cjk"):
        find_fonts([tmp_path])


def test_latin_typefaces_alone_do_not_do(tmp_path: Path) -> None:
    build_typeface(tmp_path / "latin.ttf", LATIN)
    with pytest.raises(FontError, match="no typeface with Chinese characters"):
        find_fonts([tmp_path])


def test_a_typeface_in_a_folder_is_found_with_its_glyphs(tmp_path: Path) -> None:
    path = build_typeface(tmp_path / "bars.ttf", HANZI.replace("蘭", "") + LATIN)
    build_typeface(tmp_path / "WebSymbols.ttf")
    (tmp_path / "broken.ttf").write_bytes(b"no font")
    (tmp_path / "notes.txt").write_text("no font either")
    (found,) = find_fonts([tmp_path])
    assert found.name == "bars"
    assert found.glyphs["發"] == str(path)
    assert found.has("東南西北")
    assert not found.has("蘭")


def test_a_glyph_is_cropped_to_its_ink(tmp_path: Path) -> None:
    path = build_typeface(tmp_path / "bars.ttf")
    mask = glyph_mask(str(path), "中")
    assert mask.max() == 255
    assert all(edge.any() for edge in (mask[0], mask[-1], mask[:, 0], mask[:, -1]))


def test_a_package_becomes_small_files_of_one_family(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    assert unpack_fonts(make_package(tmp_path / "brush.tgz"), kept) == 2
    assert sorted(path.name for path in kept.iterdir()) == [
        "brush-117-400-normal.ttf",
        "brush-latin-400-normal.ttf",
    ]
    (found,) = find_fonts([kept])
    assert found.name == "brush-400"
    assert found.has(NUMERALS + LATIN)


def test_packages_are_fetched_with_npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = make_package(tmp_path / "brush.tgz")
    npm = tmp_path / "npm"
    npm.write_text(
        f'#!/bin/sh\n[ "$5" = good ] || exit 1\nexec /bin/cp "{package}" "$4/good-1.tgz"\n'
    )
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    fetch_fonts(tmp_path / "new", ["good"])
    assert len(list((tmp_path / "new").glob("*.ttf"))) == 2
    with pytest.raises(PackageError, match="could not fetch bad; run again"):
        fetch_fonts(tmp_path / "new", ["bad", "good"])


def test_without_npm_the_error_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PackageError, match="npm is not installed"):
        fetch_fonts(tmp_path / "new")


def test_the_command_lists_typefaces(tmp_path: Path) -> None:
    build_typeface(tmp_path / "bars.ttf")
    done = CliRunner().invoke(main, ["--fonts", str(tmp_path)])
    assert done.exit_code == 0
    assert done.output == f"bars: {len(set(HANZI + LATIN))} glyphs\n"
    done = CliRunner().invoke(main, ["--fonts", str(tmp_path / "none")])
    assert done.exit_code == 1
    assert done.output.startswith("Error: no typeface")
