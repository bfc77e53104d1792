"""A ruleset: its form, its files, its conditions, and how it is made ready for counting."""
