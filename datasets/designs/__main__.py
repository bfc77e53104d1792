"""Draw tile-set designs into a folder, or a contact sheet of some."""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
from tqdm import tqdm

from datasets.designs import FontError, draw_design, find_fonts, save_design
from datasets.designs.sheet import contact_sheet
from scorer.tiles import BLANK, OTHER, TILES


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m datasets.designs", description=__doc__)
    parser.add_argument("--count", type=int, default=20, help="how many designs (default 20)")
    parser.add_argument("--first-seed", type=int, default=0, help="seed of the first (default 0)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write NNNN.npz files here")
    parser.add_argument("--sheet", type=Path, metavar="PNG", help="write a contact sheet")
    parser.add_argument("--fonts", type=Path, metavar="DIR", help="further typefaces")
    parser.add_argument("--quality", type=int, default=93, help="JPEG quality of the faces")
    options = parser.parse_args()
    if not (options.out or options.sheet):
        parser.error("say where to write: --out DIR, --sheet PNG or both")
    if options.count < 1 or options.first_seed < 0:
        parser.error("--count must be at least 1 and --first-seed at least 0")
    seeds = range(options.first_seed, options.first_seed + options.count)
    try:
        fonts = find_fonts([options.fonts] if options.fonts else [])
        if options.out:
            options.out.mkdir(parents=True, exist_ok=True)
            for seed in tqdm(seeds, desc="designs"):
                path = options.out / f"{seed:04d}.npz"
                if not path.exists():
                    save_design(draw_design(seed, fonts), path, options.quality)
        if options.sheet:
            designs = [draw_design(seed, fonts) for seed in tqdm(seeds, desc="sheet")]
            others = [OTHER, f"{OTHER}#1", f"{OTHER}#2"]
            sheet = contact_sheet(designs, [*TILES, BLANK, *others])
            if not cv2.imwrite(str(options.sheet), sheet):
                parser.exit(1, f"cannot write {options.sheet}\n")
    except (FontError, OSError) as error:
        parser.exit(1, f"{error}\n")


if __name__ == "__main__":
    main()
