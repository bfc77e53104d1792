"""What several tests of the designs need."""

from __future__ import annotations

import pytest

from datasets.designs import FontSpec, find_fonts, fonts
from tests.datasets.designs.typeface import build_typeface


@pytest.fixture(scope="module")
def typefaces(tmp_path_factory: pytest.TempPathFactory) -> list[FontSpec]:
    """One small typeface with all characters that tiles need."""
    folder = tmp_path_factory.mktemp("fonts")
    build_typeface(folder / "bars.ttf")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fonts, "_FOLDERS", ())
        return find_fonts([folder])
