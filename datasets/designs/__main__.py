"""Draw tile-set designs into a folder, or a contact sheet of some."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click
import cv2
from tqdm import tqdm

from datasets.designs import (
    DesignError,
    FontError,
    draw_design,
    find_fonts,
    has_formal_numerals,
    has_loose_pictures,
    has_worded_bonus,
    save_design,
)
from datasets.designs.rarer import draw_rarer_design
from datasets.designs.sheet import contact_sheet
from scorer.tiles import BLANK, OTHER, TILES

_KINDS: Final = {
    "formal": has_formal_numerals,
    "worded": has_worded_bonus,
    "loose": has_loose_pictures,
}
"""Rare features that can be required of every set, with the function that tests a seed for each."""


@click.command()
@click.option("--count", type=click.IntRange(min=1), default=20, show_default=True)
@click.option("--first-seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--out", type=click.Path(path_type=Path), help="Folder for NNNN.npz files.")
@click.option("--sheet", type=click.Path(path_type=Path), help="Contact sheet to write (.png).")
@click.option("--fonts", type=click.Path(path_type=Path), help="Folder with further typefaces.")
@click.option(
    "--only",
    type=click.Choice(list(_KINDS)),
    help="Of these, only the sets with formal numerals, with words on the bonus tiles, or with "
    "any picture on them.",
)
@click.option("--rarer", is_flag=True, help="Give each set some of what few sets have.")
@click.option("--quality", type=click.IntRange(1, 100), default=93, help="JPEG quality of faces.")
def main(
    count: int,
    first_seed: int,
    out: Path | None,
    sheet: Path | None,
    fonts: Path | None,
    quality: int,
    only: str | None,
    *,
    rarer: bool,
) -> None:
    """Draw COUNT tile sets; designs that are already in the folder are kept."""
    if out is None and sheet is None:
        raise click.UsageError("say where to write: --out DIR, --sheet PNG or both")
    draw = draw_rarer_design if rarer else draw_design
    seeds: Sequence[int] = range(first_seed, first_seed + count)
    try:
        typefaces = find_fonts([fonts] if fonts else [])
        if only is not None:
            seeds = [seed for seed in seeds if _KINDS[only](seed, typefaces)]
        if out is not None:
            out.mkdir(parents=True, exist_ok=True)
            for seed in tqdm(seeds, desc="designs"):
                path = out / f"{seed:04d}.npz"
                if not path.exists():
                    save_design(draw(seed, typefaces), path, quality)
        if sheet is not None:
            designs = [draw(seed, typefaces) for seed in tqdm(seeds, desc="sheet")]
            keys = [*TILES, BLANK, OTHER, f"{OTHER}#1", f"{OTHER}#2"]
            encoded = cv2.imencode(".png", contact_sheet(designs, keys))[1]
            sheet.write_bytes(encoded.tobytes())
    except (FontError, DesignError, OSError) as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main()
