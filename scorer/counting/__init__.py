"""One deal: whether it is lawful, every reading of each hand, its lines, payments and waits."""
