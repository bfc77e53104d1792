"""Where a club's own ruleset files are looked for."""

from __future__ import annotations

from typing import Final

FOLDER_VARIABLE: Final = "KONGBOX_RULESETS"
"""Environment variable that names a folder of further ruleset files."""
