"""The sample photos that come with the program."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def sample_bytes(samples_file: Path, sample: dict[str, Any]) -> bytes:
    """The photo of one sample; its path is relative to the folder of the description."""
    return (samples_file.parent / "static" / "samples" / Path(sample["photo"]).name).read_bytes()


def samples_for(samples: dict[str, Any] | None) -> list[dict[str, Any]]:
    """The samples in the order of the description, none if they are not installed."""
    return [] if samples is None else list(samples["photos"])
