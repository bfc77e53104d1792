"""The errors of drawn designs, typefaces and packages of pictures."""

from __future__ import annotations


class DesignError(ValueError):
    """A tile-set design or its file cannot be used."""


class FontError(ValueError):
    """There is no usable typeface."""


class PackageError(ValueError):
    """A package cannot be downloaded."""
