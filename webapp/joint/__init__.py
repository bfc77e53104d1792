"""What all tiles of a deal say together: one decision for all, and the questions it leaves."""
