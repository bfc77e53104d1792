"""Sources of tile faces: drawn designs, photographs, and other people's games."""
