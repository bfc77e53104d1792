"""Trains the networks with one loop for all: `python -m models.training`."""
