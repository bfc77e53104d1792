"""Packages that a test may want and a computer may lack: what it skips says what installs them."""

from __future__ import annotations

from typing import Any, Final

import pytest

INSTALLED_BY: Final = {
    "bpy": "pip install .[render]",
    "onnx": "make test",
    "PIL": "make test",
    "torch": "make train-deps",
}
"""The command that installs each optional package, by the name under which it is imported."""


def needed(package: str) -> str:
    """The reason why a test is skipped that needs this package."""
    return f"needs {package}, which `{INSTALLED_BY[package]}` installs"


class OptionalModule(pytest.Module):
    """A module of tests, skipped where an optional package that it imports is missing."""

    def _getobj(self) -> Any:
        try:
            return super()._getobj()  # type: ignore[no-untyped-call]
        except self.CollectError as error:
            package = str(getattr(error.__cause__, "name", "")).partition(".")[0]
            if package not in INSTALLED_BY:
                raise
            pytest.skip(f"{self.nodeid} {needed(package)}", allow_module_level=True)
