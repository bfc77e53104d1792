"""Watching a table by a camera, and handing what it reads to the page."""
