"""How fast photos are read and hands are scored."""
