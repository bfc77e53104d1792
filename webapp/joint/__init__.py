"""What all tiles of a deal say together: one decision for all, questions left, and worth so far."""
