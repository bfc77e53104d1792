"""What lies on a path-traced table: deals, places, things and views."""
