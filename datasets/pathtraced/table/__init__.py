"""The plan of a path-traced table: deals, places, things and views."""
