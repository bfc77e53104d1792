"""How many hands are read wholly right."""
