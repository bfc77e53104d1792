from __future__ import annotations

import pytest

from benchmarks.hostile import measure
from benchmarks.hostile.__main__ import FILES, line, main
from benchmarks.hostile.measure import Cost


def test_there_are_enough_files_of_every_kind() -> None:
    assert len(FILES) >= 60
    assert {name.split(":")[0] for name in FILES} == {"JPEG", "PNG", "WebP", "HEIC", "other"}


def test_a_file_is_told_with_its_cost_and_one_over_the_limit_fails(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["3,000 scans of 60 megapixels", "600 MB of data", "an HEIC of noise"]) == 0
    told = capsys.readouterr().out
    assert told.count("would take too long") == 2
    assert "The HEIC file is damaged" in told
    assert "3 files, 0 over" in told
    monkeypatch.setattr(measure, "LIMIT_S", 0.5)
    assert "OVER" in line("a bomb", Cost(1.0, 0.6, 10.0, "refused"))
    assert "OVER" in line("a bomb", Cost(1.0, 0.1, 301.0, "refused"))
    assert "OVER" in line("a photo", Cost(1.0, 0.1, 401.0, "no tiles", read=True))
    assert "OVER" not in line("a photo", Cost(1.0, 0.1, 399.0, "no tiles", read=True))
    assert "OVER" not in line("a photo", Cost(1.0, None, None, "read"))
