"""The faces of a set: suits, honours, flowers and seasons."""
