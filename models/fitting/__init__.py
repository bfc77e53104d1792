"""Fits the numbers in ``weights.toml``: those that are fitted rather than trained."""
