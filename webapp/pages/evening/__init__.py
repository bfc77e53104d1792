"""The pages of an evening: its tables, the draw, the common clock and the display in the hall."""
