"""All tiles of a deal decided together, by the laws of the tile set and the winning hand."""
