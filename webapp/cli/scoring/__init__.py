"""Commands that score: deals, whole games, what a hand waits for, and the rules they go by."""
