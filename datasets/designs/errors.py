"""What can be wrong with a drawn design, a typeface or a package of pictures."""

from __future__ import annotations


class DesignError(ValueError):
    """A tile-set design, or the file of one, that cannot be used."""


class FontError(ValueError):
    """No usable typeface, or one that cannot be fetched."""


class PackageError(ValueError):
    """A package that cannot be fetched."""
