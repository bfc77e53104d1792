"""Enters a model's file in the registry of shipped models."""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parents[1]
"""Folder of the shipped models."""


def register(name: str, path: Path, version: str) -> None:
    """Enter the checksum and version of a model file in the registry beside it."""
    registry = path.with_name("registry.toml")
    entries = tomllib.loads(registry.read_text()) if registry.exists() else {}
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    entries[name] = {"file": path.name, "sha256": digest, "version": version}
    tables = [
        "\n".join([f"[{key}]", *(f'{field} = "{value}"' for field, value in entry.items())])
        for key, entry in sorted(entries.items())
    ]
    registry.write_text("\n\n".join(tables) + "\n")
