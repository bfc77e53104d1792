"""The course for newcomers: its sheets as data in each language, and what the scorer answers."""
