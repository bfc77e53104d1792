"""Photos that are read anew."""
