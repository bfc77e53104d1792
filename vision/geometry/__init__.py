"""Quads, crops and the plane of the table: pure numpy and OpenCV, no model and no label."""
