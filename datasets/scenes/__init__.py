"""Rendered photographs with their exact truth."""
