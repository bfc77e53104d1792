"""Teaching a tile set on the page."""
