"""Profiles of tile sets: teach a set, keep it, and read with it."""
