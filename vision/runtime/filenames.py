"""Names of files that are made from what people call things, on every system alike.

Microsoft lists what Windows refuses under "Naming Files, Paths, and Namespaces". A Mac and Windows
take two names that differ in capitals for one, and a Mac two that write an accent differently.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

MOST_BYTES: Final = 200
"""Maximum length of a name in UTF-8; systems take 255, and a name gets an ending while it is
written."""

_REFUSED: Final = re.compile(r'[<>:"/\\|?*\x00-\x1f]|[. ]\Z')
"""What no name on Windows holds, and with what none ends."""

_DEVICES: Final = re.compile(
    r"(CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(COM|LPT)[0-9¹²³]) *(\..*)?\Z", re.IGNORECASE | re.DOTALL
)
"""Names that Windows keeps for devices, whatever ending they have."""


def fits_everywhere(name: str) -> bool:
    """Whether a file can have this name on every system."""
    return bool(
        name
        and len(name.encode("utf-8", "surrogatepass")) <= MOST_BYTES
        and not _REFUSED.search(name)
        and not _DEVICES.match(name)
    )


def same_name(one: str, other: str) -> bool:
    """Whether some system takes the two names for one."""
    return _folded(one) == _folded(other)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
