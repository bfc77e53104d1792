"""Measures the whole reader: `python -m models.evaluation`."""
