"""Annotated real photographs, the shipped benchmark and the demo."""
