"""From the bytes of an unknown file to upright pixels, and whether the photo is good enough."""
