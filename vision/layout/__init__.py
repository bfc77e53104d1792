"""Whose the tiles are: rows, groups, seats and hands, and what its place says of a tile."""
