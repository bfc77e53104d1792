"""Finds every number that is fitted rather than trained."""
