from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks.speed import reading
from benchmarks.speed.cold_start import cold_start
from benchmarks.speed.photos import AIMS, Measured, Spent, measure, photos_of, report
from datasets.sets.coco import Photo
from vision.errors import NoTilesFound
from vision.messages import say

NO_QUADS = np.empty((0, 4, 2), np.float32)


class Machine:
    """A reader and a pass that take as many seconds as they are told, and the clock."""

    def __init__(self, passes: list[float]) -> None:
        self.now = 0.0
        self.passes = iter(passes)
        self.read_bytes: list[bytes] = []

    def clock(self) -> float:
        return self.now

    def read(self, data: bytes, /) -> None:
        """Takes the seconds that stand in the file, and fails where it says so."""
        self.read_bytes.append(data)
        seconds, _, word = data.decode().partition(" ")
        self.now += float(seconds)
        if word:
            raise NoTilesFound(say("photo.no_tiles"))

    def one_pass(self) -> None:
        self.now += next(self.passes)


def photos(folder: Path, *contents: str) -> list[Photo]:
    made = []
    for number, content in enumerate(contents):
        path = folder / f"{number}.jpg"
        path.write_text(content)
        made.append(Photo(path, "ours", "val", ("1m",) * 14, NO_QUADS, NO_QUADS))
    return made


def test_each_photo_is_timed_once_and_passes_lie_between(tmp_path: Path) -> None:
    machine = Machine([0.1, 0.3, 0.2])
    shown = photos(tmp_path, "1.5", "2.5", "0.5", "4.0")
    measured = measure({"a": shown}, machine, machine.one_pass, machine.clock)
    assert [photo.whole for photo in measured.files["a"]] == pytest.approx([1.5, 2.5, 0.5, 4.0])
    assert [photo.name for photo in measured.files["a"]] == [f"{i}.jpg" for i in range(4)]
    assert measured.passes == pytest.approx([0.1, 0.3, 0.2])
    assert measured.one_pass == pytest.approx(0.2)
    assert machine.read_bytes == [b"1.5", b"1.5", b"2.5", b"0.5", b"4.0"], "the first warms up"


def test_a_photo_that_is_refused_counts_too(tmp_path: Path) -> None:
    machine = Machine([1.0] * 3)
    shown = photos(tmp_path, "1.0", "9.0 refused")
    measured = measure({"a": shown}, machine, machine.one_pass, machine.clock)
    assert [photo.error for photo in measured.files["a"]] == [False, True]
    text = report(measured)
    assert "a: 1 photos refused, and counted all the same" in text
    assert "a, worst, 1.jpg: 9 passes, OVER 6 passes" in text
    assert "a, worst, 1.jpg: 9 s, OVER 3 s" in text


def spent(name: str, whole: float, tiles: int = 40, decoding: float = 0.0) -> Spent:
    return Spent(name, tiles, whole, decoding, error=False)


def test_the_table_tells_shares_of_a_pass_with_and_without_decoding() -> None:
    cheap = [spent(f"{i}.jpg", 0.2) for i in range(9)]
    dear = spent("dear.jpg", 2.0, decoding=0.5)
    text = report(Measured({"at/table.coco.json": [dear, *cheap]}, [0.2, 0.25, 0.4]))
    assert "one pass, YOLO11s-sized: 0.250 s of processor time" in text
    assert "median of 3 through the run, 0.200 to 0.400 s" in text
    rows = {line[:36].strip(): line[36:].split() for line in text.splitlines()}
    assert rows["table"] == ["10", "0.80", "1.32", "5.53", "6.00"]
    assert rows["table, with decoding"] == ["10", "0.80", "1.52", "7.35", "8.00"]
    assert "table, median: 0.8 passes, within 1.5 passes" in text
    assert "table, worst, dear.jpg: 6 passes, within 6 passes" in text
    assert "table, worst, dear.jpg: 1.5 s, within 3 s" in text
    assert "hands of" not in text


def test_photos_of_one_hand_have_an_aim_of_their_own() -> None:
    least, most = AIMS.hand_sizes
    sizes = [(least - 1, 9.0), (least, 0.5), (15, 0.9), (most, 1.2), (most + 1, 9.0)]
    shown = [spent(f"{tiles}.jpg", seconds, tiles) for tiles, seconds in sizes]
    text = report(Measured({"a": shown}, [1.0]))
    assert "a, 3 hands of 14 to 18 tiles, median: 0.9 passes, within 1 passes" in text
    assert "a, 3 hands of 14 to 18 tiles, worst: 1.2 passes, OVER 1 passes" in text


def test_decoding_that_seems_to_take_longer_than_all_leaves_nothing() -> None:
    assert spent("a", 0.1, decoding=0.2).without_decoding == 0


def test_the_shipped_benchmark_is_meant_by_its_name() -> None:
    shown = photos_of("benchmark")
    assert len(shown) > 100
    assert {photo.path.parent.name for photo in shown} == {"scenes"}


def test_a_cold_start_is_that_of_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[list[str]] = []
    clock = iter([0.0, 3.0, 10.0, 11.0, 20.0, 22.0])

    def run(command: list[str], **_: object) -> None:
        started.append(command)

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr("benchmarks.speed.cold_start.time.perf_counter", lambda: next(clock))
    assert cold_start(tmp_path / "a.jpg") == pytest.approx(2.0)
    assert len(started) == 3
    assert started[0][0] == sys.executable
    assert started[0][-3:] == ["read", "--json", str(tmp_path / "a.jpg")]


def test_the_command_line_measures_files_or_rendered_photos(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(reading, "photo", lambda: b"")
    monkeypatch.setattr(reading, "cold_start", lambda _: 2.5)
    monkeypatch.setattr(reading, "_of_files", lambda whats, threads: f"{whats} {threads}")
    monkeypatch.setattr(reading, "_of_rendered", lambda *_: "rendered")
    monkeypatch.setattr("sys.argv", ["reading", "--threads", "1", "--coco", "a", "benchmark"])
    reading.main()
    told = capsys.readouterr().out
    assert told == "['a', 'benchmark'] 1\nkongbox read, cold start: 2.5 s, OVER 2 s\n"
    monkeypatch.setattr("sys.argv", ["reading"])
    reading.main()
    assert capsys.readouterr().out.startswith("rendered\n")
