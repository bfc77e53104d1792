"""Words for a figure beside its limit."""

from __future__ import annotations


def verdict(name: str, value: float, limit: float, unit: str) -> str:
    """A line that says whether a figure is within its limit or over it."""
    word = "within" if value <= limit else "OVER"
    return f"{name}: {value:.3g} {unit}, {word} {limit:.3g} {unit}"
