"""Teaching Kongbox a tile set on the page, and choosing the one on the table."""
