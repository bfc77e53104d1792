"""Measures how many hands are read entirely right."""
