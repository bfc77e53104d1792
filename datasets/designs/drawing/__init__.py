"""How a design is drawn: ink, palette, finish and SVG."""
