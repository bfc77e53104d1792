"""The result and everything that explains it."""
