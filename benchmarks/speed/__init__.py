"""Measures the time of reading photos and scoring hands."""
