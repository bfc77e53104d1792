"""Photograph, check, correct and say who won."""
