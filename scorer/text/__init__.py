"""Deals and games as JSON and as typed text, in and out."""
