"""The pages of tournaments and leagues: standings, and how they are counted."""
