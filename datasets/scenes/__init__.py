"""Renders photographs with their exact truth."""
