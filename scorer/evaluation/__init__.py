"""One whole deal: whether it is lawful, what each hand scores, and what a hand waits for."""
