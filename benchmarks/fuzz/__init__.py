"""Feeds broken input to everything that reads what strangers send."""
