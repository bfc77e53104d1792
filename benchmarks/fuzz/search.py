"""Runs a search for faults of one target: guided by branches where atheris is there, else blind."""

from __future__ import annotations

import importlib.util
import itertools
import random
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.fuzz.judge import Fault, judge
from benchmarks.fuzz.mutate import blind
from benchmarks.fuzz.targets import TARGETS, Target

CORPUS: Final = Path(__file__).parents[2] / "tests" / "benchmarks" / "fuzz" / "corpus"
"""The folder of the inputs that were found, with a folder for each target."""

STUCK_S: Final = 20
"""Time in seconds after which the search gives up on one input."""

MOST_MB: Final = 2000
"""Memory in megabytes at which the search gives up on one input."""


@dataclass(slots=True)
class Record:
    """What came of a search.

    Attributes:
        executions: the number of inputs that were read.
        coverage: the number of branches that were reached; None where nobody counted.
        corpus: the number of inputs that each reach something which the others do not.
        faults: what is wrong, with the first input of each cause.
    """

    executions: int = 0
    coverage: int | None = None
    corpus: int = 0
    faults: dict[str, tuple[Fault, bytes]] = field(default_factory=dict)

    def add(self, fault: Fault | None, data: bytes) -> None:
        """Note a fault, unless one of the same cause with a shorter input is noted already."""
        if fault is None:
            return
        known = self.faults.get(fault.place)
        if known is None or len(data) < len(known[1]):
            self.faults[fault.place] = (fault, data)


def corpus_of(name: str) -> list[bytes]:
    """The inputs of a target that were found in earlier searches."""
    return [path.read_bytes() for path in sorted((CORPUS / name).glob("*"))]


def guided() -> bool:
    """Whether the engine is there that is guided by branches."""
    return importlib.util.find_spec("atheris") is not None


def checked(target: Target, data: bytes) -> Fault | None:
    """What is wrong with how an input is read; a cost counts if it is there three times."""
    faults = [judge(target.read, target.declared, data, target.limits)]
    while faults[-1] is not None and faults[-1].kind == "slow" and len(faults) < 3:
        faults.append(judge(target.read, target.declared, data, target.limits))
    return faults[-1]


def search_blind(name: str, *, seconds: float, most: int | None = None, seed: int = 0) -> Record:
    """Break good inputs by chance until the time is over, or so many were read."""
    target, source, record = TARGETS[name], random.Random(seed), Record()
    inputs = [*target.seeds(), *corpus_of(name)]
    strings, end = blind(source), time.monotonic() + seconds
    for number in itertools.count():
        if time.monotonic() > end or number == most:
            return record
        data = source.choice(inputs)
        broken = strings(data, target.max_bytes)
        if target.mutate is not None:
            broken = target.mutate(data, source, strings)[: target.max_bytes]
        record.add(checked(target, broken), broken)
        record.executions += 1
    return record


def search_guided(name: str, *, seconds: int, keep: Path | None = None) -> Record:
    """Search with atheris in a process of its own.

    Args:
        name: of the target.
        seconds: how long to search.
        keep: where the inputs stay that each reach something new; None to forget them.
    """
    target, record = TARGETS[name], Record()
    with tempfile.TemporaryDirectory(prefix="kongbox-fuzz-") as folder:
        start, finds = Path(folder) / "start", Path(folder) / "finds"
        corpus = keep or Path(folder) / "corpus"
        for made in (start, finds, corpus):
            made.mkdir(parents=True, exist_ok=True)
        for number, data in enumerate([*target.seeds(), *corpus_of(name)]):
            (start / str(number)).write_bytes(data)
        limits = [f"-max_total_time={seconds}", f"-timeout={STUCK_S}", f"-rss_limit_mb={MOST_MB}"]
        kept = [f"-artifact_prefix={finds}/", "-print_final_stats=1", str(corpus), str(start)]
        engine = [sys.executable, "-m", "benchmarks.fuzz.engine", name, str(finds)]
        done = subprocess.run(  # noqa: S603 - our own module
            [*engine, *limits, *kept], capture_output=True, text=True, errors="replace", check=False
        )
        _read_log(done.stderr, record)
        if done.returncode != 0 and not any(map(_stuck, finds.iterdir())):
            raise RuntimeError(f"the search ended early:\n{done.stderr[-2000:]}")
        for path in sorted(finds.iterdir()):
            data = path.read_bytes()
            record.add(_stuck(path) or checked(target, data), data)
    return record


def _stuck(path: Path) -> Fault | None:
    """The fault of an input that ended the search itself: it took too long, or too much."""
    kind = path.name.partition("-")[0]
    ended = {"timeout": "slow", "oom": "heavy", "crash": "escaped"}
    return Fault(ended[kind], f"the search ended: {kind}", path.name) if kind in ended else None


def _read_log(log: str, record: Record) -> None:
    """Take the figures from what libFuzzer tells.

    Raises:
        RuntimeError: it read nothing.
    """
    lines = re.findall(r"^#(\d+)\s.* cov: (\d+) .*corp: (\d+)/", log, re.MULTILINE)
    if not lines:
        raise RuntimeError(f"the search did not begin:\n{log[-2000:]}")
    executions, coverage, corpus = (int(figure) for figure in lines[-1])
    record.executions, record.coverage, record.corpus = executions, coverage, corpus
