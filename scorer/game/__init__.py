"""Hands in a row: winds, totals, corrections and score sheets."""
